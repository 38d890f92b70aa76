//! The format of `settings.json`. All keys are optional, and unknown keys are ignored because newer versions may define
//! them. An invalid value does not affect other keys.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use flowline_ui::{KeyMap, SourceSearch};
use flowline_view::Theme;

/// Version of the file; newer versions are not read.
pub(super) const VERSION: i64 = 1;

/// The keys of the file.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct StoredSettings {
    version: Setting<i64>,
    pub(super) theme: Setting<ThemeName>,
    pub(super) scale: Setting<f64>,
    pub(super) keys: Setting<KeysName>,
    pub(super) density: Setting<DensityName>,
    pub(super) max_memory: Setting<u64>,
    pub(super) sizes: Setting<Map<String, Value>>,
    pub(super) collapsed_details: Setting<Map<String, Value>>,
    pub(super) open_place: Setting<CommandLine>,
    pub(super) open_link: Setting<CommandLine>,
    pub(super) look_up: Setting<BTreeMap<String, Setting<Template>>>,
}

impl StoredSettings {
    /// Reads a file.
    ///
    /// # Errors
    /// If it is not a JSON object, or has a newer version.
    pub(super) fn read(text: &[u8]) -> Result<Self, String> {
        // Unlike a struct, a map accepts repeated keys; the last one is used.
        let members: Value = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        if !members.is_object() {
            return Err("the settings must be a JSON object".into());
        }
        let settings = Self::deserialize(members).map_err(|error| error.to_string())?;
        match settings.version {
            Setting::Absent => Ok(settings),
            Setting::Valid(version) if version <= VERSION => Ok(settings),
            Setting::Valid(_) | Setting::Invalid => {
                Err("the settings were written by a newer version of Flowline".into())
            }
        }
    }
}

/// The value of a key.
#[derive(Debug, Default)]
pub(super) enum Setting<T> {
    #[default]
    Absent,
    Valid(T),
    Invalid,
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Setting<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(T::deserialize(Value::deserialize(from)?).map_or(Self::Invalid, Self::Valid))
    }
}

/// A color theme.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ThemeName {
    Dark,
    Light,
}

impl From<ThemeName> for Theme {
    fn from(name: ThemeName) -> Self {
        match name {
            ThemeName::Dark => Self::Dark,
            ThemeName::Light => Self::Light,
        }
    }
}

impl From<Theme> for ThemeName {
    fn from(theme: Theme) -> Self {
        match theme {
            Theme::Dark => Self::Dark,
            Theme::Light => Self::Light,
        }
    }
}

/// Key bindings.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum KeysName {
    Flowline,
    Firefox,
}

impl From<KeysName> for KeyMap {
    fn from(name: KeysName) -> Self {
        match name {
            KeysName::Flowline => Self::Flowline,
            KeysName::Firefox => Self::Firefox,
        }
    }
}

impl From<KeyMap> for KeysName {
    fn from(map: KeyMap) -> Self {
        match map {
            KeyMap::Flowline => Self::Flowline,
            KeyMap::Firefox => Self::Firefox,
        }
    }
}

/// Heights of rows.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum DensityName {
    Normal,
    Compact,
}

/// A program and its arguments.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Vec<String>")]
pub(super) struct CommandLine(pub(super) Vec<String>);

impl TryFrom<Vec<String>> for CommandLine {
    type Error = &'static str;

    fn try_from(words: Vec<String>) -> Result<Self, Self::Error> {
        match words.first() {
            Some(program) if !program.is_empty() => Ok(Self(words)),
            _ => Err("no program"),
        }
    }
}

/// A URL template for searching source code; empty to disable the search.
#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Template(pub(super) String);

impl TryFrom<String> for Template {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if text.is_empty() || SourceSearch::is_template(&text) { Ok(Self(text)) } else { Err("not a URL template") }
    }
}
