//! All frames of a recording.

use super::page_frame::PageFrame;
use flowline_index::{Derived, Index};
use flowline_profile::Ns;

/// Time between two refreshes of a display whose rate is not recorded: 60 Hz.
pub const ASSUMED_BUDGET: Ns = Ns(16_666_667);

/// The frames of a recording.
#[derive(Clone, Debug)]
pub struct Frames {
    all: Vec<PageFrame>,
    budget: Ns,
    is_budget_assumed: bool,
    dropped_events: u32,
}

impl Default for Frames {
    fn default() -> Self {
        Self { all: Vec::new(), budget: ASSUMED_BUDGET, is_budget_assumed: true, dropped_events: 0 }
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

    /// All frames by start.
    #[must_use]
    pub fn list(&self) -> &[PageFrame] {
        &self.all
    }

    /// Time between two refreshes of the display.
    #[must_use]
    pub const fn budget(&self) -> Ns {
        self.budget
    }

    /// True if that time is not recorded.
    #[must_use]
    pub const fn is_budget_assumed(&self) -> bool {
        self.is_budget_assumed
    }

    /// Number of damaged events that were left out.
    #[must_use]
    pub const fn dropped_events(&self) -> u32 {
        self.dropped_events
    }
}

impl Derived for Frames {
    fn derive(_index: &Index) -> Self {
        Self::default()
    }
}
