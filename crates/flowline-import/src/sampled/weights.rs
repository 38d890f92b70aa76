//! Weights of samples as times.

use flowline_profile::samples::WeightUnit;
use flowline_profile::{Ns, Unit, parse_decimal};

/// Accumulates weights as times.
#[derive(Debug)]
pub(crate) struct WeightClock {
    unit: Unit,
    pub(crate) now: Ns,
}

impl WeightClock {
    /// A clock for weights in this unit that starts at `now`.
    pub(crate) const fn new(unit: WeightUnit, now: Ns) -> Self {
        Self { unit: time_unit(unit), now: Ns(now.0) }
    }

    /// The duration of a weight; zero if the weight is negative or not a number.
    pub(crate) fn length(&self, weight: &[u8]) -> Ns {
        if weight.first() == Some(&b'-') {
            return Ns(0);
        }
        // A number too large for a time is clamped to the limit.
        let is_number = weight.first().is_some_and(u8::is_ascii_digit);
        parse_decimal(weight, self.unit).unwrap_or(Ns(if is_number { Ns::LIMIT } else { 0 }))
    }

    /// Advances the clock by the duration of a weight and returns the start of the weight.
    pub(crate) fn advance(&mut self, length: Ns) -> Ns {
        let start = self.now;
        self.now = Ns((start + length).0.min(Ns::LIMIT));
        start
    }
}

/// The time unit for weights in `unit`, and for other values in the same unit.
pub(crate) const fn time_unit(unit: WeightUnit) -> Unit {
    match unit {
        WeightUnit::Nanoseconds => Unit::Nanos,
        WeightUnit::Milliseconds => Unit::Millis,
        WeightUnit::Seconds => Unit::Seconds,
        WeightUnit::Microseconds | WeightUnit::Samples | WeightUnit::Bytes | WeightUnit::Plain => Unit::Micros,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_times() {
        let mut clock = WeightClock::new(WeightUnit::Plain, Ns(0));
        let mut starts = Vec::new();
        for weight in [b"2".as_slice(), b"0.5", b"-3", b"x", b"99999999999999999999", b"1"] {
            let length = clock.length(weight);
            starts.push(clock.advance(length).0);
        }
        assert_eq!(starts, [0, 2_000, 2_500, 2_500, 2_500, Ns::LIMIT]);
        assert_eq!(WeightClock::new(WeightUnit::Milliseconds, Ns(0)).length(b"1.5"), Ns(1_500_000));
    }
}
