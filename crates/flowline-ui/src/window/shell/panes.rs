//! The recordings of the window: A, which was opened, and B below it for comparison. Both have the same widgets, panels
//! and state, and they share the time axis ([`Pairing`]). A change of either is applied to the other immediately.

use std::path::{Path, PathBuf};

use egui::Context;

use super::pane_state::{FLOW_HEIGHT, PaneParts, PaneState, SecondPane};
use super::{AppRequest, Shell};
use crate::canvas::layout::{CanvasWidget, is_over};
use crate::canvas::state::CanvasState;
use crate::tables::TableKind;
use crate::window::panels::Panels;
use flowline_session::{Alignment, Pairing, Session, Wake};
use flowline_view::{Command, Pane};

/// True if the whole recording is in view.
fn shows_all(session: &Session) -> bool {
    let (axis, whole) = (&session.view.axis, session.view.bounds().whole);
    axis.pixel(whole.start) >= -1.0 && axis.pixel(whole.end) <= axis.width() + 1.0
}

impl Shell {
    /// One of the recordings.
    #[must_use]
    pub fn session_of(&self, pane: Pane) -> Option<&Session> {
        match pane {
            Pane::A => self.session.as_ref(),
            Pane::B => self.other.as_ref().map(|other| &other.session),
        }
    }

    /// The request that reloads a recording's file; `None` for the bundled example and standard input.
    pub(super) fn reload(&self, pane: Pane) -> Option<AppRequest> {
        // If the file is gone, the load reports it.
        let is_file = |path: &PathBuf| path.is_file() || path.is_absolute();
        let file = self.session_of(pane).map(|session| session.path.clone()).filter(is_file)?;
        Some(if pane == Pane::A { AppRequest::OpenFile(file) } else { AppRequest::OpenSecondFile(file) })
    }

    /// Records that a file has changed since it was opened. The notice stays until the file is reloaded or the user
    /// dismisses it.
    pub fn file_changed(&mut self, path: &Path) {
        for pane in Pane::ALL {
            if let Some(parts) = self.parts(pane).filter(|parts| parts.session.path == path) {
                parts.session.file_changed = true;
            }
        }
    }

    /// The active recording: the one clicked last. Keys, details and tables apply to it.
    #[must_use]
    pub const fn active(&self) -> Pane {
        if self.other.is_some() { self.panes.active } else { Pane::A }
    }

    /// Shows a second recording below the first, on the same time axis, and closes the previous second one. Does
    /// nothing without a first recording.
    pub fn open_second_recording(&mut self, mut session: Session, alignment: Alignment, wake: &Wake) {
        let Some(first) = &mut self.session else { return };
        session.view.theme = self.theme;
        session.canvas.pane = Pane::B;
        let showed_all = shows_all(first);
        let pairing = Pairing::new(first, &mut session, alignment);
        if showed_all {
            first.apply(Command::Show(first.view.bounds().whole));
        }
        let mut panels = Panels::new(wake);
        self.panels.iter().for_each(|first| panels.set_choices(&first.layouts()));
        // The statistics of the previous second recording are obsolete.
        self.panels.iter_mut().filter(|panels| panels.statistics.compares_recordings()).for_each(|panels| {
            panels.statistics.compare_recordings();
        });
        let canvas = CanvasState::default();
        self.other = Some(SecondPane { session, panels, pairing, canvas, flow_height: FLOW_HEIGHT });
        self.panes = PaneState::default();
        (self.error, self.question) = (None, None);
        self.show_second_view();
    }

    /// Closes the second recording.
    pub fn close_second_recording(&mut self) {
        if self.other.take().is_some() {
            self.session.iter_mut().for_each(Pairing::end);
            self.panels.iter_mut().for_each(|panels| panels.statistics.end_comparison_of_recordings());
            self.panes = PaneState::default();
        }
    }

