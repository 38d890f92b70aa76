//! Steps of CPU use over time, as they are collected.

use crate::colors::PALETTE_ENTRIES;

/// Number of palette entries.
pub(super) const COLORS: usize = PALETTE_ENTRIES;
/// Number of steps per stored sum.
pub(super) const BLOCK: usize = 64;

/// Busy time by palette entry, in percent times ticks.
pub type Shares = [u64; COLORS];

/// Collects steps and merges consecutive equal ones.
#[derive(Default)]
pub(super) struct Steps {
    pub(super) ticks: Vec<u64>,
    pub(super) heights: Vec<f32>,
    pub(super) colors: Vec<u8>,
}

impl Steps {
    pub(super) fn push(&mut self, tick: u64, percent: u8, color: u8) {
        let (height, color) = (f32::from(percent), if percent == 0 { 0 } else { color });
        if self.heights.last() != Some(&height) || self.colors.last() != Some(&color) {
            self.ticks.push(tick);
            self.heights.push(height);
            self.colors.push(color);
        }
    }

    /// The steps as tick, percentage and palette entry.
    #[cfg(test)]
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, f32, u8)> + '_ {
        let steps = self.ticks.iter().zip(&self.heights).zip(&self.colors);
        steps.map(|((tick, height), color)| (*tick, *height, *color))
    }

    /// Busy time before every block of steps.
    pub(super) fn sums(&self) -> Vec<Shares> {
        let mut sums = Vec::with_capacity(self.ticks.len() / BLOCK + 1);
        let mut sum = [0; COLORS];
        for step in 0..self.ticks.len() {
            if step % BLOCK == 0 {
                sums.push(sum);
            }
            let length = self.ticks.get(step + 1).map_or(0, |next| next - self.ticks[step]);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 100")]
            let height = self.heights[step] as u64;
            sum[usize::from(self.colors[step]) % COLORS] += length * height;
        }
        if self.ticks.len().is_multiple_of(BLOCK) {
            sums.push(sum);
        }
        sums
    }
}
