//! Writes the user's settings: changes made in the window are merged into `settings.json`, and everything else in the
//! file keeps its value and order. A file that cannot be read is renamed before a new one is written.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::settings::settings_file;
use super::settings_format::{DensityName, KeysName, ThemeName, VERSION};
use crate::app::output::atomic_write;
use flowline_json::write_json_string;
use flowline_json::{Cursor, decode_value};
use flowline_profile::Value;
use flowline_ui::{CollapsedSections, KeyMap, Preferences, SavedPanelSizes};
use flowline_view::Theme;

/// Settings that the window changes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WindowSettings {
    /// Color theme.
    pub(crate) theme: Theme,
    /// Interface scale.
    pub(crate) scale: f32,
    /// Collapsed sections of the details.
    pub(crate) collapsed: CollapsedSections,
    /// Key bindings.
    pub(crate) keys: KeyMap,
    /// Settings of the settings dialog.
    pub(crate) preferences: Preferences,
}

/// Writer for the user's settings file.
#[derive(Clone, Debug)]
pub(crate) struct SettingsFile {
    path: Option<PathBuf>,
    kept: WindowSettings,
    sizes: SavedPanelSizes,
    failed: bool,
}

impl SettingsFile {
    /// Creates a writer. `kept` and `sizes` are the initial values of the window; only changes are written.
    pub(crate) fn new(kept: WindowSettings, sizes: SavedPanelSizes) -> Self {
        Self { path: settings_file(), kept, sizes, failed: false }
    }

    /// A writer for another file.
    #[cfg(test)]
    pub(super) fn at(path: PathBuf, kept: WindowSettings) -> Self {
        Self { path: Some(path), kept, sizes: SavedPanelSizes::default(), failed: false }
    }

    /// Writes the changed settings; returns a message if writing fails for the first time.
    pub(crate) fn write(&mut self, kept: WindowSettings) -> Option<String> {
        let before = std::mem::replace(&mut self.kept, kept);
        let kept = &self.kept;
        let mut members = preference_changes(&before.preferences, &kept.preferences);
        if kept.keys != before.keys {
            members.push(("keys", value_of(&KeysName::from(kept.keys))));
        }
        if kept.theme != before.theme {
            members.push(("theme", value_of(&ThemeName::from(kept.theme))));
        }
        if (kept.scale - before.scale).abs() > 1e-3 {
            // Rounding writes 0.1 instead of the nearest float.
            let scale = (f64::from(kept.scale) * 1000.0).round() / 1000.0;
            members.push(("scale", Value::Number(scale)));
        }
        if kept.collapsed != before.collapsed {
            members.push(("collapsed_details", value_of(&kept.collapsed)));
        }
        self.change(members)
    }

    /// Writes the panel sizes if they changed; returns a message if writing fails for the first time.
    pub(crate) fn write_sizes(&mut self, sizes: SavedPanelSizes) -> Option<String> {
        if std::mem::replace(&mut self.sizes, sizes) == sizes {
            return None;
        }
        let Value::Object(members) = value_of(&sizes) else { return None };
        let rounded = |(key, size): (String, Value)| {
            let size = size.as_f64().unwrap_or_default();
            (key, Value::Number((size * 100.0).round() / 100.0))
        };
        self.change(vec![("sizes", Value::Object(members.into_iter().map(rounded).collect()))])
    }

    fn change(&mut self, members: Vec<(&str, Value)>) -> Option<String> {
        let path = self.path.as_ref().filter(|_| !members.is_empty())?;
        let error = change(path, members).err();
        let is_first = !std::mem::replace(&mut self.failed, error.is_some());
        error.filter(|_| is_first).map(|error| format!("{}: {error}", path.display()))
    }
}

/// The members of the file for changed settings of the dialog. A member that is `null` is removed.
fn preference_changes(before: &Preferences, own: &Preferences) -> Vec<(&'static str, Value)> {
    let mut members = Vec::new();
    if own.compact != before.compact {
        let density = if own.compact { DensityName::Compact } else { DensityName::Normal };
        members.push(("density", value_of(&density)));
    }
    let commands =
        [("open_place", &before.open_place, &own.open_place), ("open_link", &before.open_link, &own.open_link)];
    for (key, _, own) in commands.into_iter().filter(|(_, before, own)| before != own) {
        members.push((key, if own.is_empty() { Value::Null } else { value_of(own) }));
    }
    if own.max_memory != before.max_memory {
        members.push(("max_memory", value_of(&own.max_memory)));
    }
    if own.source_search != before.source_search {
        let addresses: BTreeMap<String, String> = own.source_search.changed().into_iter().collect();
        members.push(("look_up", value_of(&addresses)));
    }
    members
}

/// Returns the JSON of a value in the form that preserves the order of members and all digits.
fn value_of(value: &impl Serialize) -> Value {
    let text = serde_json::to_vec(value).unwrap_or_default();
    decode_value(&mut Cursor::at(&text, 0)).unwrap_or(Value::Null)
}

