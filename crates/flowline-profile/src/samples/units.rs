//! Units of weights and CPU times.

use crate::persist::persist;

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
