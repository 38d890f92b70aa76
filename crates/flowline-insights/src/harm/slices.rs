//! Slices sorted by marker, so that those of a thread are neighbors.

use flowline_profile::{MarkerId, Profile, ThreadId, TimeRange};

/// A slice that does harm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HarmfulSlice {
    /// The marker.
    pub marker: MarkerId,
    /// Its times.
    pub times: TimeRange,
}

/// Harmful slices of one kind, by marker; those of a thread are neighbors, by start.
#[derive(Clone, Debug, Default)]
pub struct HarmfulSlices {
    all: Vec<HarmfulSlice>,
    by_start: Vec<HarmfulSlice>,
}

impl HarmfulSlices {
    /// Sorts slices.
    pub(super) fn new(mut slices: Vec<HarmfulSlice>) -> Self {
        slices.sort_unstable_by_key(|slice| slice.marker);
        slices.dedup();
        let mut by_start = slices.clone();
        by_start.sort_by_key(|slice| slice.times.start);
        Self { all: slices, by_start }
    }

    /// True if a marker is one of them.
    #[must_use]
    pub fn contains(&self, marker: MarkerId) -> bool {
        self.all.binary_search_by_key(&marker, |slice| slice.marker).is_ok()
    }

    /// Those of a thread, by start.
    #[must_use]
    pub fn of_thread(&self, profile: &Profile, thread: ThreadId) -> &[HarmfulSlice] {
        let thread = profile.thread(thread);
        let first = thread.first_marker.0;
        let end = first.saturating_add(u32::try_from(thread.markers.len()).unwrap_or(u32::MAX));
        let at = |number: u32| self.all.partition_point(|slice| slice.marker.0 < number);
        &self.all[at(first)..at(end)]
    }

    /// Those of all threads that begin in a closed range, by start.
    #[must_use]
    pub fn starting_in(&self, range: TimeRange) -> &[HarmfulSlice] {
        let first = self.by_start.partition_point(|slice| slice.times.start < range.start);
        let end = self.by_start.partition_point(|slice| slice.times.start <= range.end);
        self.by_start.get(first..end).unwrap_or_default()
    }

    /// All of them.
    #[must_use]
    pub fn all(&self) -> &[HarmfulSlice] {
        &self.all
    }
}
