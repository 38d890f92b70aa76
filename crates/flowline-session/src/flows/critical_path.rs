//! The critical path to the target in the view, computed on the pool.

use std::sync::Arc;

use crate::tasks::{Job, PoolTask, Task, Wake};
use flowline_index::Index;
use flowline_index::waits::{CriticalPath, PathOptions, innermost_open};
use flowline_profile::{Ns, ThreadId};
use flowline_view::PathTarget;

/// Computes critical paths. Rows of threads are built when a path first crosses them, so a path can take a while.
pub struct CriticalPaths {
    task: Task<PathTarget, CriticalPath>,
    shown: Option<(PathTarget, Arc<CriticalPath>)>,
}

impl CriticalPaths {
    /// `wake` is called when a path has been found.
    #[must_use]
    pub fn new(wake: Wake) -> Self {
        Self { task: Task::new(wake), shown: None }
    }

    /// Starts the search for the path to a target, unless it is known. Without a target, there is no path.
    pub fn follow(&mut self, index: &Arc<Index>, target: Option<PathTarget>) {
        // Paths follow flows, so the search starts only when flows are known.
        match target.filter(|_| index.flows().is_known()) {
            None => {
                self.task.cancel();
                self.shown = None;
            }
            Some(target) => {
                let is_shown = self.shown.as_ref().is_some_and(|(known, _)| *known == target);
                if !is_shown && !self.task.is_for(&target) {
                    let index = Arc::clone(index);
                    self.task.replace(target, move |_| find_path(&index, target));
                }
            }
        }
    }

    /// The most recent path; the previous one while another is being searched.
    #[must_use]
    pub fn path(&self) -> Option<&Arc<CriticalPath>> {
        self.shown.as_ref().map(|(_, path)| path)
    }
}

impl Job for CriticalPaths {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        vec![&self.task]
    }

    fn poll(&mut self, _index: &Arc<Index>) {
        while let Some((target, path)) = self.task.poll() {
            self.shown = Some((target, Arc::new(path)));
        }
    }
}

/// The target of a path to a time: among the intervals open at that time on some threads, the innermost one that began
/// last.
#[must_use]
pub fn path_to_time(index: &Index, threads: impl Iterator<Item = ThreadId>, time: Ns) -> Option<PathTarget> {
    let marker = innermost_open(index, threads, time)?;
    Some(PathTarget { time: Some(time), ..PathTarget::end_of(marker) })
}

/// Finds a path.
#[must_use]
pub fn find_path(index: &Index, target: PathTarget) -> CriticalPath {
    let options = PathOptions { assume_followed: target.assume_followed };
    match target.time {
        Some(time) => CriticalPath::to(index, target.marker, time, options),
        None => CriticalPath::to_marker(index, target.marker, options),
    }
}
