//! The clock of the index: 48-bit ticks since the earliest time of the recording.
//!
//! A tick is one nanosecond in recordings of up to 2^48 ns (78 hours). Beyond that, each doubling of the duration
//! doubles the tick.

use flowline_profile::persist::persist;
use flowline_profile::{Ns, TimeRange};

/// Number of bits of a packed time.
pub const TICK_BITS: u32 = 48;
/// The last tick.
pub const MAX_TICK: u64 = (1 << TICK_BITS) - 1;

/// Converts between nanoseconds and ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    base: Ns,
    shift: u32,
}
persist!(Clock { base, shift });

impl Clock {
    /// Creates a clock whose ticks cover `range`.
    #[must_use]
    #[inline]
    pub fn covering(range: TimeRange) -> Self {
        let length = range.len().max(0).unsigned_abs();
        let bits = u64::BITS - length.leading_zeros();
        Self { base: range.start, shift: bits.saturating_sub(TICK_BITS) }
    }

    /// The time of tick zero.
    #[must_use]
    #[inline]
    pub const fn base(self) -> Ns {
        self.base
    }

    /// The tick of a time; times outside the range saturate.
    #[must_use]
    #[inline]
    pub fn tick(self, time: Ns) -> u64 {
        let since = (time - self.base).0;
        u64::try_from(since).map_or(0, |since| (since >> self.shift).min(MAX_TICK))
    }

    /// The first nanosecond of a tick.
    #[must_use]
    #[inline]
    pub fn time(self, tick: u64) -> Ns {
        let since = i64::try_from(tick.min(MAX_TICK)).unwrap_or(0) << self.shift;
        self.base + Ns(since)
    }

    /// The duration of a number of ticks.
    #[must_use]
    pub fn duration(self, ticks: u64) -> Ns {
        Ns(i64::try_from(ticks).unwrap_or(i64::MAX).saturating_mul(1 << self.shift))
    }

    /// Nanoseconds per tick.
    #[must_use]
    #[inline]
    pub const fn tick_ns(self) -> u64 {
        1 << self.shift
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nanosecond_is_a_tick_up_to_78_hours() {
        let clock = Clock::covering(TimeRange::new(Ns(-5), Ns(MAX_TICK as i64 - 5)));
        assert_eq!(clock.tick_ns(), 1);
        assert_eq!(clock.tick(Ns(-5)), 0);
        assert_eq!(clock.tick(Ns(-6)), 0);
        assert_eq!(clock.tick(Ns(i64::MAX / 2)), MAX_TICK);
        assert_eq!(clock.time(clock.tick(Ns(123_456_789))), Ns(123_456_789));
    }

    #[test]
    fn longer_recordings_get_coarser_ticks() {
        let clock = Clock::covering(TimeRange::new(Ns(0), Ns((MAX_TICK as i64 + 1) * 4)));
        assert_eq!(clock.tick_ns(), 8);
        assert_eq!(clock.tick(Ns(17)), 2);
    }
}
