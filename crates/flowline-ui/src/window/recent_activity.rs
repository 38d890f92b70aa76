//! A miniature of a recording's activity for the list of recent recordings: the CPU time of the overview, by kind of work,
//! in a few columns.

use flowline_insights::overview::{BINS, CpuLane};
use flowline_profile::Kind;

/// Number of columns.
pub(crate) const ACTIVITY_COLUMNS: usize = 32;
/// Height of a full column.
pub(crate) const ACTIVITY_HEIGHT: u8 = 28;
/// Number of kinds.
const KINDS: usize = Kind::ALL.len();

/// The heights of the kinds of work by column, from the bottom.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecentActivity(Vec<[u8; KINDS]>);

impl RecentActivity {
    /// Sums up the CPU time of an overview.
    #[must_use]
    pub fn of(lane: &CpuLane) -> Self {
        let bins = BINS / ACTIVITY_COLUMNS;
        let sums = (0..ACTIVITY_COLUMNS).map(|column| {
            let mut sums = [0_u64; KINDS];
            for bin in column * bins..(column + 1) * bins {
                sums.iter_mut().zip(lane.column(bin)).for_each(|(sum, time)| *sum = sum.saturating_add(time));
            }
            sums
        });
        let sums: Vec<[u64; KINDS]> = sums.collect();
        let full = sums.iter().map(|sums| sums.iter().sum::<u64>()).max().unwrap_or(0).max(1);
        Self(sums.into_iter().map(|sums| heights(&sums, full)).collect())
    }

    /// The heights of the kinds in each column.
    #[must_use]
    pub fn columns(&self) -> &[[u8; KINDS]] {
        &self.0
    }

    /// The columns as letters: one for each height.
    #[must_use]
    pub fn to_text(&self) -> String {
        let letter = |height: &u8| char::from_digit(u32::from(*height), 36).unwrap_or('0');
        self.0.iter().flatten().map(letter).collect()
    }

    /// Reads [`RecentActivity::to_text`]; `None` if the text is damaged.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        let height = |letter: char| letter.to_digit(36).and_then(|height| u8::try_from(height).ok());
        let heights: Option<Vec<u8>> = text.chars().take(ACTIVITY_COLUMNS * KINDS + 1).map(height).collect();
        let heights = heights.filter(|heights| heights.len() == ACTIVITY_COLUMNS * KINDS)?;
        let columns: Vec<[u8; KINDS]> = heights.chunks(KINDS).filter_map(|column| column.try_into().ok()).collect();
        let fits = |column: &[u8; KINDS]| {
            column.iter().map(|height| u32::from(*height)).sum::<u32>() <= ACTIVITY_HEIGHT.into()
        };
        columns.iter().all(fits).then_some(Self(columns))
    }
}

/// Heights whose sum is the height of all work, rounded; rounding errors move to the next kind.
fn heights(sums: &[u64; KINDS], full: u64) -> [u8; KINDS] {
    let mut heights = [0; KINDS];
    let (mut sum, mut below) = (0_u128, 0_u8);
    for (height, own) in heights.iter_mut().zip(sums) {
        sum += u128::from(*own);
        let top = (sum * u128::from(ACTIVITY_HEIGHT) + u128::from(full) / 2) / u128::from(full);
        let top = u8::try_from(top).unwrap_or(ACTIVITY_HEIGHT).min(ACTIVITY_HEIGHT);
        *height = top - below;
        below = top;
    }
    heights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_add_up_and_texts_are_read_back() {
        let mut sums = [0; KINDS];
        sums[1] = 30;
        sums[4] = 30;
        assert_eq!(heights(&sums, 60).iter().map(|height| u32::from(*height)).sum::<u32>(), 28);
        assert_eq!(heights(&sums, 120)[1], 7);
        let activity = RecentActivity(vec![heights(&sums, 60); ACTIVITY_COLUMNS]);
        assert_eq!(RecentActivity::from_text(&activity.to_text()), Some(activity.clone()));
        let text = activity.to_text();
        for damaged in [&text[1..], "", "zz", &format!("{text}0"), &text.replace('0', "z"), &text.replace('e', "é")] {
            assert_eq!(RecentActivity::from_text(damaged), None, "{damaged}");
        }
    }
}
