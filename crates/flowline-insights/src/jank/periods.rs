//! The jank periods of a thread, and the time that they cover.

use crate::intervals::Intervals;
use flowline_profile::{Ns, Profile, ThreadId, TimeRange};

/// The jank of a thread whose samples have event delays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Jank {
    periods: Vec<TimeRange>,
    union: Vec<TimeRange>,
}

impl Jank {
    /// The jank of a thread; `None` if its samples have no event delays.
    #[must_use]
    pub fn of(profile: &Profile, thread: ThreadId) -> Option<Self> {
        let periods: Vec<TimeRange> = {
            let jank = &profile.samples(thread)?.jank;
            jank.is_known().then(|| jank.iter().collect())?
        };
        let union = Intervals::new(periods.iter().copied()).union();
        Some(Self { periods, union })
    }

    /// The periods in the order of their ends. They may overlap, because the delay of events is a sawtooth.
    #[must_use]
    pub fn periods(&self) -> &[TimeRange] {
        &self.periods
    }

    /// The time that the periods cover, without overlap, by start.
    #[must_use]
    pub fn union(&self) -> &[TimeRange] {
        &self.union
    }

    /// The sum of the periods, which counts what they share more than once.
    #[must_use]
    pub fn total(&self) -> Ns {
        sum(&self.periods)
    }

    /// The time that the periods cover.
    #[must_use]
    pub fn covered(&self) -> Ns {
        sum(&self.union)
    }
}

fn sum(ranges: &[TimeRange]) -> Ns {
    Ns(ranges.iter().fold(0_i64, |sum, range| sum.saturating_add(range.len())))
}
