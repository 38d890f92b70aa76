//! The harmful slices of a recording, sorted, so that a thread's ones are found without a search.

use rayon::prelude::*;

use super::forced_layout::forced_of;
use super::tasks::long_tasks;
use crate::page_load::LONG_TASK;
use flowline_index::{Derived, Index};
use flowline_profile::{LocalMarker, MarkerId, Ns, Profile, ThreadId, TimeRange};

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
pub struct HarmfulSlices(Vec<HarmfulSlice>);

impl HarmfulSlices {
    /// True if a marker is one of them.
    #[must_use]
    pub fn contains(&self, marker: MarkerId) -> bool {
        self.0.binary_search_by_key(&marker, |slice| slice.marker).is_ok()
    }

    /// Those of a thread, by start.
    #[must_use]
    pub fn of_thread(&self, profile: &Profile, thread: ThreadId) -> &[HarmfulSlice] {
        let thread = profile.thread(thread);
        let first = thread.first_marker.0;
        let end = first.saturating_add(u32::try_from(thread.markers.len()).unwrap_or(u32::MAX));
        let at = |number: u32| self.0.partition_point(|slice| slice.marker.0 < number);
        &self.0[at(first)..at(end)]
    }

    /// All of them.
    #[must_use]
    pub fn all(&self) -> &[HarmfulSlice] {
        &self.0
    }
}

/// The harmful slices of a recording.
#[derive(Clone, Debug, Default)]
pub struct Harm {
    long: HarmfulSlices,
    forced: HarmfulSlices,
}

impl Harm {
    /// The harm of an index; see [`Index::derived`].
    pub fn of(index: &Index) -> &Self {
        index.derived()
    }

    /// The harm of an index, if it has been computed.
    #[must_use]
    pub fn if_built(index: &Index) -> Option<&Self> {
        index.derived_if_built()
    }

    /// Tasks of more than 50 ms.
    #[must_use]
    pub const fn long(&self) -> &HarmfulSlices {
        &self.long
    }

    /// Style and layout that scripts forced.
    #[must_use]
    pub const fn forced(&self) -> &HarmfulSlices {
        &self.forced
    }

    /// The sum of what exceeds 50 ms in each long task of a thread.
    #[must_use]
    pub fn blocking(&self, profile: &Profile, thread: ThreadId) -> Ns {
        let tasks = self.long.of_thread(profile, thread);
        Ns(tasks.iter().map(|task| task.times.len() - LONG_TASK.0).sum())
    }
}

impl Derived for Harm {
    fn derive(index: &Index) -> Self {
        let profile = index.profile();
        let threads: Vec<ThreadId> = profile.threads_with_ids().map(|(id, _)| id).collect();
        let forced: Vec<Vec<HarmfulSlice>> = threads.par_iter().map(|thread| forced_slices(profile, *thread)).collect();
        Self { long: sorted(long_tasks(profile)), forced: sorted(forced.into_iter().flatten().collect()) }
    }
}

fn forced_slices(profile: &Profile, id: ThreadId) -> Vec<HarmfulSlice> {
    let thread = profile.thread(id);
    let slice = |local: LocalMarker| HarmfulSlice { marker: thread.global(local), times: thread.markers.range(local) };
    forced_of(profile, id).into_iter().map(slice).collect()
}

fn sorted(mut slices: Vec<HarmfulSlice>) -> HarmfulSlices {
    slices.sort_unstable_by_key(|slice| slice.marker);
    slices.dedup();
    HarmfulSlices(slices)
}
