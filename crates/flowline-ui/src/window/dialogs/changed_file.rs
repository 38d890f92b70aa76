//! The notice that the file of an open recording has changed.

use egui::{Align2, Context, Id};

use crate::commands::{WindowAction, shortcut};
use flowline_view::Pane;

/// The user's choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// Read the file again.
    Reload,
    /// Keep the loaded recording.
    Dismiss,
}

/// Shows the notice of a pane at the bottom of the window. `name` identifies the recording if there are two.
pub(crate) fn show(context: &Context, pane: Pane, name: Option<&str>) -> Option<Choice> {
    let mut choice = None;
    let up = if pane == Pane::A { -40.0 } else { -88.0 };
    let text = format!("The file has changed. Press {} to reload it.", shortcut(context, WindowAction::Reload));
    let window =
        egui::Window::new(text.as_str()).id(Id::unique(("changed file", pane))).title_bar(false).resizable(false);
    window.anchor(Align2::CENTER_BOTTOM, egui::vec2(0.0, up)).show(context, |ui| {
        ui.horizontal(|ui| {
            match name {
                Some(name) => ui.label(format!("{name}: {text}")),
                None => ui.label(&text),
            };
            if ui.button("Reload").clicked() {
                choice = Some(Choice::Reload);
            }
            if ui.button("Dismiss").clicked() {
                choice = Some(Choice::Dismiss);
            }
        });
    });
    choice
}
