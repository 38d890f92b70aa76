//! The text of `docs/keys.md`.

use std::fmt::Write as _;

use super::command_row::{CommandRow, Gesture, Section};
use super::gestures::{GESTURES, WIDGET_KEYS};
use super::key_map::KeyMap;
use super::lookup::command_rows;
use super::registry::REGISTRY;
use crate::tables::samples::TransformKind;

const INTRODUCTION: &str = "\
# Keys and mouse

<!-- Generated from the command registry. To update this file, run the test `keys_md_is_up_to_date` with FLOWLINE_UPDATE=1. -->

`Ctrl+P` finds every command by its name, including those without keys. Keys apply unless a text box has the focus;
most keys with Ctrl also apply there. `--keys firefox`, or `\"keys\": \"firefox\"` in the [settings](settings.md),
selects the keys of the Firefox Profiler.
";

/// The text of `docs/keys.md`: all commands with their keys in both key maps, keys of widgets, and mouse gestures.
#[must_use]
pub fn keys_markdown() -> String {
    let mut text = INTRODUCTION.to_owned();
    for section in REGISTRY {
        write_section(&mut text, section);
    }
    let transforms = TransformKind::ALL.iter().map(|(_, key, title)| (code(&[key.name()]), *title));
    write_table(&mut text, "Sample trees", "keys", transforms);
    let of_widget =
        |keys: &Gesture| (code(&keys.input.split(", ").map(str::to_owned).collect::<Vec<_>>()), keys.effect);
    write_table(&mut text, "Keys of the focused widget", "keys", WIDGET_KEYS.iter().map(of_widget));
    let of_mouse = |gesture: &Gesture| (gesture.input.to_owned(), gesture.effect);
    write_table(&mut text, "Mouse", "gesture", GESTURES.iter().map(of_mouse));
    text
}

/// The key names that README.md and other documents may mention, with the titles of their commands.
#[must_use]
pub fn key_titles() -> Vec<(String, &'static str)> {
    let names = |row: &'static CommandRow| row.key_names(KeyMap::Flowline).into_iter().map(|name| (name, row.title));
    command_rows().flat_map(names).collect()
}

/// Key names as Markdown.
fn code(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn write_section(text: &mut String, section: &Section) {
    // Writing to a string cannot fail.
    _ = write!(text, "\n## {}\n\n| command | keys | Firefox keys |\n|---|---|---|\n", section.title);
    for row in section.rows {
        let [keys, firefox] = [KeyMap::Flowline, KeyMap::Firefox].map(|map| code(&row.key_names(map)));
        _ = writeln!(text, "| {} | {keys} | {firefox} |", row.title);
    }
}

fn write_table(text: &mut String, title: &str, heading: &str, rows: impl Iterator<Item = (String, &'static str)>) {
    _ = write!(text, "\n## {title}\n\n| {heading} | effect |\n|---|---|\n");
    for (input, effect) in rows {
        _ = writeln!(text, "| {input} | {effect} |");
    }
}
