//! The keys of commands as menus and tooltips show them. The key map reaches the widgets through egui's context.

use egui::{Context, Id};

use super::key_map::KeyMap;
use super::ui_command::UiCommand;

fn key_map_id() -> Id {
    Id::unique("key map")
}

/// Tells widgets which key map applies.
pub(crate) fn set_key_map(context: &Context, map: KeyMap) {
    context.data_mut(|data| data.insert_temp(key_map_id(), map));
}

/// Name of a command's key; empty if it has none.
pub(crate) fn shortcut(context: &Context, command: impl Into<UiCommand>) -> String {
    let map = context.data(|data| data.get_temp(key_map_id())).unwrap_or_default();
    let row = command.into().row();
    row.and_then(|row| row.key_names(map).into_iter().next()).unwrap_or_default()
}

/// A text with the key of its command: `Show the whole flow (Shift+F)`.
pub(crate) fn with_shortcut(context: &Context, text: &str, command: impl Into<UiCommand>) -> String {
    match shortcut(context, command).as_str() {
        "" => text.to_owned(),
        key => format!("{text} ({key})"),
    }
}

/// Title of a command with its key.
pub(crate) fn title_with_shortcut(context: &Context, command: impl Into<UiCommand>) -> String {
    let command = command.into();
    with_shortcut(context, command.title(), command)
}
