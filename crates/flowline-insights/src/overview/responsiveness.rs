//! The first lane of the overview: when the main thread of the page could not react.

use super::late_frames::LateFrames;
use crate::harm::{HarmfulSlice, LongTasks};
use crate::jank::Jank;
use flowline_format::format_count;
use flowline_index::{Derived, Index};
use flowline_profile::{Ns, ThreadId, TimeRange};

/// Times in which a thread could not react.
#[derive(Clone, Debug)]
pub enum Responsiveness {
    /// Long tasks, by start.
    LongTasks(Vec<HarmfulSlice>),
    /// Times in which events waited, by start and without overlap.
    Jank(Vec<TimeRange>),
    /// Frames of an app that were late.
    LateFrames(LateFrames),
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
            Self::Jank(_) | Self::LateFrames(_) => "Jank",
        }
    }

    /// Name of one of the times.
    #[must_use]
    pub const fn one(&self) -> &'static str {
        match self {
            Self::LongTasks(_) => "long task",
            Self::Jank(_) => "jank period",
            Self::LateFrames(_) => "late frame",
        }
    }

    /// The number as text, such as `3` or, for frames, `2 of 57 late`.
    #[must_use]
    pub fn value(&self) -> String {
        match self {
            Self::LateFrames(own) => format!("{} of {} late", grouped(own.count), grouped(own.frames)),
            other => grouped(other.count()),
        }
    }

    /// Number of times.
    #[must_use]
    pub fn count(&self) -> usize {
        match self {
            Self::LongTasks(tasks) => tasks.len(),
            Self::Jank(periods) => periods.len(),
            Self::LateFrames(frames) => frames.count,
        }
    }

    /// The times by start.
    pub fn times(&self) -> Box<dyn Iterator<Item = TimeRange> + '_> {
        match self {
            Self::LongTasks(tasks) => Box::new(tasks.iter().map(|task| task.times)),
            Self::Jank(periods) => Box::new(periods.iter().copied()),
            Self::LateFrames(frames) => Box::new(frames.late.iter().copied()),
        }
    }

    /// The sum of the times.
    #[must_use]
    pub fn total(&self) -> Ns {
        Ns(self.times().fold(0_i64, |sum, times| sum.saturating_add(times.len())))
    }
}

fn grouped(count: usize) -> String {
    format_count(count as u64)
}
