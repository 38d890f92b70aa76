//! Values of counters.

/// A number in the arguments of a counter event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum CounterNumber {
    Whole(i64),
    Double(f64),
}

impl CounterNumber {
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

#[cfg(test)]
mod tests {
    use super::CounterNumber::{Double, Whole};

    #[test]
    fn multipliers_keep_the_kind() {
        assert_eq!([Whole(2).times(1000), Double(0.5).times(10)], [Whole(2000), Double(5.0)]);
    }
}