/// Changes members of a settings file.
fn change(path: &Path, changed: Vec<(&str, Value)>) -> std::io::Result<()> {
    let mut members = match std::fs::read(path) {
        Ok(text) => match decode_value(&mut Cursor::at(&text, 0)) {
            Ok(Value::Object(members)) if is_readable(&text, &members) => members,
            _ => {
                std::fs::rename(path, path.with_extension(format!("json.{}.unread", std::process::id())))?;
                Vec::new()
            }
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(error),
    };
    for (key, value) in changed {
        members.retain(|(name, _)| name != key);
        members.extend((value != Value::Null).then(|| (key.to_owned(), value)));
    }
    let mut text = String::new();
    pretty(&Value::Object(members), 0, &mut text);
    text.push('\n');
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    atomic_write(path, |out| out.write_all(text.as_bytes()).map(Some)).map(|_| ())
}

/// Returns true if this version may write to a file with these settings.
fn is_readable(text: &[u8], members: &[(String, Value)]) -> bool {
    let version = members.iter().rev().find(|(key, _)| key == "version").map(|(_, version)| version.as_i64());
    // The tolerant reader ignores trailing text after the object.
    serde_json::from_slice::<serde_json::Value>(text).is_ok()
        && version.is_none_or(|version| version.is_some_and(|version| version <= VERSION))
}

/// Writes readable JSON with one member per line.
fn pretty(value: &Value, depth: usize, out: &mut String) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (number, (key, member)) in members.iter().enumerate() {
                out.push_str(if number == 0 { "{\n" } else { ",\n" });
                out.push_str(&"  ".repeat(depth + 1));
                write_json_string(out, key);
                out.push_str(": ");
                pretty(member, depth + 1, out);
            }
            out.push('\n');
            out.push_str(&"  ".repeat(depth));
            out.push('}');
        }
        other => other.to_json(out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_changes_are_written_and_the_rest_is_kept() {
        let folder = std::env::temp_dir().join(format!("flowline-settings-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("settings.json");
        let kept = WindowSettings {
            theme: Theme::Dark,
            scale: 1.0,
            collapsed: CollapsedSections::default(),
            keys: KeyMap::Flowline,
            preferences: Preferences::default(),
        };
        let open = || SettingsFile::at(path.clone(), kept.clone());
        let read = || std::fs::read_to_string(&path).expect("settings");
        assert_eq!(open().write(kept.clone()), None);
        assert!(!path.exists(), "nothing changed");
        let text = "{\"z\": [1, 2], \"open_place\": [\"ed\", \"{file}\"], \"theme\": \"dark\"}";
        std::fs::write(&path, text).expect("written");
        let mut file = open();
        assert_eq!(file.write(WindowSettings { theme: Theme::Light, ..kept.clone() }), None);
        let mut other = open();
        assert_eq!(other.write(WindowSettings { scale: 1.2, ..kept.clone() }), None);
        assert_eq!(
            read(),
            "{\n  \"z\": [1,2],\n  \"open_place\": [\"ed\",\"{file}\"],\n  \"theme\": \"light\",\n  \"scale\": 1.2\n}\n"
        );
        let collapsed = CollapsedSections { stack: true, ..CollapsedSections::default() };
        assert_eq!(open().write(WindowSettings { collapsed, ..kept.clone() }), None);
        assert!(read().contains("\"collapsed_details\": {\n    \"stack\": true\n  }"), "{}", read());
        let preferences = Preferences {
            compact: true,
            open_place: vec!["vi".to_owned(), "{file}".to_owned()],
            max_memory: Some(8_000_000_000),
            ..Preferences::default()
        };
        let mut dialog = open();
        assert_eq!(dialog.write(WindowSettings { keys: KeyMap::Firefox, preferences, ..kept.clone() }), None);
        for member in [
            "\"keys\": \"firefox\"",
            "\"density\": \"compact\"",
            "\"open_place\": [\"vi\",\"{file}\"]",
            "\"max_memory\": 8000000000",
        ] {
            assert!(read().contains(member), "{}", read());
        }
        assert_eq!(dialog.write(kept.clone()), None);
        assert!(!read().contains("open_place") && !read().contains("max_memory"), "{}", read());
        assert_eq!(file.write_sizes(SavedPanelSizes { labels: Some(200.5), ..SavedPanelSizes::default() }), None);
        assert!(read().contains("\"sizes\": {\n    \"labels\": 200.5\n  }"), "{}", read());

        for damage in ["{\"theme\": ", "[]", "{\"version\": 99}"] {
            std::fs::write(&path, damage).expect("written");
            assert_eq!(open().write(WindowSettings { scale: 2.0, ..kept.clone() }), None);
            assert_eq!(read(), "{\n  \"scale\": 2\n}\n");
            let aside = path.with_extension(format!("json.{}.unread", std::process::id()));
            assert_eq!(std::fs::read_to_string(aside).expect("kept"), damage);
        }
        std::fs::remove_dir_all(&folder).expect("tidied up");
        std::fs::write(&folder, "a file, not a folder").expect("written");
        let mut file = open();
        assert!(file.write(WindowSettings { scale: 2.0, ..kept.clone() }).is_some(), "a message is returned");
        assert_eq!(file.write(WindowSettings { scale: 3.0, ..kept.clone() }), None, "once");
        std::fs::remove_file(&folder).expect("tidied up");
    }
}
