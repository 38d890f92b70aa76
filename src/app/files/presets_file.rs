//! The user's presets: `presets.json` in the configuration folder, which `docs/settings.md` describes.
//!
//! A preset that cannot be read is ignored, but stays in the file. A file that cannot be read at all is renamed before a new one
//! is written. If two windows save presets, each changes only its own.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::app::output::{atomic_write, locked};
use flowline_cache::user_folders::config_folder;
use flowline_view::{Preset, PresetFormat, PresetThreads, Presets, ThreadPattern};

/// Version of the file.
const VERSION: u64 = 1;
/// Maximum size in bytes of a file that is read.
const MAX_BYTES: u64 = 16 << 20;
/// Keys of the file.
const VERSION_KEY: &str = "version";
const PRESETS_KEY: &str = "presets";

/// A preset as stored.
#[derive(Debug, Deserialize, Serialize)]
struct StoredPreset {
    format: String,
    name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    search: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    only: Option<Vec<StoredThread>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    all_but: Option<Vec<StoredThread>>,
}

/// A name of threads.
#[derive(Debug, Deserialize, Serialize)]
struct StoredThread {
    process: String,
    thread: String,
}

impl StoredPreset {
    fn of(preset: &Preset) -> Self {
        let names = |names: &[ThreadPattern]| {
            let stored =
                |name: &ThreadPattern| StoredThread { process: name.process.clone(), thread: name.thread.clone() };
            Some(names.iter().map(stored).collect())
        };
        let (only, all_but) = match &preset.threads {
            PresetThreads::All => (None, None),
            PresetThreads::Only(own) => (names(own), None),
            PresetThreads::AllBut(own) => (None, names(own)),
        };
        let (format, name, search) = (preset.format.0.clone(), preset.name.clone(), preset.search.clone());
        Self { format, name, search, only, all_but }
    }

    fn preset(self) -> Preset {
        let names = |stored: Vec<StoredThread>| {
            stored.into_iter().map(|StoredThread { process, thread }| ThreadPattern { process, thread }).collect()
        };
        let threads = match (self.only, self.all_but) {
            (Some(own), _) => PresetThreads::Only(names(own)),
            (None, Some(own)) => PresetThreads::AllBut(names(own)),
            (None, None) => PresetThreads::All,
        };
        Preset { format: PresetFormat(self.format), name: self.name, search: self.search, threads }
    }
}

/// The file with the user's presets.
#[derive(Clone, Debug)]
pub(crate) struct PresetsFile {
    /// `None` for a user without a home folder.
    path: Option<PathBuf>,
    /// The presets last read or written.
    written: Presets,
    failed: bool,
}

impl PresetsFile {
    /// The user's file.
    pub(crate) fn of_user() -> Self {
        Self::at(config_folder().map(|folder| folder.join("presets.json")))
    }

    fn at(path: Option<PathBuf>) -> Self {
        Self { path, written: Presets::default(), failed: false }
    }

    /// Reads the presets. A missing file has none.
    ///
    /// # Errors
    /// A sentence with the path if the file cannot be read.
    pub(crate) fn read(&mut self) -> Result<Presets, String> {
        let Some(path) = &self.path else { return Ok(Presets::default()) };
        let members = members_of(path).map_err(|problem| format!("{}: {problem}", path.display()))?;
        self.written = presets_of(&members);
        Ok(self.written.clone())
    }

    /// Writes the changes since the presets were last read or written. Returns the presets of the file, to which another window
    /// may have added some; `None` if nothing changed. The error is a message, for the first failure only.
    pub(crate) fn write(&mut self, presets: &Presets) -> Result<Option<Presets>, String> {
        let Some(path) = self.path.as_deref().filter(|_| *presets != self.written) else { return Ok(None) };
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        let result = locked(&folder, || change(path, &self.written, presets));
        self.written = presets.clone();
        let was_failed = std::mem::replace(&mut self.failed, result.is_err());
        match result {
            Ok(merged) => {
                self.written = merged.clone();
                Ok(Some(merged))
            }
            Err(_) if was_failed => Ok(None),
            Err(error) => Err(format!("{}: {error}", path.display())),
        }
    }
}

/// The members of a file; none if it does not exist.
fn members_of(path: &Path) -> Result<Map<String, Value>, String> {
    match std::fs::metadata(path) {
        Ok(meta) if meta.len() > MAX_BYTES => return Err("the file is larger than 16 MiB".to_owned()),
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Map::new()),
        Err(error) => return Err(error.to_string()),
    }
    let text = std::fs::read(path).map_err(|error| error.to_string())?;
    let Value::Object(members) = serde_json::from_slice(&text).map_err(|error| error.to_string())? else {
        return Err("the presets must be a JSON object".to_owned());
    };
    match members.get(VERSION_KEY) {
        None => Ok(members),
        Some(version) if version.as_u64().is_some_and(|version| version <= VERSION) => Ok(members),
        Some(_) => Err("the presets were written by a newer version of Flowline".to_owned()),
    }
}

/// The presets in a file that can be read.
fn presets_of(members: &Map<String, Value>) -> Presets {
    let list = members.get(PRESETS_KEY).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    list.iter().filter_map(|entry| StoredPreset::deserialize(entry).ok()).map(StoredPreset::preset).collect()
}

