//! Target of the critical path.

use flowline_profile::{MarkerId, Ns};

/// The target of the critical path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathTarget {
    /// The target marker.
    pub marker: MarkerId,
    /// A moment within the marker's interval; `None` for its end.
    pub time: Option<Ns>,
    /// If set, a marker without a recorded cause is assumed to be caused by the interval with flows that ended right
    /// before it on the same thread.
    pub assume_followed: bool,
}

impl PathTarget {
    /// The end of a marker.
    #[must_use]
    #[inline]
    pub const fn end_of(marker: MarkerId) -> Self {
        Self { marker, time: None, assume_followed: true }
    }

    /// The path to show when this one is toggled: this one, or none if it is already shown.
    #[must_use]
    #[inline]
    pub fn toggled(self, shown: Option<Self>) -> Option<Self> {
        (shown != Some(self)).then_some(self)
    }
}
