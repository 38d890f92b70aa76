//! Shifts that the score of a page leaves out although they are greater than it.

use super::layout_shift::LayoutShift;
use super::list::LayoutShifts;
use flowline_format::{format_counted, format_fixed};

/// Decimals of scores.
const DECIMALS: u8 = 3;

/// Why shifts do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    AfterInput,
    OtherNavigation,
}

/// The shifts that do not count for a reason.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeftOutShifts {
    count: usize,
    greatest: f64,
    reason: Reason,
}

impl LeftOutShifts {
    /// The greatest of them and why it does not count: "1 shift of 0.701 followed an input and does not count".
    #[must_use]
    pub fn text(self) -> String {
        let (shifts, score) = (format_counted(self.count as u64, "shift"), format_fixed(self.greatest, DECIMALS));
        let size = if self.count == 1 { format!("{shifts} of {score}") } else { format!("{shifts} of up to {score}") };
        match (self.reason, self.count) {
            (Reason::AfterInput, 1) => format!("{size} followed an input and does not count"),
            (Reason::AfterInput, _) => format!("{size} followed inputs and do not count"),
            (Reason::OtherNavigation, 1) => format!("{size} belongs to another navigation"),
            (Reason::OtherNavigation, _) => format!("{size} belong to other navigations"),
        }
    }
}

impl LayoutShifts {
    /// The shifts that the score of a navigation leaves out, if one of them is greater than the score: those after an input,
    /// else those of other navigations if this one has no shift.
    #[must_use]
    pub fn left_out(&self, navigation: Option<u32>) -> Option<LeftOutShifts> {
        let score = self.score(navigation)?;
        let own = || self.shifts().iter().filter(move |shift| shift.navigation == navigation);
        let after_input = own().filter(|shift| shift.is_after_input);
        let others = self.shifts().iter().filter(|shift| own().next().is_none() && !shift.is_after_input);
        let of = |found: Vec<&LayoutShift>, reason| {
            let greatest = found.iter().map(|shift| shift.score).fold(0.0, f64::max);
            (greatest > score).then_some(LeftOutShifts { count: found.len(), greatest, reason })
        };
        of(after_input.collect(), Reason::AfterInput).or_else(|| of(others.collect(), Reason::OtherNavigation))
    }
}
