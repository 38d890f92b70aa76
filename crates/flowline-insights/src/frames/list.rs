//! All frames of a recording.

use super::budget::Budget;
use super::page_frame::PageFrame;
use crate::dropped::Dropped;
use flowline_profile::{MarkerId, Ns};

/// The frames of a recording.
#[derive(Clone, Debug)]
pub struct Frames {
    all: Vec<PageFrame>,
    /// Marker and position of each frame, ascending.
    by_marker: Vec<(MarkerId, usize)>,
    budget: Budget,
    unknown: Option<&'static str>,
    dropped: Dropped,
}

impl Default for Frames {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            by_marker: Vec::new(),
            budget: Budget::ASSUMED,
            unknown: None,
            dropped: Dropped::default(),
        }
    }
}

impl Frames {
    /// Frames by start, with their budget and the number of events that were left out.
    pub(super) fn new(mut all: Vec<PageFrame>, budget: Budget, dropped: Dropped) -> Self {
        all.sort_by_key(|frame| (frame.times.start, frame.times.end, frame.marker));
        let mut by_marker: Vec<_> = all.iter().enumerate().map(|(at, frame)| (frame.marker, at)).collect();
        by_marker.sort_unstable();
        Self { all, by_marker, budget, unknown: None, dropped }
    }

    /// No frames, because something is not recorded.
    pub(super) fn unknown(reason: &'static str) -> Self {
        Self { unknown: Some(reason), ..Self::default() }
    }

    /// All frames by start.
    #[must_use]
    pub fn list(&self) -> &[PageFrame] {
        &self.all
    }

    /// The frames, to complete them; their times stay.
    pub(super) fn list_mut(&mut self) -> &mut [PageFrame] {
        &mut self.all
    }

    /// The frame that a marker states, and its position in the list.
    #[must_use]
    pub fn of_marker(&self, marker: MarkerId) -> Option<(usize, &PageFrame)> {
        let at = self.by_marker.binary_search_by_key(&marker, |(own, _)| *own).ok()?;
        let position = self.by_marker[at].1;
        Some((position, &self.all[position]))
    }

    /// Time between two refreshes of the display.
    #[must_use]
    pub const fn budget(&self) -> Ns {
        self.budget.time
    }

    /// True if that time is not recorded.
    #[must_use]
    pub const fn is_budget_assumed(&self) -> bool {
        self.budget.is_assumed
    }

    /// Why the frames of a page are unknown.
    #[must_use]
    pub const fn reason(&self) -> Option<&'static str> {
        self.unknown
    }

    /// Damaged events, and those beyond the limit of open frames, which were left out.
    #[must_use]
    pub const fn dropped(&self) -> Dropped {
        self.dropped
    }
}
