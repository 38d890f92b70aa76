//! Shows, saves and changes the user's presets.

use std::sync::Arc;

use egui::Context;

use super::Shell;
use crate::toast::Toast;
use crate::window::dialogs::presets::Change;
use crate::window::window_command::WindowCommand;
use flowline_view::{Command, Pane, Preset};

impl Shell {
    /// Shows the dialog while it is open.
    pub(super) fn show_presets_dialog(&mut self, context: &Context) {
        let pane = self.active();
        let session = self.panes.get(pane as usize).map(|contents| &contents.session);
        let Some(session) = session.filter(|_| self.state.show_presets) else {
            self.state.show_presets = false;
            return self.presets_dialog.close();
        };
        for change in self.presets_dialog.show(context, session, &self.presets) {
            match change {
                Change::Save(preset) => self.presets.set(preset),
                Change::Show(preset) => self.pending.push(WindowCommand::ShowPreset(preset)),
                Change::Rename(preset, name) => {
                    self.presets.remove(&preset);
                    self.presets.set(Preset { name, ..Preset::clone(&preset) });
                }
                Change::Delete(preset) => self.presets.remove(&preset),
                Change::Close => self.state.show_presets = false,
            }
            context.request_repaint();
        }
    }

    /// Shows the search and the threads of a preset in a recording, and says if none of its threads is there.
    pub(super) fn show_preset(&mut self, pane: Pane, preset: Arc<Preset>) {
        let Some(session) = self.session_of(pane) else { return };
        if preset.hidden(session.index.profile()).is_none() {
            self.toast(Toast::report("This recording has none of the preset's threads: all are shown"));
        }
        self.apply_to(pane, Command::ShowPreset(preset));
    }
}
