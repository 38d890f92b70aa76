//! Runs the commands of the registry.

use egui::{Key, Ui};

use super::{AppRequest, Shell};
use crate::commands::{CommandContext, Target, UiCommand, ViewAction, WindowAction};
use crate::hidden_panels::PanelKind;
use crate::input::path_target::path_target;
use crate::input::{CommandInput, recording_command};
use crate::tables::TableKind;
use crate::tables::statistics::StatisticsTable;
use crate::widget_requests::{self, NotesFile, RecordingPart};
use crate::window::dialogs::file_chooser::Purpose;
use crate::window::dialogs::save_dialog::{ImageFormat, NotesFormat, Savable};
use flowline_session::Session;
use flowline_view::{Command, Pane, Theme};

impl Shell {
    /// Runs a command; `held` is the key whose release ends it.
    pub(super) fn run(&mut self, ui: &Ui, command: UiCommand, held: Option<Key>) {
        let Some(row) = command.row() else { return };
        let pane = self.pane_for(ui, row.target);
        let context = CommandContext { session: self.session_of(pane), has_second: self.compares() };
        if !row.requirement.is_met(context) {
            return;
        }
        if let UiCommand::Window(action) = command {
            return self.run_window_action(ui, action);
        }
        if let (UiCommand::View(ViewAction::Move(direction)), Some(key)) = (command, held) {
            self.held.push((key, direction));
            self.pane_state.moving = pane;
        }
        self.change(pane, |parts| {
            let focused_flow = parts.panels.focused_flow;
            let input = CommandInput { ui, session: &parts.session, focused_flow, is_held: held.is_some() };
            let effect = recording_command(input, command);
            effect.commands.into_iter().for_each(|command| parts.session.apply(command));
            effect.toast.into_iter().for_each(|toast| widget_requests::show_toast(ui.ctx(), toast));
        });
    }

    /// The recording that a command applies to: the one under the pointer for commands at the pointer, else the active
    /// one.
    fn pane_for(&self, ui: &Ui, target: Target) -> Pane {
        let active = self.active();
        let Some(pointed) = self.pane_at_pointer(ui.ctx()) else { return active };
        let is_over_marker = || self.session_of(pointed).is_some_and(|session| session.view.hovered.is_some());
        match target {
            Target::Pointed => pointed,
            Target::PointedMarker if is_over_marker() => pointed,
            Target::PointedMarker | Target::Active => active,
        }
    }

    fn run_window_action(&mut self, ui: &Ui, action: WindowAction) {
        match action {
            WindowAction::Open | WindowAction::Compare if self.chooser.is_open() => self.chooser.take_focus(),
            WindowAction::Compare if !self.panes.is_empty() => self.choose_file(Purpose::Compare),
            WindowAction::Open | WindowAction::Compare => self.choose_file(Purpose::Open),
            WindowAction::OpenExample => self.app_requests.push(AppRequest::OpenExample),
            WindowAction::Reload => {
                let request = self.reload(self.active());
                self.app_requests.extend(request);
            }
            WindowAction::Close => self.close_recording(),
            WindowAction::CloseSecond => self.close_second_recording(),
            WindowAction::CompareStatistics => self.compare_recordings(),
            WindowAction::CompareScopes => self.change_statistics(StatisticsTable::compare_scopes),
            WindowAction::GroupStatistics => self.change_statistics(StatisticsTable::choose_grouping),
            WindowAction::SaveImage => self.ask_where_to_save(Savable::Picture(ImageFormat::default())),
            WindowAction::SaveRange => self.save_range(),
            WindowAction::SaveNotes => self.save_notes(NotesFormat::File),
            WindowAction::SaveTrace => self.save_notes(NotesFormat::Trace),
            WindowAction::CopyLink => self.copy_link(ui.ctx(), false),
            WindowAction::CopyNotesLink => self.copy_link(ui.ctx(), true),
            WindowAction::CopyCommand => self.copy_command(ui.ctx()),
            WindowAction::Quit => self.app_requests.push(AppRequest::Quit),
            WindowAction::Search => self.state.focus_search = true,
            WindowAction::Find => self.finder.toggle(ui.ctx()),
            WindowAction::Table(table) => self.toggle_table(table),
            WindowAction::Panel(PanelKind::Drawer) => {
                self.show_table(if self.state.table.is_some() { None } else { Some(self.state.last_table) });
            }
            WindowAction::Panel(PanelKind::Details) => {
                // In a narrow window, the details may be closed without being hidden.
                (self.state.hidden.details, self.state.opened_details) =
                    if self.state.shows_details { (true, false) } else { (false, true) };
            }
            WindowAction::Panel(panel) => self.state.hidden.toggle(panel),
            WindowAction::BoxMode => self.state.box_mode = !self.state.box_mode,
            WindowAction::Theme => {
                self.theme = if self.theme == Theme::Dark { Theme::Light } else { Theme::Dark };
            }
            WindowAction::Scale(step) => crate::interface_scale::change(ui.ctx(), step),
            WindowAction::FullScreen => self.app_requests.push(AppRequest::ToggleFullScreen),
            WindowAction::Warnings => self.state.show_warnings = !self.state.show_warnings,
            WindowAction::Help => self.state.show_help = !self.state.show_help,
            WindowAction::Settings => self.state.show_settings = !self.state.show_settings,
            WindowAction::Presets => self.state.show_presets = !self.state.show_presets,
            WindowAction::About => self.state.show_about = !self.state.show_about,
            WindowAction::FrameTime => {
                self.state.show_frame_time = !self.state.show_frame_time;
                self.state.frame_ms = None;
            }
            WindowAction::Escape => {
                if let Some(command) = self.escape(ui.ctx()) {
                    self.apply_to(self.active(), command);
                }
            }
        }
    }

    fn toggle_table(&mut self, table: TableKind) {
        let opens = self.state.table != Some(table);
        self.show_table(Some(table).filter(|_| opens));
        if opens && table == TableKind::CriticalPath {
            self.change(self.active(), |parts| find_path(&mut parts.session));
        }
    }

    fn change_statistics(&mut self, change: impl FnOnce(&mut StatisticsTable)) {
        self.show_table(Some(TableKind::Statistics));
        self.change(self.active(), |parts| change(&mut parts.panels.statistics));
    }

    fn save_range(&mut self) {
        let view = self.view_of(self.active());
        if let Some(session) = self.session_of(self.active()) {
            self.ask_where_to_save(Savable::Part(Box::new(RecordingPart::new(session, view))));
        }
    }

    fn save_notes(&mut self, format: NotesFormat) {
        if let Some(notes) = self.session_of(self.active()).map(NotesFile::new) {
            self.ask_where_to_save_notes(notes, format);
        }
    }
}

/// Shows the critical path for the selection, unless a path is already shown.
fn find_path(session: &mut Session) {
    if session.view.path.is_none()
        && let Some(target) = path_target(session)
    {
        session.apply(Command::ShowPath(Some(target)));
    }
}
