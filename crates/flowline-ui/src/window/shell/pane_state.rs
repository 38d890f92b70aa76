//! The second recording of the window, and the areas of both.

use egui::Rect;

use crate::canvas::state::CanvasState;
use crate::window::layout::WindowLayout;
use crate::window::panels::Panels;
use flowline_session::{Pairing, Session};
use flowline_view::Pane;

/// Height of the flow panel in points, header included, before the user sets it.
pub(super) const FLOW_HEIGHT: f32 = 300.0;

/// The second recording of the window.
pub struct SecondPane {
    /// The recording.
    pub session: Session,
    /// Its tables and trees.
    pub panels: Panels,
    /// Its alignment to the first.
    pub pairing: Pairing,
    pub(super) canvas: CanvasState,
    pub(super) flow_height: f32,
}

/// The parts of one recording of the window.
pub(super) struct PaneParts<'a> {
    pub(super) session: &'a mut Session,
    pub(super) panels: &'a mut Panels,
    pub(super) canvas: &'a mut CanvasState,
    /// Height of its flow panel in points, header included.
    pub(super) flow_height: &'a mut f32,
}

/// Areas of the recordings, and the active one.
#[derive(Debug)]
pub(super) struct PaneState {
    pub(super) areas: [Rect; 2],
    /// The recording clicked last.
    pub(super) active: Pane,
    /// The recording whose rows motion keys scroll.
    pub(super) moving: Pane,
    /// True for each recording whose chart had the keyboard focus in the last frame.
    pub(super) focused: [bool; 2],
}

impl Default for PaneState {
    fn default() -> Self {
        Self { areas: [Rect::NOTHING; 2], active: Pane::A, moving: Pane::A, focused: [false; 2] }
    }
}

impl PaneState {
    /// Height of both in points.
    pub(super) fn height(&self) -> f32 {
        self.areas[0].union(self.areas[1]).height()
    }

    /// Stores the areas of the recordings.
    pub(super) fn place(&mut self, layout: &WindowLayout) {
        self.areas = Pane::ALL.map(|pane| layout.area(pane));
    }
}
