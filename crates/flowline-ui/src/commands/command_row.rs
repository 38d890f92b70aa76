//! A row of the command registry, and its section.

use super::availability::Requirement;
use super::key_binding::KeyBinding;
use super::key_map::KeyMap;
use super::reach::{Reach, Target};
use super::ui_command::UiCommand;

/// A command with everything that input, help, palette and menus need to know about it.
#[derive(Debug)]
pub(crate) struct CommandRow {
    /// The command.
    pub(crate) command: UiCommand,
    /// Stable name, for automation.
    pub(crate) id: &'static str,
    /// Title: a verb first, in sentence case.
    pub(crate) title: &'static str,
    /// Condition under which the command has an effect.
    pub(crate) requirement: Requirement,
    /// The menus and dialogs that may be open while its keys work.
    pub(crate) reach: Reach,
    /// The recording that it applies to.
    pub(crate) target: Target,
    keys: &'static [KeyBinding],
    /// Keys of the Firefox Profiler's key map, if they differ.
    firefox: Option<&'static [KeyBinding]>,
}

impl CommandRow {
    /// A command that needs a recording.
    pub(super) const fn new(
        command: UiCommand,
        id: &'static str,
        title: &'static str,
        keys: &'static [KeyBinding],
    ) -> Self {
        Self {
            command,
            id,
            title,
            requirement: Requirement::Recording,
            reach: Reach::Chart,
            target: Target::Active,
            keys,
            firefox: None,
        }
    }

    /// The same row with other keys in the Firefox Profiler's key map.
    pub(super) const fn firefox(self, keys: &'static [KeyBinding]) -> Self {
        Self { firefox: Some(keys), ..self }
    }

    /// The same row for a command that needs more or less than a recording.
    pub(super) const fn needs(self, requirement: Requirement) -> Self {
        Self { requirement, ..self }
    }

    /// The same row for a command whose keys also work elsewhere.
    pub(super) const fn reaches(self, reach: Reach) -> Self {
        Self { reach, ..self }
    }

    /// The same row for a command that applies to another recording than the active one.
    pub(super) const fn targets(self, target: Target) -> Self {
        Self { target, ..self }
    }

    /// The keys of the command.
    pub(crate) const fn keys(&self, map: KeyMap) -> &'static [KeyBinding] {
        match (map, self.firefox) {
            (KeyMap::Firefox, Some(keys)) => keys,
            (KeyMap::Firefox, None) | (KeyMap::Flowline, _) => self.keys,
        }
    }

    /// Names of the keys that help and menus list.
    pub(crate) fn key_names(&self, map: KeyMap) -> Vec<String> {
        self.keys(map).iter().filter(|key| key.is_listed()).map(KeyBinding::name).collect()
    }
}

/// Commands under one heading of the help.
#[derive(Debug)]
pub(crate) struct Section {
    /// The heading.
    pub(crate) title: &'static str,
    /// The commands.
    pub(crate) rows: &'static [CommandRow],
}

/// A mouse gesture, or a key that a focused widget handles itself.
#[derive(Debug)]
pub(crate) struct Gesture {
    /// The gesture or the keys.
    pub(crate) input: &'static str,
    /// The effect.
    pub(crate) effect: &'static str,
}
