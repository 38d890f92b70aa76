//! The steps that can be undone, and those that can be redone.

use std::sync::Arc;

use crate::insight_focus::InsightFocus;
use crate::track_state::Tracks;
use flowline_profile::notes::Note;
use flowline_profile::{FlowId, MarkerId, TimeRange};

/// Maximum number of steps.
pub(super) const LIMIT: usize = 1000;

/// The state that a step changed, from before or after the step.
#[derive(Clone, Debug)]
pub(super) enum UndoStep {
    Notes(Arc<Vec<Note>>),
    Tracks(Arc<Tracks>),
    Pins(Vec<FlowId>),
    Zero(Option<MarkerId>),
    Search(String),
    /// The tracks and the search, which a preset changes together.
    Preset(Arc<Tracks>, String),
    /// The emphasized insight and the visible range.
    Insight(Option<Arc<InsightFocus>>, TimeRange),
}

/// The steps that can be undone, and those that can be redone.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    pub(crate) past: Vec<UndoStep>,
    pub(crate) future: Vec<UndoStep>,
}

impl History {
    pub(crate) fn push(&mut self, step: UndoStep) {
        self.future.clear();
        if self.past.len() >= LIMIT {
            self.past.remove(0);
        }
        self.past.push(step);
    }
}
