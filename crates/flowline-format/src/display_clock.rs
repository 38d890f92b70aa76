//! The clock that people see: times relative to a time origin, or amounts of what an axis without times counts.

use crate::{
    Ns, TimeRange, format_bytes, format_counted, format_duration_full, format_duration_ns, format_number, format_time,
};

/// The quantity along the axis of a recording. On axes of amounts, a microsecond is one unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AxisUnit {
    /// Times.
    #[default]
    Time,
    /// Numbers of samples.
    Samples,
    /// Numbers of bytes.
    Bytes,
    /// Numbers without a unit.
    Plain,
}

/// Nanoseconds of the axis per unit of an amount.
const NS_PER_UNIT: i64 = 1_000;

impl AxisUnit {
    /// True if the axis shows times.
    #[must_use]
    #[inline]
    pub const fn is_time(self) -> bool {
        matches!(self, Self::Time)
    }

    /// Name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Time => "ns",
            Self::Samples => "samples",
            Self::Bytes => "bytes",
            Self::Plain => "none",
        }
    }

    /// The shortest distance of labels on the axis, in nanoseconds: there is nothing within a unit.
    #[must_use]
    pub const fn least_step(self) -> i64 {
        if self.is_time() { 1 } else { NS_PER_UNIT }
    }

    /// Converts a length on the axis to an amount; on an axis of times, to nanoseconds.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "amounts are floating-point numbers")]
    pub fn amount_of(self, ns: i64) -> f64 {
        // Dividing the whole number first keeps large amounts exact.
        let (whole, rest) = (ns / self.least_step(), ns % self.least_step());
        whole as f64 + rest as f64 / self.least_step() as f64
    }

    /// Text for an amount: `35 samples`, `48.2 KB`, `1,234`; a duration on an axis of times.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole numbers")]
    pub fn amount(self, amount: f64) -> String {
        match self {
            Self::Time => format_duration_ns(amount.round() as i64),
            Self::Samples if amount >= 0.0 && amount.fract() == 0.0 => format_counted(amount as u64, "sample"),
            Self::Samples => format!("{} samples", format_number(amount)),
            Self::Bytes => format_bytes(amount),
            Self::Plain => format_number(amount),
        }
    }
}

/// Converts times on the recording's own clock to displayed times. The default shows the recording's own clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DisplayClock {
    /// The time on the recording's own clock that is displayed as zero.
    pub origin: Ns,
    /// The quantity along the axis.
    pub unit: AxisUnit,
}

impl DisplayClock {
    /// The clock that shows zero at a time.
    #[must_use]
    #[inline]
    pub const fn starting_at(origin: Ns) -> Self {
        Self { origin, unit: AxisUnit::Time }
    }

    /// The same clock with zero at another time.
    #[must_use]
    pub const fn with_origin(self, origin: Ns) -> Self {
        Self { origin, ..self }
    }

    /// The same clock for an axis of another quantity.
    #[must_use]
    pub const fn with_unit(self, unit: AxisUnit) -> Self {
        Self { unit, ..self }
    }

    /// Text for a length of the axis: a duration, or an amount.
    #[must_use]
    pub fn length(self, ns: i64) -> String {
        match self.unit {
            AxisUnit::Time => format_duration_ns(ns),
            unit => unit.amount(unit.amount_of(ns)),
        }
    }

    /// [`DisplayClock::length`] with all digits of long durations.
    #[must_use]
    pub fn full_length(self, ns: i64) -> String {
        if self.unit.is_time() { format_duration_full(ns) } else { self.length(ns) }
    }

    /// Text for a position on the axis: a time in milliseconds, or the amount before it.
    #[must_use]
    pub fn position(self, time: Ns) -> String {
        self.amount_before(time).unwrap_or_else(|| format_time(self.show(time)))
    }

    /// Text for a range: `from 0.000 ms to 35.000 ms on the displayed clock`, `from 0 to 35 samples`.
    #[must_use]
    pub fn span(self, range: TimeRange) -> String {
        let from = self.position(range.start);
        match self.unit {
            AxisUnit::Time => format!("from {from} to {} on the displayed clock", self.position(range.end)),
            _ => format!("from {from} to {}", self.length(self.show(range.end).0)),
        }
    }

    /// Text for the amount before a position, in whole units and without a noun; `None` for an axis of times.
    #[must_use]
    pub fn amount_before(self, time: Ns) -> Option<String> {
        let units = self.unit.amount_of(self.show(time).0).trunc();
        match self.unit {
            AxisUnit::Time => None,
            AxisUnit::Bytes => Some(format_bytes(units)),
            AxisUnit::Samples | AxisUnit::Plain => Some(format_number(units)),
        }
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
    fn axes_without_times_count_their_own_unit() {
        let rows = [
            (AxisUnit::Samples, 35_000, "35 samples", Some("35")),
            (AxisUnit::Samples, 1_000, "1 sample", Some("1")),
            (AxisUnit::Samples, 6_500, "6.5 samples", Some("6")),
            (AxisUnit::Samples, -2_000, "−2 samples", Some("−2")),
            (AxisUnit::Bytes, 4_096_000, "4.1 KB", Some("4.1 KB")),
            (AxisUnit::Plain, 1_234_500, "1,234.5", Some("1,234")),
            (AxisUnit::Time, 35_000, "35.0 µs", None),
        ];
        for (unit, ns, length, position) in rows {
            let clock = DisplayClock::starting_at(Ns(7)).with_unit(unit);
            assert_eq!(clock.length(ns), length, "{unit:?}");
            assert_eq!(clock.amount_before(Ns(ns + 7)).as_deref(), position, "{unit:?}");
            assert_eq!(clock.position(Ns(ns + 7)), position.unwrap_or("0.035 ms"), "{unit:?}");
        }
        assert_eq!(AxisUnit::Plain.amount_of(i64::MAX / 1_000 * 1_000), (i64::MAX / 1_000) as f64);
    }
}
