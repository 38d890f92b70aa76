//! Flags of milestones in their lane.

use crate::geometry::PixelRect;
use flowline_insights::page_load::{MilestoneKind, Rating};

/// Text of a milestone.
#[derive(Clone, Debug, PartialEq)]
pub struct FlagText {
    /// Position of the milestone among those with a flag.
    pub position: usize,
    /// Name and time: `LCP 1,386 ms`.
    pub text: String,
}

/// A flag, or a pole without one.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedFlag {
    /// The kind of its most important milestone.
    pub kind: MilestoneKind,
    /// Rating of that milestone.
    pub rating: Option<Rating>,
    /// Left edge of the pole in device pixels.
    pub x: f32,
    /// The pole within the lane. Below the flag of another milestone, it begins under that flag, so that it crosses no text.
    pub pole: PixelRect,
    /// The flag; for a pole without one, the area that the pointer hits.
    pub rect: PixelRect,
    /// True if it is written out.
    pub has_text: bool,
    /// True if the tab was inactive, which makes its time meaningless.
    pub is_inactive: bool,
    /// Its milestones, the most important first.
    pub milestones: Vec<FlagText>,
    /// Number of further milestones in the same column.
    pub others: usize,
}
