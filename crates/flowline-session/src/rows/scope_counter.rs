//! Counts the contents of the scope on the pool: markers by thread for a time range, and the activity in the overview.
//! The last count is shown until a new one is available.

use std::sync::Arc;

use rayon::prelude::*;

use crate::tasks::{Job, PoolTask, Task, Wake};
use flowline_index::flows::FlowSetup;
use flowline_index::{Activity, Index, ThreadTimes};
use flowline_profile::ThreadId;
use flowline_scene::{Scope, ScopeActivity, ScopeCounts, ScopeKey, TrackCounts, derived_kinds};

/// A counted scope, and the number of kinds of tracks whose data was known.
type Counted = (ScopeKey, usize);

/// Counts the contents of the scope in the background.
pub struct ScopeCounter {
    counting: Task<Counted, ScopeCounts>,
    counts: Option<Arc<ScopeCounts>>,
    surveying: Task<(ScopeKey, Option<(i64, i64)>), ScopeActivity>,
    activity: Option<Arc<ScopeActivity>>,
}

impl ScopeCounter {
    /// `wake` is called when a count is available.
    #[must_use]
    pub fn new(wake: &Wake) -> Self {
        let (counting, surveying) = (Task::new(Arc::clone(wake)), Task::new(Arc::clone(wake)));
        Self { counting, counts: None, surveying, activity: None }
    }

    /// Starts the missing counts of a scope.
    pub fn follow(&mut self, index: &Arc<Index>, setup: &Arc<FlowSetup>, scope: &Scope) {
        let all_threads = scope.with_all_threads();
        let key = (all_threads.key(), derived_kinds(index));
        if scope.needs_counting() && !self.counting.is_for(&key) {
            let (index, setup) = (Arc::clone(index), Arc::clone(setup));
            self.counting.replace(key, move |_| count(&index, &setup, &all_threads));
        }
        let shown = scope.without_selection();
        let key = shown.key();
        if key == ScopeKey::default() {
            self.surveying.cancel();
            self.activity = None;
            return;
        }
        let job = (key, shown.committed().map(|range| (range.start.0, range.end.0)));
        if !self.surveying.is_for(&job) {
            let index = Arc::clone(index);
            self.surveying.replace(job, move |_| survey(&index, &shown));
        }
    }

    /// The last count of markers.
    #[must_use]
    pub const fn counts(&self) -> Option<&Arc<ScopeCounts>> {
        self.counts.as_ref()
    }

    /// The last activity.
    #[must_use]
    pub const fn activity(&self) -> Option<&Arc<ScopeActivity>> {
        self.activity.as_ref()
    }
}

impl Job for ScopeCounter {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        vec![&self.counting, &self.surveying]
    }

    fn poll(&mut self, _index: &Arc<Index>) {
        if let Some(counts) = self.counting.poll_newest() {
            self.counts = Some(Arc::new(counts));
        }
        if let Some(activity) = self.surveying.poll_newest() {
            self.activity = Some(Arc::new(activity));
        }
    }
}

/// The markers of a scope by thread, and the other contents of its range.
fn count(index: &Index, setup: &FlowSetup, scope: &Scope) -> ScopeCounts {
    let threads = (0..index.profile().threads.len()).into_par_iter().map(ThreadId::new);
    let all_rows = scope.with_all_tracks();
    let by_thread = threads.map(|thread| all_rows.count_in_thread(index.profile(), thread)).collect();
    let partial = scope.partial_threads();
    let by_rows = partial.map(|thread| (thread, scope.count_in_thread(index.profile(), thread))).collect();
    let tracks = scope.range().map(|range| TrackCounts::new(index, &setup.tracks, range));
    let times = scope.committed().map(|range| ThreadTimes::measure(index.profile(), Some(range)));
    ScopeCounts { key: scope.key(), by_thread, by_rows, tracks, times }
}

/// The activity of a scope.
fn survey(index: &Index, scope: &Scope) -> ScopeActivity {
    let (profile, range) = (index.profile(), scope.committed().unwrap_or(index.extent()));
    if profile.marker_count() == 0 {
        let found = scope.search().map(|search| &search.calls);
        let is_selected_row = |thread| scope.threads_with_selection().is_none_or(|chosen| chosen.contains(&thread));
        let keep = |thread, stack| {
            scope.shows(thread) && is_selected_row(thread) && found.is_none_or(|found| found.has_stack(stack))
        };
        return ScopeActivity { key: scope.key(), activity: Activity::of_samples(profile, range, &keep) };
    }
    let candidates = |thread| scope.candidates(profile, thread);
    let candidate = |thread, position| scope.candidate(thread, position);
    let activity = Activity::narrowed(profile, index.source().styles, range, &candidates, &candidate);
    ScopeActivity { key: scope.key(), activity }
}
