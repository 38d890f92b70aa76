//! The menu of settings that apply to every recording.

use egui::containers::menu::menu_style;
use egui::{Popup, Ui};

use crate::commands::WindowAction;
use crate::widgets::icon::{Icon, icon_button};
use crate::widgets::menu::{entry, scrolling};
use crate::window::window_command::WindowCommand;
use flowline_profile::Direction;
use flowline_scene::Palette;

/// The commands of the menu.
const ENTRIES: [WindowAction; 8] = [
    WindowAction::Settings,
    WindowAction::Theme,
    WindowAction::Scale(Some(Direction::Forward)),
    WindowAction::Scale(Some(Direction::Back)),
    WindowAction::Scale(None),
    WindowAction::FullScreen,
    WindowAction::FrameTime,
    WindowAction::About,
];

/// Shows the button and, while open, its menu.
pub(super) fn show(ui: &mut Ui, _palette: &Palette, commands: &mut Vec<WindowCommand>) {
    let button = icon_button(ui, Icon::Sliders, "Settings", "Settings");
    Popup::menu(&button).style(menu_style).show(|ui| {
        scrolling(ui, |ui| {
            for action in ENTRIES {
                if entry(ui, action, true) {
                    commands.push(action.into());
                }
            }
        });
    });
}
