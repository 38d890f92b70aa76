//! The areas of the recordings in the window, and which of them is active.

use egui::Rect;

use crate::window::layout::WindowLayout;
use flowline_view::Pane;

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
