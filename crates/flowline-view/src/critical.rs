//! What the critical path leads to.

use flowline_profile::{MarkerId, Ns};

/// The end of the critical path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathTarget {
    /// The marker that it leads to.
    pub marker: MarkerId,
    /// A moment at which the marker is on; without one, its end.
    pub time: Option<Ns>,
    /// Whether a marker without a cause follows the interval with flows that ended right before it on its thread.
    pub assume_followed: bool,
}

impl PathTarget {
    /// The end of a marker.
    #[must_use]
    pub const fn end_of(marker: MarkerId) -> Self {
        Self { marker, time: None, assume_followed: true }
    }

    /// What to show instead of a path: this one, or none if it is shown already.
    #[must_use]
    pub fn toggled(self, shown: Option<Self>) -> Option<Self> {
        (shown != Some(self)).then_some(self)
    }
}
