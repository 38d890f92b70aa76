//! The first lane of the overview: when the main thread of the page could not react.

use crate::harm::{HarmfulSlice, LongTasks};
use crate::jank::Jank;
use flowline_index::{Derived, Index};
use flowline_profile::{Ns, ThreadId, TimeRange};

/// Times in which a thread could not react.
#[derive(Clone, Debug)]
pub enum Responsiveness {
    /// Long tasks, by start.
    LongTasks(Vec<HarmfulSlice>),
    /// Times in which events waited, by start and without overlap.
    Jank(Vec<TimeRange>),
}

impl Responsiveness {
    /// Jank, if the samples of a thread have event delays, else the long tasks of threads.
    pub(super) fn of(index: &Index, page: Option<ThreadId>, threads: &[ThreadId]) -> Self {
        let profile = index.profile();
        match page.and_then(|page| Jank::of(profile, page)) {
            Some(jank) => Self::Jank(jank.union().to_vec()),
            None => Self::LongTasks(LongTasks::of(index).of_threads(profile, threads)),
        }
    }

    /// Name of the lane.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::LongTasks(_) => "Long tasks",
            Self::Jank(_) => "Jank",
        }
    }

    /// Name of one of the times.
    #[must_use]
    pub const fn one(&self) -> &'static str {
        match self {
            Self::LongTasks(_) => "long task",
            Self::Jank(_) => "jank period",
        }
    }

    /// Number of times.
    #[must_use]
    pub fn count(&self) -> usize {
        match self {
            Self::LongTasks(tasks) => tasks.len(),
            Self::Jank(periods) => periods.len(),
        }
    }

    /// The times by start.
    pub fn times(&self) -> Box<dyn Iterator<Item = TimeRange> + '_> {
        match self {
            Self::LongTasks(tasks) => Box::new(tasks.iter().map(|task| task.times)),
            Self::Jank(periods) => Box::new(periods.iter().copied()),
        }
    }

    /// The sum of the times.
    #[must_use]
    pub fn total(&self) -> Ns {
        Ns(self.times().fold(0_i64, |sum, times| sum.saturating_add(times.len())))
    }
}
