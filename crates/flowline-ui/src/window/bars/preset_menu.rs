//! The submenu of presets: those of the recording's format, and the dialog that saves and changes them.

use std::sync::Arc;

use egui::Ui;

use crate::commands::WindowAction;
use crate::widgets::menu::{check_entry, entry, submenu};
use crate::window::window_command::WindowCommand;
use flowline_index::flows::elided;
use flowline_session::Session;
use flowline_view::Presets;

/// Most letters of a name.
const LETTERS: usize = 48;

/// Shows the submenu.
pub(super) fn show(ui: &mut Ui, session: &Session, presets: &Presets, commands: &mut Vec<WindowCommand>) {
    submenu(ui, "Presets", |ui| {
        let kind = session.index.profile().meta.kind;
        let mut own = presets.of_format(kind).peekable();
        let has_any = own.peek().is_some();
        for preset in own {
            if check_entry(ui, elided(&preset.name, LETTERS).as_str(), session.view.shows_preset(preset)) {
                commands.push(WindowCommand::ShowPreset(Arc::clone(preset)));
            }
        }
        if has_any {
            ui.separator();
        }
        if entry(ui, WindowAction::Presets, true) {
            commands.push(WindowAction::Presets.into());
        }
    });
}
