//! Saves and restores the view of the window.

use egui::Context;

use super::Shell;
use crate::saved_view::names::StableNames;
use crate::saved_view::{SavedPanelSizes, SavedView, SavedWindow};
use crate::window::render_command::{WindowSnapshot, link_command, render_command};
use crate::window::state::ShellState;

impl Shell {
    /// The view of the whole window; `None` while no recording is open.
    #[must_use]
    pub fn saved_view(&self) -> Option<SavedView> {
        self.view_with(false)
    }

    /// The view of the first recording, and with `second` (for links) also of the second one.
    fn view_with(&self, second: bool) -> Option<SavedView> {
        let (session, panels) = self.session.as_ref().zip(self.panels.as_ref())?;
        let tables = self.names.get_or_init(|| StableNames::new(&session.index, &session.flows.setup.tracks));
        let other = self.other.as_ref().filter(|_| second).map(|other| &other.session);
        let other_tables = other.map(|other| StableNames::new(&other.index, &other.flows.setup.tracks));
        Some(SavedView::of((session, panels, tables), other.zip(other_tables.as_ref()), self.window_part()))
    }

    fn window_part(&self) -> SavedWindow {
        let ShellState { table, hidden, keeps_no_tooltip: no_tooltips, .. } = self.state;
        SavedWindow { table, hidden, no_tooltips, sizes: self.panel_sizes() }
    }

    /// The sizes of panels.
    #[must_use]
    pub const fn panel_sizes(&self) -> SavedPanelSizes {
        SavedPanelSizes {
            details: Some(self.sizes.details),
            table: Some(self.sizes.table),
            labels: Some(self.sizes.labels),
            flows: Some(self.flow_height),
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
        self.flow_height = flows.unwrap_or(self.flow_height);
    }

    /// Restores a saved view; returns the number of items in it that the recording does not contain.
    pub fn show_view(&mut self, view: &SavedView) -> usize {
        let Some((session, panels)) = self.session.as_mut().zip(self.panels.as_mut()) else { return 0 };
        let tables = self.names.get_or_init(|| StableNames::new(&session.index, &session.flows.setup.tracks));
        let missing = view.apply_to_session(session, panels, tables);
        if let Some(SavedWindow { table, hidden, no_tooltips, sizes }) = view.window() {
            (self.state.table, self.state.hidden, self.state.keeps_no_tooltip) = (table, hidden, no_tooltips);
            self.set_panel_sizes(sizes);
        }
        self.second_view = Some(view.clone());
        self.show_second_view();
        missing
    }

    /// Applies the part of a link about the second recording, once that recording is open.
    pub(super) fn show_second_view(&mut self) {
        if let Some(other) = &mut self.other
            && let Some(view) = self.second_view.take()
        {
            let tables = StableNames::new(&other.session.index, &other.session.flows.setup.tracks);
            view.show_second_in(&mut other.session, &tables);
        }
    }

    /// Copies the command that renders the window.
    pub(super) fn copy_command(&self, context: &Context) {
        if let Some((session, look)) = self.look() {
            context.copy_text(render_command(session, &look));
        }
    }

    /// Copies the command that opens the recording with the current view.
    pub(super) fn copy_link(&self, context: &Context) {
        if let Some((session, look)) = self.look() {
            context.copy_text(link_command(session, &look));
        }
    }

    fn look(&self) -> Option<(&flowline_session::Session, WindowSnapshot<'_>)> {
        let session = self.session.as_ref()?;
        let second = self.other.as_ref().map(|other| (&other.session, other.pairing.alignment()));
        Some((session, WindowSnapshot { second, theme: self.theme, view: self.view_with(true)?.to_link() }))
    }
}