    /// Changes the alignment of the second recording; the first keeps its position.
    pub fn align(&mut self, alignment: Alignment) {
        if let (Some(first), Some(other)) = (&mut self.session, &mut self.other) {
            other.pairing = Pairing::new(first, &mut other.session, alignment);
        }
    }

    /// Compares the statistics of both recordings in the drawer.
    pub fn compare_recordings(&mut self) {
        if let (Some(_), Some(panels)) = (&self.other, &mut self.panels) {
            panels.statistics.compare_recordings();
            self.state.table = Some(TableKind::Statistics);
        }
    }

    /// Applies a command to one of the recordings, and shared state to the other.
    pub fn apply_to(&mut self, pane: Pane, command: Command) {
        self.change(pane, |parts| parts.session.apply(command));
    }

    pub(super) fn parts(&mut self, pane: Pane) -> Option<PaneParts<'_>> {
        match (pane, &mut self.session, &mut self.panels, &mut self.other) {
            (Pane::A, Some(session), Some(panels), _) => {
                Some(PaneParts { session, panels, canvas: &mut self.canvas, flow_height: &mut self.flow_height })
            }
            (Pane::B, _, _, Some(SecondPane { session, panels, canvas, flow_height, .. })) => {
                Some(PaneParts { session, panels, canvas, flow_height })
            }
            _ => None,
        }
    }

    /// Changes one of the recordings, and copies shared state to the other.
    pub(super) fn change<T>(&mut self, pane: Pane, change: impl FnOnce(PaneParts<'_>) -> T) -> Option<T> {
        self.follow_first();
        let before = self.other.as_ref().map(|other| other.session.view.shared());
        let changed = self.parts(pane).map(change);
        match (pane, before, &mut self.session, &self.other) {
            (Pane::B, Some(before), Some(first), Some(other)) => {
                other.pairing.follow_b(first, &other.session, &before);
            }
            _ => self.follow_first(),
        }
        changed
    }

    /// Copies shared state from the first recording to the second.
    pub(super) fn follow_first(&mut self) {
        if let (Some(first), Some(other)) = (&self.session, &mut self.other) {
            other.pairing.follow_a(first, &mut other.session);
        }
    }

    /// The recording under the pointer.
    pub(super) fn pane_at_pointer(&self, context: &Context) -> Option<Pane> {
        Pane::ALL.into_iter().find(|pane| is_over(context, self.panes.areas[*pane as usize]))
    }

    /// Makes the recording under a mouse press or with the keyboard focus the active one.
    pub(super) fn follow_choice(&mut self, context: &Context) {
        let focus = context.memory(egui::Memory::focused);
        let focused = Pane::ALL.map(|pane| focus == Some(CanvasWidget::Chart.of(pane).id()));
        let gained = Pane::ALL.into_iter().find(|pane| focused[*pane as usize] && !self.panes.focused[*pane as usize]);
        self.panes.focused = focused;
        let pressed = context.input(|input| input.pointer.any_pressed());
        let pressed = self.pane_at_pointer(context).filter(|_| pressed);
        self.panes.active = pressed.or(gained).unwrap_or(self.panes.active);
    }

    /// The recording and panels of the drawer's table, and the other recording. A comparison of both belongs to the
    /// first.
    pub(super) fn drawer_parts(&mut self, table: TableKind) -> Option<(&Session, &mut Panels, Option<&Session>)> {
        let compares = self.panels.as_ref().is_some_and(|panels| panels.statistics.compares_recordings());
        let pane = if table == TableKind::Statistics && compares { Pane::A } else { self.active() };
        match (pane, &self.session, &mut self.panels, &mut self.other) {
            (Pane::A, Some(session), Some(panels), other) => {
                Some((session, panels, other.as_ref().map(|other| &other.session)))
            }
            (Pane::B, first, _, Some(SecondPane { session, panels, .. })) => Some((session, panels, first.as_ref())),
            _ => None,
        }
    }
}
