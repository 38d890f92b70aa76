//! The lanes of the overview, computed on the pool for the tracks that are shown. The last lanes are shown until new ones
//! are available.

use std::sync::Arc;

use crate::tasks::{Job, PoolTask, Task, Wake};
use flowline_index::{Derived, Index, ThreadTimes};
use flowline_insights::flags::Flags;
use flowline_insights::harm::{HarmSums, LongTasks};
use flowline_insights::overview::OverviewLanes;
use flowline_insights::page_load::{MainLoad, Screenshots};
use flowline_insights::report::Sections;
use flowline_scene::{Scope, ScopeKey};

/// Tracks, start and end of the range, and true with the network.
type Key = (ScopeKey, i64, i64, bool);

/// Computes the lanes of the overview in the background, and reads milestones, screenshots and harmful slices.
pub(crate) struct OverviewTask {
    task: Task<Key, OverviewLanes>,
    lanes: Option<Arc<OverviewLanes>>,
}

impl OverviewTask {
    /// `wake` is called when lanes are available.
    #[must_use]
    pub(crate) fn new(wake: &Wake) -> Self {
        Self { task: Task::new(Arc::clone(wake)), lanes: None }
    }

    /// Starts to compute the lanes of a scope. Times and search do not change them. Finding requests would compete with
    /// the analysis of flows, so the network waits for it.
    pub(crate) fn follow(&mut self, index: &Arc<Index>, scope: &Scope, awaits_flows: bool) {
        let range = scope.lane_range(index);
        let key = (scope.lane_key(), range.start.0, range.end.0, !awaits_flows);
        if self.task.is_for(&key) {
            return;
        }
        let (index, scope) = (Arc::clone(index), scope.clone());
        self.task.replace(key, move |_| {
            Flags::of(&index);
            LongTasks::of(&index);
            MainLoad::of(&index);
            // Their figures are listed with those of the page.
            if index.profile().strings.find("SoftNavigationStart").is_some() {
                Sections::of(&index);
            }
            Screenshots::of(&index);
            let lanes = || OverviewLanes::build(&index, range, scope.hidden(), !awaits_flows);
            rayon::join(lanes, || rayon::join(|| HarmSums::of(&index), || ThreadTimes::of(&index))).0
        });
    }

    /// The last lanes.
    #[must_use]
    pub(crate) const fn lanes(&self) -> Option<&Arc<OverviewLanes>> {
        self.lanes.as_ref()
    }
}

impl Job for OverviewTask {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        vec![&self.task]
    }

    fn poll(&mut self, _index: &Arc<Index>) {
        if let Some(lanes) = self.task.poll_newest() {
            self.lanes = Some(Arc::new(lanes));
        }
    }
}