/// Applies the changes from `before` to `after` to a file. Returns its presets.
fn change(path: &Path, before: &Presets, after: &Presets) -> std::io::Result<Presets> {
    let mut members = members_of(path).or_else(|_| {
        std::fs::rename(path, path.with_extension(format!("json.{}.unread", std::process::id()))).map(|()| Map::new())
    })?;
    let mut merged = presets_of(&members);
    let has = |presets: &Presets, preset: &Preset| presets.iter().any(|other| other == preset);
    before.iter().filter(|preset| !has(after, preset)).for_each(|preset| merged.remove(preset));
    after.iter().filter(|preset| !has(before, preset)).for_each(|preset| merged.set(preset.clone()));
    let list =
        members.remove(PRESETS_KEY).and_then(|list| if let Value::Array(list) = list { Some(list) } else { None });
    // Entries that only a newer version understands stay.
    let others = list.into_iter().flatten().filter(|entry| StoredPreset::deserialize(entry).is_err());
    let own = merged.iter().map(|preset| serde_json::to_value(StoredPreset::of(preset)));
    let list = own.chain(others.map(Ok)).collect::<Result<Vec<Value>, _>>()?;
    members.entry(VERSION_KEY).or_insert_with(|| json!(VERSION));
    members.insert(PRESETS_KEY.to_owned(), Value::Array(list));
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    atomic_write(path, |out| {
        serde_json::to_writer_pretty(&mut *out, &members)?;
        out.write_all(b"\n").map(Some)
    })?;
    Ok(merged)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn preset(name: &str, threads: PresetThreads) -> Preset {
        Preset { format: PresetFormat("firefox".to_owned()), name: name.to_owned(), search: "a\"b".to_owned(), threads }
    }

    fn named(names: &[&str]) -> Presets {
        names.iter().map(|name| preset(name, PresetThreads::All)).collect()
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("flowline-presets-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    #[test]
    fn presets_survive_and_two_windows_change_only_their_own() {
        let folder = folder("merge");
        let path = folder.join("deep").join("presets.json");
        let open = || PresetsFile::at(Some(path.clone()));
        let mut first = open();
        assert_eq!(first.read(), Ok(Presets::default()));
        assert_eq!(first.write(&Presets::default()), Ok(None), "nothing changed");
        assert!(!path.exists());
        let pattern = ThreadPattern { process: "Web Content".to_owned(), thread: "StyleThread#*".to_owned() };
        let all: Presets = [
            preset("all", PresetThreads::All),
            preset("only", PresetThreads::Only(vec![pattern.clone()])),
            preset("but", PresetThreads::AllBut(vec![pattern])),
            preset("none", PresetThreads::Only(Vec::new())),
        ]
        .into_iter()
        .collect();
        assert_eq!(first.write(&all), Ok(Some(all.clone())));
        let mut second = open();
        assert_eq!(second.read(), Ok(all.clone()));

        assert_eq!(second.write(&named(&["a"])).map(|own| own.map(|own| own.iter().count())), Ok(Some(1)));
        let mut more = all.clone();
        more.set(preset("z", PresetThreads::All));
        let merged = first.write(&more).expect("written").expect("changed");
        assert_eq!(merged, named(&["a", "z"]), "what the second window deleted stays deleted");
        std::fs::remove_dir_all(&folder).expect("tidied up");
    }

    #[test]
    fn damage_is_renamed_and_unknown_entries_stay() {
        let folder = folder("damage");
        let path = folder.join("presets.json");
        let mut file = PresetsFile::at(Some(path.clone()));
        let text = r#"{"version":1,"later":[1],"presets":[7,{"name":"x"},{"format":"firefox","name":"a","search":"a\"b","new":1}]}"#;
        std::fs::write(&path, text).expect("written");
        assert_eq!(file.read(), Ok(named(&["a"])));
        assert_eq!(file.write(&named(&["b"])), Ok(Some(named(&["b"]))));
        let written: Value = serde_json::from_slice(&std::fs::read(&path).expect("text")).expect("JSON");
        let list = json!([{"format": "firefox", "name": "b", "search": "a\"b"}, 7, {"name": "x"}]);
        assert_eq!(written, json!({"version": 1, "later": [1], "presets": list}));
        for damage in ["{\"presets\": ", "[]", "{\"version\": 99}"] {
            std::fs::write(&path, damage).expect("written");
            let mut file = PresetsFile::at(Some(path.clone()));
            assert!(file.read().is_err(), "{damage}");
            assert_eq!(file.write(&named(&["c"])), Ok(Some(named(&["c"]))));
            let aside = path.with_extension(format!("json.{}.unread", std::process::id()));
            assert_eq!(std::fs::read_to_string(aside).expect("kept"), damage);
        }
        std::fs::remove_dir_all(&folder).expect("tidied up");
        std::fs::write(&folder, "a file, not a folder").expect("written");
        let mut file = PresetsFile::at(Some(path));
        assert!(file.write(&named(&["a"])).is_err(), "a message is returned");
        assert_eq!(file.write(&named(&["b"])), Ok(None), "once");
        std::fs::remove_file(&folder).expect("tidied up");
    }
}
