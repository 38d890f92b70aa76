//! An open recording of the window, with everything that belongs to it alone.

use std::cell::OnceCell;

use crate::canvas::state::CanvasState;
use crate::saved_view::names::StableNames;
use crate::saved_view::show_own;
use crate::window::panels::Panels;
use flowline_profile::Value;
use flowline_session::{Pairing, Session, Wake};

/// An open recording of the window.
pub struct PaneContents {
    /// The recording.
    pub session: Session,
    /// Its tables and trees.
    pub panels: Panels,
    /// Its alignment to the recording above it; `None` for the topmost one.
    pub pairing: Option<Pairing>,
    pub(super) canvas: CanvasState,
    /// Height of its flow panel in points, header included; `None` until the user sets one.
    pub(super) flow_height: Option<f32>,
    /// State of the tables when the recording was opened.
    pub(super) first_choices: Value,
    /// Stable names of its items, built on first use.
    names: OnceCell<StableNames>,
}

impl PaneContents {
    /// A recording whose tables have the columns of `layouts`.
    pub(super) fn new(mut session: Session, layouts: Option<&Value>, flow_height: Option<f32>, wake: &Wake) -> Self {
        show_own(&mut session, |session| StableNames::new(&session.index, &session.flows.setup.tracks));
        let mut panels = Panels::new(wake);
        layouts.into_iter().for_each(|layouts| panels.set_choices(layouts));
        let first_choices = panels.choices();
        let canvas = CanvasState::default();
        Self { session, panels, pairing: None, canvas, flow_height, first_choices, names: OnceCell::new() }
    }

    /// Stable names of its items.
    pub(super) fn names(&self) -> &StableNames {
        self.names.get_or_init(|| StableNames::new(&self.session.index, &self.session.flows.setup.tracks))
    }

    /// The names, and the parts that a saved view changes.
    pub(super) fn restorable(&mut self) -> (&mut Session, &mut Panels, &StableNames) {
        let Self { session, panels, names, .. } = self;
        let names = names.get_or_init(|| StableNames::new(&session.index, &session.flows.setup.tracks));
        (session, panels, names)
    }
}
