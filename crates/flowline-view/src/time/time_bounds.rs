//! The times that an axis can show.

use flowline_profile::{Ns, TimeRange};

/// The times that an axis can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBounds {
    /// All times that the axis can show.
    pub extent: TimeRange,
    /// Range that [`crate::Command::ZoomToAll`] shows.
    pub whole: TimeRange,
}

impl TimeBounds {
    /// The same on a clock that is `by` ahead.
    #[must_use]
    #[inline]
    pub fn shifted(self, by: Ns) -> Self {
        Self { extent: self.extent.shifted(by), whole: self.whole.shifted(by) }
    }

    /// The smallest bounds that contain both.
    #[must_use]
    #[inline]
    pub fn union(self, other: Self) -> Self {
        Self { extent: self.extent.union(other.extent), whole: self.whole.union(other.whole) }
    }
}
