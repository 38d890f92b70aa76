//! A part of a clock that runs in step with the trace clock. Most packets have times in the same one as the packet before.

use std::ops::Range;

use super::clocks::Clocks;

/// Times of a clock that differ from the trace clock by the same amount, in nanoseconds.
#[derive(Clone, Debug)]
pub(super) struct ClockSegment {
    /// Sequence and id of the clock.
    clock: (u32, u32),
    times: Range<i64>,
    /// Difference of the trace clock to the clock.
    shift: i64,
}

impl Default for ClockSegment {
    /// A segment without times.
    fn default() -> Self {
        Self { clock: (0, 0), times: 0..0, shift: 0 }
    }
}

impl ClockSegment {
    /// Converts a time of a clock to the trace clock; `None` if no snapshot relates them.
    #[inline]
    pub(super) fn convert(&mut self, clocks: &Clocks, clock: (u32, u32), time: i64) -> Option<i64> {
        if self.clock == clock && self.times.contains(&time) {
            return Some(time.wrapping_add(self.shift));
        }
        let (converted, times) = clocks.segment(clock, time)?;
        let shift = converted.wrapping_sub(time);
        // Times near the limits of the type do not run in step.
        let limits = (i64::MIN / 4)..(i64::MAX / 4);
        if limits.contains(&time) && limits.contains(&converted) {
            let times = times.start.max(limits.start)..times.end.min(limits.end);
            *self = Self { clock, times, shift };
        }
        Some(converted)
    }
}
