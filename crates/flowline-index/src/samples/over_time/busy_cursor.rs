//! Busy time of ranges side by side, such as the columns of an activity graph, read in one pass.

use super::cpu_track::CpuTrack;
use super::steps::{BLOCK, Shares};

/// Up to this many steps are added one by one. For more, the nearest stored sum is closer.
const FEW: usize = BLOCK / 4;

/// A tick within the steps of a track, and the busy time before it.
#[derive(Clone, Debug)]
pub struct BusyCursor<'t> {
    track: &'t CpuTrack,
    tick: u64,
    /// Number of steps that begin before the tick.
    steps: usize,
    /// Busy time of all of these steps except the last one, which may continue after the tick.
    before: Shares,
}

impl<'t> BusyCursor<'t> {
    /// Creates a cursor at a tick.
    #[must_use]
    pub fn new(track: &'t CpuTrack, tick: u64) -> Self {
        let steps = track.tick_tree().count_below_from(0, tick);
        Self { track, tick, steps, before: track.busy_before(steps.saturating_sub(1)) }
    }

    /// The tick of the next step, or a tick after all others. Until then the share of busy time is the same everywhere.
    #[must_use]
    #[inline]
    pub fn next_step(&self) -> u64 {
        self.track.tick_tree().all().get(self.steps).copied().unwrap_or(u64::MAX)
    }

    /// Moves to a later tick, and adds the busy time in between to `sum`, by palette entry.
    pub fn advance(&mut self, end: u64, sum: &mut Shares) {
        let (track, ticks) = (self.track, self.track.tick_tree().all());
        let current = self.steps.checked_sub(1);
        if ticks.get(self.steps).is_none_or(|next| *next >= end) {
            // One step covers the whole range.
            if let Some(step) = current {
                let (length, color) = (track.end_of(step).min(end).saturating_sub(self.tick), track.color(step));
                sum[color] += length * track.height(step);
            }
            self.tick = end;
            return;
        }
        let to = track.tick_tree().count_below_from(self.steps, end);
        let last = to - 1;
        let from = current.unwrap_or(0);
        let before = if last - from <= FEW {
            let mut before = self.before;
            track.add_steps((from, last), &mut before);
            before
        } else {
            track.busy_before(last)
        };
        let mut shares: Shares = std::array::from_fn(|color| before[color] - self.before[color]);
        shares[track.color(last)] += (track.end_of(last).min(end) - ticks[last]) * track.height(last);
        if let Some(step) = current {
            shares[track.color(step)] -= (self.tick - ticks[step]) * track.height(step);
        }
        // A spike of zero length has a color, too.
        if shares.iter().all(|share| *share == 0) {
            // A step before one that begins at the start has ended there.
            let first = if ticks[self.steps] == self.tick { self.steps } else { from };
            let lit = (first..to).take(BLOCK).find(|step| track.height(*step) > 0);
            lit.into_iter().for_each(|step| shares[track.color(step)] = 1);
        }
        sum.iter_mut().zip(shares).for_each(|(sum, share)| *sum += share);
        (self.tick, self.steps, self.before) = (end, to, before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::over_time::steps::Steps;

    #[test]
    fn ranges_side_by_side_have_the_busy_time_of_their_steps() {
        let mut random = fastrand::Rng::with_seed(11);
        for count in [0, 1, 2, 63, 64, 65, 130, 700] {
            let (mut steps, mut tick, mut plain) = (Steps::default(), random.u64(..50), Vec::new());
            for _ in 0..count {
                let (percent, color) = (random.u8(..3) * 50, random.u8(..4));
                steps.push(tick, percent, color);
                plain.push((tick, u64::from(percent), usize::from(color)));
                let most = if random.bool() { 3 } else { 90 };
                tick += 1 + random.u64(..most);
            }
            steps.push(tick, 0, 0);
            plain.push((tick, 0, 0));
            let track = CpuTrack::of_steps(steps);
            for width in [1, 7, 400, 2_000, 20_000] {
                let mut cursor = BusyCursor::new(&track, 3);
                for first in (3..tick + 30).step_by(usize::try_from(width).expect("small")) {
                    let end = first + width;
                    let mut shares = [0; _];
                    cursor.advance(end, &mut shares);
                    let mut expected = [0; 4];
                    for pair in plain.windows(2) {
                        let ((start, percent, color), (until, ..)) = (pair[0], pair[1]);
                        expected[color] += until.min(end).saturating_sub(start.max(first)) * percent;
                    }
                    assert_eq!(shares[..4], expected, "{count} steps, {first} to {end}");
                }
            }
        }
    }
}
