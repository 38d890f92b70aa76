//! The recordings of the window: A, which was opened, and B below it for comparison. Both have the same widgets, panels
//! and state, and they share the time axis ([`Pairing`]). A change of either is applied to the other immediately.

use std::path::{Path, PathBuf};

use egui::Context;

use super::pane_contents::PaneContents;
use super::pane_state::PaneState;
use super::{AppRequest, Shell};
use crate::canvas::layout::{CanvasWidget, is_over};
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
    /// One of the recordings with its tables.
    #[must_use]
    pub fn pane(&self, pane: Pane) -> Option<&PaneContents> {
        self.panes.get(pane as usize)
    }

    /// One of the recordings with its tables.
    pub fn pane_mut(&mut self, pane: Pane) -> Option<&mut PaneContents> {
        self.panes.get_mut(pane as usize)
    }

    /// One of the recordings.
    #[must_use]
    pub fn session_of(&self, pane: Pane) -> Option<&Session> {
        self.pane(pane).map(|contents| &contents.session)
    }

    /// The recording that was opened.
    #[must_use]
    pub fn session(&self) -> Option<&Session> {
        self.session_of(Pane::A)
    }

    /// The recording that was opened.
    pub fn session_mut(&mut self) -> Option<&mut Session> {
        self.pane_mut(Pane::A).map(|contents| &mut contents.session)
    }

    /// Takes the second recording out of the window, to open more of it.
    pub fn take_second(&mut self) -> Option<PaneContents> {
        if self.compares() { self.panes.pop() } else { None }
    }

    /// True if there are two recordings.
    #[must_use]
    pub const fn compares(&self) -> bool {
        self.panes.len() > 1
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
        for pane in self.panes.iter_mut().filter(|pane| pane.session.path == path) {
            pane.session.file_changed = true;
        }
    }

    /// The active recording: the one clicked last. Keys, details and tables apply to it.
    #[must_use]
    pub const fn active(&self) -> Pane {
        if self.compares() { self.pane_state.active } else { Pane::A }
    }

    /// Shows a second recording below the first, on the same time axis, and closes the previous second one. Does
    /// nothing without a first recording.
    pub fn open_second_recording(&mut self, mut session: Session, alignment: Alignment, wake: &Wake) {
        self.panes.truncate(1);
        let Some(first) = self.panes.first_mut() else { return };
        session.view.theme = self.theme;
        session.canvas.pane = Pane::B;
        session.set_query_engine(self.query_engine.clone());
        session.set_linked_queries(self.linked_queries);
        let showed_all = shows_all(&first.session);
        let pairing = Pairing::new(&mut first.session, &mut session, alignment);
        if showed_all {
            first.session.apply(Command::Show(first.session.view.bounds().whole));
        }
        // The statistics of the previous second recording are obsolete.
        if first.panels.statistics.compares_recordings() {
            first.panels.statistics.compare_recordings();
        }
        let mut second = PaneContents::new(session, Some(&first.panels.layouts()), None, wake);
        second.pairing = Some(pairing);
        self.panes.push(second);
        self.pane_state = PaneState::default();
        (self.error, self.question) = (None, None);
        self.show_second_view();
    }

    /// Closes the second recording.
    pub fn close_second_recording(&mut self) {
        if self.take_second().is_some() {
            for first in &mut self.panes {
                Pairing::end(&mut first.session);
                first.panels.statistics.end_comparison_of_recordings();
            }
            self.pane_state = PaneState::default();
        }
    }

    /// Changes the alignment of the second recording; the first keeps its position.
    pub fn align(&mut self, alignment: Alignment) {
        if let [first, second] = self.panes.as_mut_slice() {
            second.pairing = Some(Pairing::new(&mut first.session, &mut second.session, alignment));
        }
    }

    /// Compares the statistics of both recordings in the drawer.
    pub fn compare_recordings(&mut self) {
        if let [first, _] = self.panes.as_mut_slice() {
            first.panels.statistics.compare_recordings();
            self.state.table = Some(TableKind::Statistics);
        }
    }

    /// Applies a command to one of the recordings, and shared state to the other.
    pub fn apply_to(&mut self, pane: Pane, command: Command) {
        self.change(pane, |parts| parts.session.apply(command));
    }

    /// Changes one of the recordings, and copies shared state to the other.
    pub(super) fn change<T>(&mut self, pane: Pane, change: impl FnOnce(&mut PaneContents) -> T) -> Option<T> {
        self.follow_first();
        let before = self.session_of(Pane::B).map(|session| session.view.shared());
        let changed = self.pane_mut(pane).map(change);
        match (pane, before, self.panes.as_mut_slice()) {
            (Pane::B, Some(before), [first, PaneContents { session, pairing: Some(pairing), .. }]) => {
                pairing.follow_b(&mut first.session, session, &before);
            }
            _ => self.follow_first(),
        }
        changed
    }

    /// Copies shared state from the first recording to the second.
    pub(super) fn follow_first(&mut self) {
        if let [first, PaneContents { session, pairing: Some(pairing), .. }] = self.panes.as_mut_slice() {
            pairing.follow_a(&first.session, session);
        }
    }

    /// The recording under the pointer.
    pub(super) fn pane_at_pointer(&self, context: &Context) -> Option<Pane> {
        Pane::ALL.into_iter().find(|pane| is_over(context, self.pane_state.areas[*pane as usize]))
    }

    /// Makes the recording under a mouse press or with the keyboard focus the active one.
    pub(super) fn follow_choice(&mut self, context: &Context) {
        let focus = context.memory(egui::Memory::focused);
        let focused = Pane::ALL.map(|pane| focus == Some(CanvasWidget::Chart.of(pane).id()));
        let gained =
            Pane::ALL.into_iter().find(|pane| focused[*pane as usize] && !self.pane_state.focused[*pane as usize]);
        self.pane_state.focused = focused;
        let pressed = context.input(|input| input.pointer.any_pressed());
        let pressed = self.pane_at_pointer(context).filter(|_| pressed);
        self.pane_state.active = pressed.or(gained).unwrap_or(self.pane_state.active);
    }

    /// The recording and panels of the drawer's table, and the other recording. A comparison of both belongs to the
    /// first.
    pub(super) fn drawer_parts(&mut self, table: TableKind) -> Option<(&Session, &mut Panels, Option<&Session>)> {
        let compares = self.panes.first().is_some_and(|first| first.panels.statistics.compares_recordings());
        let pane = if table == TableKind::Statistics && compares { Pane::A } else { self.active() };
        match (pane, self.panes.as_mut_slice()) {
            (Pane::A, [first, rest @ ..]) => {
                Some((&first.session, &mut first.panels, rest.first().map(|second| &second.session)))
            }
            (Pane::B, [first, second]) => Some((&second.session, &mut second.panels, Some(&first.session))),
            _ => None,
        }
    }
}
