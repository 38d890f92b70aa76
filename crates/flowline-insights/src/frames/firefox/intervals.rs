//! Questions about many intervals, each answered in logarithmic time.

use super::events::Event;
use flowline_profile::Ns;

/// Intervals by start, with the greatest end up to each of them.
#[derive(Debug)]
pub(super) struct Intervals {
    starts: Vec<Ns>,
    ends: Vec<Ns>,
}

impl Intervals {
    /// From events by start.
    pub(super) fn new(events: &[Event]) -> Self {
        let mut last = Ns(i64::MIN);
        let ends = events.iter().map(|event| {
            last = last.max(event.times.end);
            last
        });
        let ends = ends.collect();
        Self { starts: events.iter().map(|event| event.times.start).collect(), ends }
    }

    /// True if an interval begins before a time and ends after another.
    pub(super) fn covers(&self, from: Ns, to: Ns) -> bool {
        let before = self.starts.partition_point(|start| *start < from);
        before.checked_sub(1).is_some_and(|last| self.ends[last] > to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_profile::{MarkerId, ThreadId, TimeRange};

    #[test]
    fn a_long_interval_covers_more_than_later_short_ones() {
        let event = |start, end| Event {
            times: TimeRange::new(Ns(start), Ns(end)),
            thread: ThreadId::new(0),
            marker: MarkerId(0),
        };
        let intervals = Intervals::new(&[event(0, 100), event(10, 20), event(200, 210)]);
        assert!(intervals.covers(Ns(30), Ns(99)));
        assert!(!intervals.covers(Ns(30), Ns(100)));
        assert!(!intervals.covers(Ns(0), Ns(5)));
        assert!(intervals.covers(Ns(201), Ns(205)));
    }
}
