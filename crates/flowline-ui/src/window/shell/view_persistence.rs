//! Saves and restores the view of the window.

use egui::Context;

use super::{PaneContents, Shell};
use crate::commands::WindowAction;
use crate::saved_view::{SavedPanelSizes, SavedView, SavedWindow};
use crate::toast::Toast;
use crate::window::dialogs::copied;
use crate::window::render_command::{WindowSnapshot, link_command, render_command};
use crate::window::state::ShellState;
use flowline_format::format_counted;
use flowline_session::Session;
use flowline_view::Pane;

impl Shell {
    /// The view of the whole window; `None` while no recording is open.
    #[must_use]
    pub fn saved_view(&self) -> Option<SavedView> {
        self.view_with(false)
    }

    /// The view of the first recording, and with `second` (for links) also of the second one.
    fn view_with(&self, second: bool) -> Option<SavedView> {
        let first = self.pane(Pane::A)?;
        let other = self.pane(Pane::B).filter(|_| second).map(|other| (&other.session, other.names()));
        Some(SavedView::of((&first.session, &first.panels, first.names()), other, self.window_part()))
    }

    /// The view of one of two recordings.
    pub(super) fn view_of(&self, pane: Pane) -> Option<SavedView> {
        let own = self.pane(pane)?;
        Some(SavedView::of((&own.session, &own.panels, own.names()), None, self.window_part()))
    }

    fn window_part(&self) -> SavedWindow {
        let ShellState { table, hidden, .. } = self.state;
        SavedWindow { table, hidden, sizes: self.panel_sizes() }
    }

    /// The sizes of panels.
    #[must_use]
    pub fn panel_sizes(&self) -> SavedPanelSizes {
        SavedPanelSizes {
            details: Some(self.sizes.details),
            table: Some(self.sizes.table),
            labels: Some(self.sizes.labels),
            flows: self.pane(Pane::A).map_or(self.flow_height, |first| first.flow_height),
            other: Some(self.sizes.other),
        }
    }

    /// Sets the sizes of panels; missing sizes stay unchanged.
    pub fn set_panel_sizes(&mut self, sizes: SavedPanelSizes) {
        let SavedPanelSizes { details, table, labels, flows, other } = sizes;
        self.sizes.details = details.unwrap_or(self.sizes.details);
        self.sizes.table = table.unwrap_or(self.sizes.table);
        self.sizes.labels = labels.unwrap_or(self.sizes.labels);
        self.sizes.other = other.unwrap_or(self.sizes.other);
        if let Some(height) = flows {
            self.flow_height = Some(height);
            self.panes.iter_mut().take(1).for_each(|first| first.flow_height = Some(height));
        }
    }

    /// Restores a saved view; returns the number of items in it that the recording does not contain.
    pub fn show_view(&mut self, view: &SavedView) -> usize {
        let Some((session, panels, names)) = self.pane_mut(Pane::A).map(PaneContents::restorable) else { return 0 };
        let missing = view.apply_to_session(session, panels, names);
        if let Some(SavedWindow { table, hidden, sizes }) = view.window() {
            (self.state.table, self.state.hidden) = (table, hidden);
            self.set_panel_sizes(sizes);
        }
        self.second_view = Some(view.clone());
        self.show_second_view();
        missing
    }

    /// Applies the part of a link about the second recording, once that recording is open.
    pub(super) fn show_second_view(&mut self) {
        if self.compares()
            && let Some(view) = self.second_view.take()
            && let Some((session, _, names)) = self.pane_mut(Pane::B).map(PaneContents::restorable)
        {
            view.show_second_in(session, names);
        }
    }

    /// Copies the command that renders the window.
    pub(super) fn copy_command(&self, context: &Context) {
        if let Some((session, look)) = self.look(false) {
            context.copy_text(render_command(session, &look));
        }
    }

    /// Copies the command that opens the recording with the current view, and with its notes if they are wanted.
    pub(super) fn copy_link(&self, context: &Context, with_notes: bool) {
        if let Some((session, look)) = self.look(with_notes) {
            context.copy_text(link_command(session, &look));
            copied::describe(context, link_report(session, with_notes));
        }
    }

    fn look(&self, with_notes: bool) -> Option<(&flowline_session::Session, WindowSnapshot<'_>)> {
        let session = self.session()?;
        let second =
            self.pane(Pane::B).and_then(|second| Some((&second.session, second.pairing.as_ref()?.alignment())));
        let (view, first) = (self.view_with(true)?, self.pane(Pane::A)?);
        let view = if with_notes { view.with_notes(&first.session, first.names()) } else { view };
        Some((session, WindowSnapshot { second, theme: self.theme, view: view.to_link() }))
    }
}

/// The report of a copied link. A link without the notes offers the one with them.
fn link_report(session: &Session, with_notes: bool) -> Toast {
    let notes = session.view.notes.list.iter().filter(|note| note.kind.is_shown()).count();
    match (notes, with_notes) {
        (0, _) => Toast::report("Copied a link that opens this view"),
        (_, true) => Toast::report("Copied a link that opens this view with notes"),
        (notes, false) => {
            let text = format!("Copied a link that opens this view, without {}", format_counted(notes as u64, "note"));
            Toast::report(text).with_command("Copy with notes", WindowAction::CopyNotesLink)
        }
    }
}
