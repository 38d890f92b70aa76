//! The clock that people see: times relative to a time origin.

use crate::{Ns, TimeRange, format_counted, format_duration_ns};

/// Converts times on the recording's own clock to displayed times. The default shows the recording's own clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DisplayClock {
    /// The time on the recording's own clock that is displayed as zero.
    pub origin: Ns,
    /// True if the axis counts weights instead of times: a microsecond is a unit.
    pub counts_weights: bool,
}

/// Nanoseconds of the axis per unit of weight.
const NS_PER_WEIGHT: i64 = 1_000;

impl DisplayClock {
    /// The clock that shows zero at a time.
    #[must_use]
    #[inline]
    pub const fn starting_at(origin: Ns) -> Self {
        Self { origin, counts_weights: false }
    }

    /// The same clock with zero at another time.
    #[must_use]
    pub const fn with_origin(self, origin: Ns) -> Self {
        Self { origin, ..self }
    }

    /// The same clock for an axis that counts weights, or for one of times.
    #[must_use]
    pub const fn counting_weights(self, counts_weights: bool) -> Self {
        Self { counts_weights, ..self }
    }

    /// Text for a length of the axis: a duration, or a number of samples.
    #[must_use]
    pub fn length(self, ns: i64) -> String {
        match self.counts_weights {
            true => format_counted(ns.unsigned_abs() / NS_PER_WEIGHT.unsigned_abs(), "sample"),
            false => format_duration_ns(ns),
        }
    }

    /// Number of samples before a time, for an axis that counts weights; `None` for an axis of times.
    #[must_use]
    pub fn samples_before(self, time: Ns) -> Option<i64> {
        self.counts_weights.then(|| self.show(time).0 / NS_PER_WEIGHT)
    }

    /// The displayed time of a time on the recording's own clock.
    #[must_use]
    #[inline]
    pub fn show(self, time: Ns) -> Ns {
        time - self.origin
    }

    /// A range in displayed times.
    #[must_use]
    #[inline]
    pub fn show_range(self, range: TimeRange) -> TimeRange {
        TimeRange { start: self.show(range.start), end: self.show(range.end) }
    }

    /// The time on the recording's own clock of a displayed time.
    #[must_use]
    #[inline]
    pub fn recorded(self, displayed: Ns) -> Ns {
        displayed + self.origin
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displayed_times_convert_back() {
        let clock = DisplayClock::starting_at(Ns(1_000));
        let range = TimeRange::new(Ns(900), Ns(1_500));
        assert_eq!(clock.show_range(range), TimeRange::new(Ns(-100), Ns(500)));
        assert_eq!(clock.recorded(clock.show(range.end)), range.end);
        assert_eq!(DisplayClock::default().show(range.start), range.start);
    }

    #[test]
    fn an_axis_of_weights_counts_samples() {
        let clock = DisplayClock::default().counting_weights(true);
        assert_eq!((clock.length(35_000), clock.length(1_000)), ("35 samples".to_owned(), "1 sample".to_owned()));
        assert_eq!(clock.samples_before(Ns(7_000)), Some(7));
        assert_eq!(
            (DisplayClock::default().length(35_000), DisplayClock::default().samples_before(Ns(7_000))),
            (format_duration_ns(35_000), None)
        );
    }
}
