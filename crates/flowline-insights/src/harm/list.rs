//! The harmful slices of a recording.

use rayon::prelude::*;

use super::forced_flushes::forced_flushes;
use super::forced_layout::forced_of;
use super::long_tasks::{FIREFOX_MAIN, LONG_TASK, LongTasks};
use super::slices::{HarmfulSlice, HarmfulSlices};
use flowline_index::{Derived, Index};
use flowline_profile::{LocalMarker, Ns, Profile, ThreadId};

/// The harmful slices of a recording.
#[derive(Clone, Debug, Default)]
pub struct Harm {
    long: HarmfulSlices,
    forced: HarmfulSlices,
}

impl Harm {
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
        Self {
            long: LongTasks::of(index).slices().clone(),
            forced: HarmfulSlices::new(forced.into_iter().flatten().collect()),
        }
    }
}

/// Style and layout of a thread that scripts forced.
fn forced_slices(profile: &Profile, id: ThreadId) -> Vec<HarmfulSlice> {
    let thread = profile.thread(id);
    let slice = |local: LocalMarker| HarmfulSlice { marker: thread.global(local), times: thread.markers.range(local) };
    if profile.source.holds_events() {
        return forced_of(profile, id).into_iter().map(slice).collect();
    }
    match thread.name == FIREFOX_MAIN {
        true => forced_flushes(profile, id).into_iter().map(|own| slice(own.flush.marker)).collect(),
        false => Vec::new(),
    }
}
