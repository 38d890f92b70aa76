//! Units of weights and CPU times.

use crate::persist::persist;
use flowline_format::{AxisUnit, format_bytes, format_count, format_duration_ns, format_number};

/// Unit of sample weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WeightUnit {
    /// Number of samples.
    #[default]
    Samples,
    /// Nanoseconds.
    Nanoseconds,
    /// Microseconds.
    Microseconds,
    /// Milliseconds.
    Milliseconds,
    /// Seconds.
    Seconds,
    /// Bytes.
    Bytes,
    /// Numbers without a unit.
    Plain,
}
persist!(enum WeightUnit {
    0 => Samples, 1 => Nanoseconds, 2 => Microseconds, 3 => Milliseconds, 4 => Seconds, 5 => Bytes, 6 => Plain
});

impl WeightUnit {
    /// The quantity along an axis on which samples are as long as their weights.
    #[must_use]
    pub const fn axis(self) -> AxisUnit {
        match self {
            Self::Nanoseconds | Self::Microseconds | Self::Milliseconds | Self::Seconds => AxisUnit::Time,
            Self::Samples => AxisUnit::Samples,
            Self::Bytes => AxisUnit::Bytes,
            Self::Plain => AxisUnit::Plain,
        }
    }

    /// A weight as text; numbers have no unit.
    #[must_use]
    pub fn text(self, weight: f64) -> String {
        #[expect(clippy::cast_possible_truncation, reason = "nanoseconds within 292 years")]
        let time = |ns_per_unit: f64| format_duration_ns((weight * ns_per_unit).round() as i64);
        match self {
            Self::Bytes => format_bytes(weight),
            Self::Nanoseconds => time(1.0),
            Self::Microseconds => time(1e3),
            Self::Milliseconds => time(1e6),
            Self::Seconds => time(1e9),
            Self::Samples | Self::Plain if weight.fract() == 0.0 => {
                let sign = if weight < 0.0 { "−" } else { "" };
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number")]
                let count = weight.abs() as u64;
                format!("{sign}{}", format_count(count))
            }
            Self::Samples | Self::Plain => format_number(weight),
        }
    }

    /// A weight as text with its unit, on an axis of a quantity: `35 samples`. Numbers have the unit of the axis.
    #[must_use]
    pub fn text_with_unit(self, weight: f64, axis: AxisUnit) -> String {
        match self {
            Self::Samples => AxisUnit::Samples.amount(weight),
            Self::Plain if !axis.is_time() => axis.amount(weight),
            unit => unit.text(weight),
        }
    }

    /// Name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Samples => "samples",
            Self::Nanoseconds => "ns",
            Self::Microseconds => "us",
            Self::Milliseconds => "ms",
            Self::Seconds => "s",
            Self::Bytes => "bytes",
            Self::Plain => "none",
        }
    }
}

/// The unit of CPU deltas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CpuUnit {
    /// Nanoseconds of CPU time.
    Nanoseconds,
    /// Microseconds of CPU time.
    Microseconds,
    /// CPU cycles of variable duration.
    Cycles,
}
persist!(enum CpuUnit { 0 => Nanoseconds, 1 => Microseconds, 2 => Cycles });
