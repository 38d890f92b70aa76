//! Lookups in the registry.

use super::command_row::CommandRow;
use super::key_binding::{KeyBinding, KeyEvent};
use super::key_map::KeyMap;
use super::registry::REGISTRY;
use super::ui_command::UiCommand;

/// The rows of all commands, in the order of the help.
pub(crate) fn command_rows() -> impl Iterator<Item = &'static CommandRow> {
    REGISTRY.iter().flat_map(|section| section.rows)
}

/// The command that a key event runs, and its key; `typing` is true while a text box has the focus.
pub(super) fn row_of_event(
    event: KeyEvent<'_>,
    map: KeyMap,
    typing: bool,
) -> Option<(&'static CommandRow, &'static KeyBinding)> {
    let mut keys = command_rows().flat_map(|row| row.keys(map).iter().map(move |key| (row, key)));
    keys.find(|(_, key)| key.matches(event, typing))
}

impl UiCommand {
    /// The command's row.
    pub(crate) fn row(self) -> Option<&'static CommandRow> {
        let row = command_rows().find(|row| row.command == self);
        debug_assert!(row.is_some(), "{self:?} is in the registry");
        row
    }

    /// Title of the command.
    pub(crate) fn title(self) -> &'static str {
        self.row().map_or("", |row| row.title)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::commands::WindowAction;
    use crate::commands::availability::Requirement;
    use crate::tables::TableKind;

    #[test]
    fn every_command_has_one_row_with_its_own_names() {
        let mut ids = HashSet::new();
        let mut titles = HashSet::new();
        for row in command_rows() {
            assert!(ids.insert(row.id), "{} is used twice", row.id);
            assert!(titles.insert(row.title), "{} is used twice", row.title);
            assert_eq!(command_rows().filter(|other| other.command == row.command).count(), 1, "{}", row.id);
            assert!(row.id.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{}", row.id);
            assert!(row.title.starts_with(|first: char| first.is_ascii_uppercase()), "{}", row.title);
        }
        for (table, ..) in TableKind::ALL {
            assert!(UiCommand::Window(WindowAction::Table(table)).row().is_some());
        }
        let basic: Vec<&str> =
            command_rows().filter(|row| row.requirement == Requirement::Nothing).map(|row| row.id).collect();
        assert!(basic.contains(&"open") && !basic.contains(&"zoom-to-all"), "{basic:?}");
    }

    #[test]
    fn no_key_runs_two_commands() {
        for map in [KeyMap::Flowline, KeyMap::Firefox] {
            let keys = || command_rows().flat_map(|row| row.keys(map).iter().map(move |key| (row.id, key)));
            for (number, (id, key)) in keys().enumerate() {
                for (other, other_key) in keys().skip(number + 1) {
                    assert!(!key.conflicts_with(other_key), "{id} and {other}: {}", key.name());
                }
            }
        }
    }
}
