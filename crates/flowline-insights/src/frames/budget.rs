//! The time between two refreshes of the display, in which a frame must be complete.

use flowline_profile::Ns;

/// Time between two refreshes of a display whose rate is not recorded: 60 Hz.
pub const ASSUMED_BUDGET: Ns = Ns(16_666_667);

/// At least this many intervals must be known.
const LEAST: usize = 3;

/// The budget of each frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    pub(super) time: Ns,
    /// True if the recording does not state it.
    pub(super) is_assumed: bool,
}

impl Budget {
    pub(super) const ASSUMED: Self = Self { time: ASSUMED_BUDGET, is_assumed: true };

    /// The median of intervals between refreshes, if there are enough.
    pub(super) fn of_intervals(mut intervals: Vec<i64>) -> Self {
        intervals.retain(|interval| *interval > 0);
        if intervals.len() < LEAST {
            return Self::ASSUMED;
        }
        intervals.sort_unstable();
        let middle = intervals.len() / 2;
        let upper = intervals[middle];
        let time = if intervals.len() % 2 == 1 { upper } else { i64::midpoint(intervals[middle - 1], upper) };
        Self { time: Ns(time.max(1)), is_assumed: false }
    }

    /// True if a frame of this length comes more than half a refresh late.
    pub(super) const fn is_exceeded(self, length: i64) -> bool {
        length.saturating_mul(2) > self.time.0.saturating_mul(3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_the_median_of_at_least_three_intervals() {
        assert_eq!(Budget::of_intervals(vec![10, 30, 20]), Budget { time: Ns(20), is_assumed: false });
        assert_eq!(Budget::of_intervals(vec![10, 30, 20, 40]).time, Ns(25));
        assert_eq!(Budget::of_intervals(vec![10, 30]), Budget::ASSUMED);
        assert_eq!(Budget::of_intervals(vec![0, -5, 10, 20]), Budget::ASSUMED);
    }

    #[test]
    fn a_frame_is_late_beyond_one_and_a_half_budgets() {
        let budget = Budget { time: Ns(10), is_assumed: false };
        assert!(!budget.is_exceeded(15));
        assert!(budget.is_exceeded(16));
        assert!(budget.is_exceeded(i64::MAX));
    }
}
