//! The insight that the chart emphasizes: its markers are outlined, and everything else is dimmed, most of all what is outside
//! its range.

use std::sync::Arc;

use flowline_profile::{MarkerId, ProcessId, TimeRange};

/// An insight, by its name and the part of the recording that it is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InsightFocus {
    /// Its name in output.
    pub name: String,
    /// Number of the navigation; `None` before the first one, and for profiles.
    pub navigation: Option<u32>,
    /// The window of a profile, if it is about one.
    pub window: Option<i64>,
    /// The process of a profile.
    pub process: Option<ProcessId>,
    /// The range that stays bright; `None` dims nothing.
    pub range: Option<TimeRange>,
    /// The outlined markers in order; `None` until they are known, as after a saved view was read.
    pub markers: Option<Arc<[MarkerId]>>,
}

impl InsightFocus {
    /// True if another emphasis is about the same insight.
    #[must_use]
    pub fn names_same(&self, other: &Self) -> bool {
        (&self.name, self.navigation, self.window, self.process)
            == (&other.name, other.navigation, other.window, other.process)
    }

    /// The outlined markers from one to before another.
    #[must_use]
    pub fn markers_between(&self, from: MarkerId, to: MarkerId) -> &[MarkerId] {
        let markers = self.markers.as_deref().unwrap_or_default();
        let first = markers.partition_point(|marker| *marker < from);
        let end = markers.partition_point(|marker| *marker < to).max(first);
        &markers[first..end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_found_by_their_numbers() {
        let markers: Arc<[MarkerId]> = [1, 4, 5, 9].map(MarkerId).into();
        let focus = InsightFocus { markers: Some(markers), ..InsightFocus::default() };
        let between = |from, to| focus.markers_between(MarkerId(from), MarkerId(to)).len();
        assert_eq!([between(0, 10), between(4, 9), between(2, 4), between(9, 2)], [4, 2, 0, 0]);
    }
}
