//! All frames of a recording.

use super::budget::Budget;
use super::page_frame::{FrameState, PageFrame};
use super::{chrome, firefox};
use flowline_index::{Derived, Index};
use flowline_profile::{MarkerId, Ns, Profile, TimeRange};

/// The frames of a recording.
#[derive(Clone, Debug)]
pub struct Frames {
    all: Vec<PageFrame>,
    /// Marker and position of each frame, ascending.
    by_marker: Vec<(MarkerId, usize)>,
    budget: Budget,
    unknown: Option<&'static str>,
    dropped_events: u64,
}

impl Default for Frames {
    fn default() -> Self {
        Self { all: Vec::new(), by_marker: Vec::new(), budget: Budget::ASSUMED, unknown: None, dropped_events: 0 }
    }
}

/// Frames of a range, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameCounts {
    /// Frames that were shown, also in part.
    pub shown: usize,
    /// Of these, the late ones.
    pub late: usize,
    /// Frames that were dropped (Chrome).
    pub dropped: usize,
    /// Refreshes of the display without a frame (Firefox).
    pub missed: usize,
}

impl FrameCounts {
    /// Number of frames with something to show.
    #[must_use]
    pub const fn all(self) -> usize {
        self.shown + self.dropped + self.missed
    }
}

impl Frames {
    /// The frames of an index; see [`Index::derived`].
    pub fn of(index: &Index) -> &Self {
        index.derived()
    }

    /// The frames of an index, if they have been read.
    #[must_use]
    pub fn if_built(index: &Index) -> Option<&Self> {
        index.derived_if_built()
    }

    /// True if a recording may have frames. This reads no markers.
    #[must_use]
    pub fn may_have(profile: &Profile) -> bool {
        if profile.source.holds_events() { chrome::may_have(profile) } else { firefox::may_have(profile) }
    }

    /// Frames by start, with their budget and the number of events that were left out.
    pub(super) fn new(mut all: Vec<PageFrame>, budget: Budget, dropped_events: u64) -> Self {
        all.sort_by_key(|frame| (frame.times.start, frame.times.end, frame.marker));
        let mut by_marker: Vec<_> = all.iter().enumerate().map(|(at, frame)| (frame.marker, at)).collect();
        by_marker.sort_unstable();
        Self { all, by_marker, budget, unknown: None, dropped_events }
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

    /// Number of damaged or excess events that were left out.
    #[must_use]
    pub const fn dropped_events(&self) -> u64 {
        self.dropped_events
    }

    /// Counts the frames that start in a range.
    #[must_use]
    pub fn counts(&self, range: TimeRange) -> FrameCounts {
        let first = self.all.partition_point(|frame| frame.times.start < range.start);
        let mut counts = FrameCounts::default();
        for frame in self.all[first..].iter().take_while(|frame| frame.times.start <= range.end) {
            match frame.state {
                FrameState::Shown | FrameState::Partial => counts.shown += 1,
                FrameState::Dropped => counts.dropped += 1,
                FrameState::Missed => counts.missed += 1,
                FrameState::Idle => {}
            }
            counts.late += usize::from(frame.is_late);
        }
        counts
    }
}

impl Derived for Frames {
    fn derive(index: &Index) -> Self {
        let profile = index.profile();
        if !Self::may_have(profile) {
            return Self::default();
        }
        if profile.source.holds_events() { chrome::frames(index) } else { firefox::frames(profile) }
    }
}
