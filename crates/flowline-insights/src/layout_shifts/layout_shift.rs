//! A shift of the layout of a page, and clusters of shifts.

use crate::page_load::Rating;
use flowline_profile::{MarkerId, Ns, ThreadId, TimeRange};

/// An element that moved.
#[derive(Clone, Debug, PartialEq)]
pub struct ShiftedNode {
    /// Its name; empty if unknown.
    pub name: String,
    /// Left, top, width and height before, in pixels of the screen.
    pub old: Option<[f64; 4]>,
    /// The same afterwards.
    pub new: Option<[f64; 4]>,
}

/// A shift.
#[derive(Clone, Debug, PartialEq)]
pub struct LayoutShift {
    /// Its time.
    pub time: Ns,
    /// How much moved how far, weighted by the share of the page that its frame has.
    pub score: f64,
    /// False if the weight is not recorded, as for frames inside the page before Chrome 90. The score is then that within
    /// its frame, and counts nowhere.
    pub is_weighted: bool,
    /// True if it followed an input, which excuses it.
    pub is_after_input: bool,
    /// Position of its cluster; `None` after an input.
    pub cluster: Option<usize>,
    /// Number of the navigation that was current.
    pub navigation: Option<u32>,
    /// The frame that shifted.
    pub frame: String,
    /// True for the main frame. The rectangles of other frames are relative to those frames, whose places are not recorded.
    pub is_main: bool,
    /// What moved.
    pub nodes: Vec<ShiftedNode>,
    /// The thread of its marker.
    pub thread: ThreadId,
    /// The marker that states it.
    pub marker: MarkerId,
}

/// Shifts that follow each other.
#[derive(Clone, Debug, PartialEq)]
pub struct ShiftCluster {
    /// Its times.
    pub times: TimeRange,
    /// Sum of the scores of its shifts whose weight is known.
    pub score: f64,
    /// Number of its shifts without a known weight.
    pub unweighted: usize,
    /// Positions of its shifts, by time.
    pub shifts: Vec<usize>,
    /// Position of the shift with the greatest score.
    pub worst: usize,
    /// Number of the navigation that was current.
    pub navigation: Option<u32>,
}

impl ShiftCluster {
    /// The rating of its score.
    #[must_use]
    pub fn rating(&self) -> Rating {
        rate_shifts(self.score)
    }
}

/// The rating of a score of layout shifts.
#[must_use]
pub fn rate_shifts(score: f64) -> Rating {
    match score {
        score if score < 0.1 => Rating::Good,
        score if score < 0.25 => Rating::NeedsImprovement,
        _ => Rating::Poor,
    }
}
