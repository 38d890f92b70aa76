//! Questions about many intervals, each answered in logarithmic time.

use flowline_profile::{Ns, TimeRange};

/// Intervals by start, with the greatest end up to each of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Intervals {
    all: Vec<TimeRange>,
    ends: Vec<Ns>,
}

impl Intervals {
    pub(crate) fn new(intervals: impl IntoIterator<Item = TimeRange>) -> Self {
        let mut all: Vec<TimeRange> = intervals.into_iter().collect();
        all.sort_by_key(|interval| (interval.start, interval.end));
        let ends = all.iter().scan(Ns(i64::MIN), |last, interval| {
            *last = (*last).max(interval.end);
            Some(*last)
        });
        let ends = ends.collect();
        Self { all, ends }
    }

    /// True if an interval begins before a time and ends after another.
    pub(crate) fn covers(&self, from: Ns, to: Ns) -> bool {
        let before = self.all.partition_point(|interval| interval.start < from);
        before.checked_sub(1).is_some_and(|last| self.ends[last] > to)
    }

    /// True if an interval contains another one.
    pub(crate) fn contains(&self, inner: TimeRange) -> bool {
        let before = self.all.partition_point(|interval| interval.start <= inner.start);
        before.checked_sub(1).is_some_and(|last| self.ends[last] >= inner.end)
    }

    /// The time within a range that one of the intervals covers.
    pub(crate) fn union_within(&self, range: TimeRange) -> Ns {
        let first = self.ends.partition_point(|end| *end <= range.start);
        let (mut sum, mut done) = (0_i64, range.start);
        for interval in self.all[first..].iter().take_while(|interval| interval.start < range.end) {
            let (start, end) = (interval.start.max(done), interval.end.min(range.end));
            if end > start {
                sum = sum.saturating_add((end - start).0);
                done = end;
            }
        }
        Ns(sum)
    }

    /// The intervals joined where they overlap or touch.
    pub(crate) fn union(&self) -> Vec<TimeRange> {
        let mut joined: Vec<TimeRange> = Vec::new();
        for interval in &self.all {
            match joined.last_mut().filter(|last| last.end >= interval.start) {
                Some(last) => last.end = last.end.max(interval.end),
                None => joined.push(*interval),
            }
        }
        joined
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: i64, end: i64) -> TimeRange {
        TimeRange::new(Ns(start), Ns(end))
    }

    #[test]
    fn a_long_interval_covers_more_than_later_short_ones() {
        let intervals = Intervals::new([range(0, 100), range(10, 20), range(200, 210)]);
        assert!(intervals.covers(Ns(30), Ns(99)));
        assert!(!intervals.covers(Ns(30), Ns(100)));
        assert!(!intervals.covers(Ns(0), Ns(5)));
        assert!(intervals.covers(Ns(201), Ns(205)));
        assert!(intervals.contains(range(30, 100)) && intervals.contains(range(0, 100)));
        assert!(!intervals.contains(range(30, 101)));
    }

    #[test]
    fn time_in_several_intervals_counts_once() {
        let intervals = Intervals::new([range(10, 20), range(0, 5), range(15, 30), range(40, 50)]);
        assert_eq!(intervals.union(), [range(0, 5), range(10, 30), range(40, 50)]);
        assert_eq!(intervals.union_within(range(3, 45)), Ns(2 + 20 + 5));
        assert_eq!(intervals.union_within(range(31, 39)), Ns(0));
    }
}
