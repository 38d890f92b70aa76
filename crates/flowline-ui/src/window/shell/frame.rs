//! A frame of the window: commands, input, layout, and widgets, in this order.

use std::path::PathBuf;

use egui::Ui;

use super::{AppRequest, Shell};
use crate::tables::TableKind;
use crate::widget_requests::NotesFile;
use crate::widgets::style;
use crate::window::dialogs::file_chooser::Purpose;
use crate::window::dialogs::save_dialog::{NotesFormat, Savable};
use crate::window::window_command::WindowCommand;
use flowline_view::Pane;

impl Shell {
    /// Runs one frame except for drawing the canvas; returns requests to the application. Nothing after the refresh
    /// changes the view: the widgets' commands are applied at the beginning of the next frame, which is requested
    /// immediately.
    pub fn show(&mut self, ui: &mut Ui) -> Vec<AppRequest> {
        for command in std::mem::take(&mut self.pending) {
            self.apply(ui, command);
        }
        let input = tracing::trace_span!("input").entered();
        self.handle_input(ui);
        self.advance(ui);
        drop(input);
        self.follow_theme(ui);
        let layout = self.refresh(ui);
        let mut requests = std::mem::take(&mut self.app_requests);
        requests.extend(self.dropped(ui));
        let tables_were_busy = self.tables_are_busy();
        let widgets = tracing::trace_span!("widgets").entered();
        self.show_widgets(ui, layout, &mut requests);
        drop(widgets);
        // Results that a table received while it was shown may contradict the widgets above it.
        let have_found = tables_were_busy && !self.tables_are_busy();
        if have_found || self.is_moving() {
            ui.ctx().request_repaint();
        }
        self.was_typing = ui.ctx().text_edit_focused();
        requests
    }

    /// Applies a command to the window or the view.
    fn apply(&mut self, ui: &Ui, command: WindowCommand) {
        match command {
            WindowCommand::View(command) => self.apply_to(self.active(), command),
            WindowCommand::In(pane, command) => self.apply_to(pane, command),
            WindowCommand::Run(command) => self.run(ui, command, None),
            WindowCommand::OpenRecent(path) => self.app_requests.push(AppRequest::OpenFile(path)),
            WindowCommand::Align(alignment) => self.align(alignment),
            WindowCommand::ShowTable(table) => self.show_table(table),
            WindowCommand::ShowPreset(preset) => self.show_preset(self.active(), preset),
            WindowCommand::Theme(theme) => self.theme = theme,
        }
    }

    /// Shows the save dialog.
    pub(super) fn ask_where_to_save(&mut self, what: Savable) {
        // The active recording comes first, because data is saved from it.
        let panes = [self.active(), self.active().other()];
        let open = panes.into_iter().filter_map(|pane| self.session_of(pane));
        let recordings: Vec<PathBuf> = open.map(|session| session.path.clone()).collect();
        self.save.open(what, &recordings);
    }

    /// Asks for a file for notes; a copy of a trace also contains the hidden threads and the order of tracks.
    pub(super) fn ask_where_to_save_notes(&mut self, notes: NotesFile, format: NotesFormat) {
        let arrangement = self.view_of(self.active()).and_then(|view| view.arrangement());
        self.ask_where_to_save(Savable::Notes(NotesFile { arrangement, ..notes }, format));
    }

    pub(super) fn show_table(&mut self, table: Option<TableKind>) {
        if table == Some(TableKind::Query) && self.state.table != table {
            let pane = self.active();
            self.pane_mut(pane).into_iter().for_each(|parts| parts.panels.query.focus_editor());
        }
        self.state.last_table = table.or(self.state.table).unwrap_or(self.state.last_table);
        self.state.table = table;
    }

    fn follow_theme(&mut self, ui: &Ui) {
        let theme = self.theme;
        if self.applied_theme != Some(self.theme) {
            style::apply(ui.ctx(), self.theme);
            ui.ctx().options_mut(|options| {
                // Flowline binds these keys itself, with limits and persistence.
                options.zoom_with_keyboard = false;
                // The first pass measures a tooltip's height, the second finds its position, the third draws it there.
                options.max_passes = std::num::NonZeroUsize::MIN.saturating_add(2);
            });
            self.applied_theme = Some(self.theme);
        }
        for pane in Pane::ALL {
            self.pane_mut(pane).into_iter().for_each(|parts| parts.session.view.theme = theme);
        }
    }

    pub(super) fn choose_file(&mut self, purpose: Purpose) {
        let folder_of = self.panes.first().map(|first| first.session.path.as_path());
        self.chooser.open(folder_of, purpose, &self.formats);
    }
}
