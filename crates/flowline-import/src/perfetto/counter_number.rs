//! Values of counters, and the sums of counters that state differences. A counter has one sum, whether it states whole
//! numbers or floating-point numbers.

use foldhash::HashMap;

/// A number in the arguments of a counter event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum CounterNumber {
    Whole(i64),
    Double(f64),
}

impl CounterNumber {
    /// Adds a number. Whole numbers remain exact until a floating-point number is added.
    fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Whole(a), Self::Whole(b)) => Self::Whole(a.saturating_add(b)),
            (a, b) => Self::Double(a.as_float() + b.as_float()),
        }
    }

    /// Multiplies the number by a unit multiplier.
    pub(super) fn times(self, multiplier: i64) -> Self {
        match self {
            Self::Whole(value) => Self::Whole(value.saturating_mul(multiplier)),
            Self::Double(value) => Self::Double(value * Self::Whole(multiplier).as_float()),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "counters are floating-point numbers")]
    pub(super) const fn as_float(self) -> f64 {
        match self {
            Self::Whole(value) => value as f64,
            Self::Double(value) => value,
        }
    }
}

/// The last values of the incremental counters of a sequence, by track.
#[derive(Clone, Debug, Default)]
pub(super) struct CounterSums(HashMap<u64, CounterNumber>);

impl CounterSums {
    /// Returns the absolute value of a counter that states a difference.
    pub(super) fn add(&mut self, track: u64, stated: CounterNumber) -> CounterNumber {
        let known = self.0.entry(track).or_insert(CounterNumber::Whole(0));
        *known = known.plus(stated);
        *known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_has_one_sum() {
        use CounterNumber::{Double, Whole};
        let mut sums = CounterSums::default();
        let large = i64::MAX - 5;
        assert_eq!([sums.add(7, Whole(large)), sums.add(7, Whole(3))], [Whole(large), Whole(large + 3)]);
        let stated = [Whole(3), Double(1.5), Whole(1)];
        assert_eq!(stated.map(|stated| sums.add(8, stated)), [Whole(3), Double(4.5), Double(5.5)]);
        assert_eq!([Whole(2).times(1000), Double(0.5).times(10)], [Whole(2000), Double(5.0)]);
    }
}
