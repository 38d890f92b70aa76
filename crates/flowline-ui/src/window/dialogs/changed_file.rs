//! The toast that the file of an open recording has changed. It stays until the user answers it.

use egui::{Context, Id, Rect};

use super::toasts::{self, Pressed, ToastText};
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

/// Shows the toast of a pane at a place above the bottom of the chart. `name` identifies the recording if there are two.
pub(crate) fn show(context: &Context, pane: Pane, name: Option<&str>, (chart, place): (Rect, usize)) -> Option<Choice> {
    let key = shortcut(context, WindowAction::Reload);
    let text = match name {
        Some(name) => format!("{name}: The file has changed. Press {key} to reload it."),
        None => format!("The file has changed. Press {key} to reload it."),
    };
    let text = ToastText { text: &text, button: Some("Reload"), is_failure: false };
    let pressed = toasts::show(context, Id::unique(("changed file", pane)), text, toasts::place_of(chart, place));
    pressed.map(|pressed| match pressed {
        Pressed::Action => Choice::Reload,
        Pressed::Close => Choice::Dismiss,
    })
}
