//! The dialogs with the settings and about the program, and the changes that the user makes there.

use egui::Context;

use super::{AppRequest, Shell};
use crate::interface_scale;
use crate::preferences::Preferences;
use crate::window::dialogs::about;
use crate::window::dialogs::settings::{Change, Current};
use crate::window::layout::PanelSizes;
use crate::window::window_command::WindowCommand;
use flowline_view::{Command, Pane};

impl Shell {
    /// Shows the dialogs while they are open.
    pub(super) fn show_settings(&mut self, context: &Context, requests: &mut Vec<AppRequest>) {
        if self.state.show_settings {
            let current = Current {
                theme: self.theme,
                keys: self.keys,
                preferences: &self.preferences,
                file: self.settings_path.as_deref(),
            };
            for change in self.settings.show(context, current) {
                self.change_setting(context, change, requests);
            }
        } else {
            self.settings.close();
        }
        if !self.state.show_about {
            return;
        }
        match about::show(context, &self.facts) {
            Some(about::Choice::Close) => self.state.show_about = false,
            Some(about::Choice::Copy) => context.copy_text(about::report(&self.facts)),
            Some(about::Choice::OpenProject) => requests.push(AppRequest::OpenInBrowser(about::PROJECT.to_owned())),
            None => {}
        }
    }

    fn change_setting(&mut self, context: &Context, change: Change, requests: &mut Vec<AppRequest>) {
        match change {
            // The scene and all widgets change together, in the next frame.
            Change::Theme(theme) => self.pending.push(WindowCommand::Theme(theme)),
            Change::Scale(step) => interface_scale::change(context, step),
            Change::Keys(keys) => self.keys = keys,
            Change::Preferences(preferences) => self.set_preferences(preferences, requests),
            Change::ResetPanels => {
                self.sizes = PanelSizes::default();
                self.state.collapsed = crate::details::section::CollapsedSections::default();
            }
            Change::ShowKeys => self.state.show_help = true,
            Change::ShowAbout => self.state.show_about = true,
            Change::CopyPath => self.settings_path.iter().for_each(|path| context.copy_text(path.clone())),
            Change::Close => self.state.show_settings = false,
        }
        context.request_repaint();
    }

    fn set_preferences(&mut self, preferences: Preferences, requests: &mut Vec<AppRequest>) {
        if preferences == self.preferences {
            return;
        }
        if preferences.compact != self.preferences.compact {
            let open = [Pane::A, Pane::B].into_iter().filter(|pane| self.session_of(*pane).is_some());
            let commands: Vec<WindowCommand> =
                open.map(|pane| WindowCommand::In(pane, Command::Compact(preferences.compact))).collect();
            self.pending.extend(commands);
        }
        self.preferences = preferences;
        requests.push(AppRequest::ApplyPreferences);
    }
}
