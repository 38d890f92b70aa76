//! Jank: periods in which a thread did not react to events, according to the event delays in its samples.
//!
//! The delay of a sample is the time for which an event would already have waited. It grows while the thread is busy and
//! falls when it reacts again. Only the periods are kept, because delays of all samples would take much memory.

use crate::Column;
use crate::persist::persist;
use flowline_format::{Ns, TimeRange};

/// Delays below this are no jank.
pub const JANK: Ns = Ns(50_000_000);

/// The jank periods of a thread, in the order of their ends. They may overlap.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JankPeriods {
    start: Column<Ns>,
    end: Column<Ns>,
    /// True if the samples have event delays.
    is_known: bool,
}
persist!(JankPeriods { start, end, is_known });

impl JankPeriods {
    /// True if the samples have event delays, so that a thread without periods had no jank.
    #[must_use]
    pub const fn is_known(&self) -> bool {
        self.is_known
    }

    /// Number of periods.
    #[must_use]
    pub fn len(&self) -> usize {
        self.start.len()
    }

    /// True if there is no period.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.start.is_empty()
    }

    /// The periods in the order of their ends.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = TimeRange> + '_ {
        self.start.iter().zip(self.end.iter()).map(|(start, end)| TimeRange::new(*start, *end))
    }

    /// The same periods on a clock that is `by` ahead.
    #[must_use]
    pub fn shifted(self, by: Ns) -> Self {
        if by == Ns(0) {
            return self;
        }
        let moved = |column: &Column<Ns>| column.iter().map(|time| *time + by).collect::<Vec<_>>().into();
        Self { start: moved(&self.start), end: moved(&self.end), is_known: self.is_known }
    }

    /// True if the columns are consistent.
    #[must_use]
    pub fn is_consistent(&self) -> bool {
        self.start.len() == self.end.len()
    }

    /// Size of the heap memory in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.start.heap_bytes() + self.end.heap_bytes()
    }
}

/// Finds jank periods while samples are read.
#[derive(Clone, Debug, Default)]
pub struct JankReader {
    found: JankPeriods,
    /// Time and delay of the last sample with a delay.
    last: Option<(Ns, Ns)>,
}

impl JankReader {
    /// Takes the delay of the next sample. A delay that is not positive is none.
    pub fn add(&mut self, time: Ns, delay: Ns) {
        self.found.is_known = true;
        if self.last.is_some_and(|(_, before)| delay < before) {
            self.end_period();
        }
        self.last = Some((time, delay));
    }

    fn end_period(&mut self) {
        let is_period = |(time, delay): &(Ns, Ns)| *delay >= JANK && (*time - *delay).is_supported();
        if let Some((time, delay)) = self.last.filter(is_period) {
            self.found.start.push(time - delay);
            self.found.end.push(time);
        }
    }

    /// The periods. A delay at the end of the samples is one, too.
    #[must_use]
    pub fn finish(mut self) -> JankPeriods {
        self.end_period();
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn periods(delays: &[(i64, i64)]) -> Vec<(i64, i64)> {
        let mut reader = JankReader::default();
        delays.iter().for_each(|(time, delay)| reader.add(Ns(time * 1_000_000), Ns(delay * 1_000_000)));
        reader.finish().iter().map(|period| (period.start.0 / 1_000_000, period.end.0 / 1_000_000)).collect()
    }

    #[test]
    fn a_period_ends_when_the_delay_falls_from_at_least_50_ms() {
        assert_eq!(periods(&[(0, 0), (60, 60), (62, 1), (100, 39), (130, 49), (140, 0)]), [(0, 60)]);
        assert_eq!(periods(&[(10, 0), (60, 50), (61, 0)]), [(10, 60)]);
    }

    #[test]
    fn a_sawtooth_has_periods_that_overlap() {
        assert_eq!(periods(&[(100, 100), (102, 60), (150, 108), (152, 0)]), [(0, 100), (42, 150)]);
    }

    #[test]
    fn the_last_sample_ends_a_period() {
        assert_eq!(periods(&[(100, 70)]), [(30, 100)]);
        assert!(!JankReader::default().finish().is_known());
    }
}
