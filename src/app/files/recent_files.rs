//! Recently opened recordings: `recent.json` in the user's state folder, `{"version": 1, "files": [{"path", "bytes",
//! "opened", "kind", "ns", "activity"}]}`, most recent first; `opened` is in seconds since 1970, and the last three are
//! facts about the recording once it was loaded. A missing or damaged file is not an error: the
//! list starts empty.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::app::output::{atomic_write, locked};
use flowline_cache::user_folders::state_folder;
use flowline_profile::Ns;
use flowline_ui::{RecentActivity, RecentFacts, RecentFile};

/// Maximum number of recordings in the list.
const MAX_FILES: usize = 20;
/// Version of the file. Newer versions are neither read nor overwritten.
const VERSION: u64 = 1;
/// Maximum size in bytes of a file that is read.
const MAX_BYTES: u64 = 1 << 20;

/// Recently opened recordings.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecentFiles {
    /// Path of the list; `None` for a user without a home folder.
    file: Option<PathBuf>,
}

/// Contents of the file.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
struct StoredList {
    version: u64,
    #[serde(deserialize_with = "valid_files")]
    files: Vec<StoredFile>,
}

/// One recording. JSON cannot represent paths that are not valid Unicode.
#[derive(Debug, Deserialize, Serialize)]
struct StoredFile {
    path: String,
    #[serde(default)]
    bytes: u64,
    #[serde(default)]
    opened: u64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ns: Option<i64>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    activity: String,
}

/// Reads the valid entries of a list.
fn valid_files<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<StoredFile>, D::Error> {
    let Value::Array(entries) = Value::deserialize(from)? else { return Ok(Vec::new()) };
    Ok(entries.into_iter().filter_map(|entry| StoredFile::deserialize(entry).ok()).collect())
}

/// The list as it can be used.
enum CachedList {
    Files(Vec<RecentFile>),
    /// Written by a newer version of Flowline.
    Newer,
}

impl RecentFiles {
    /// Returns the user's list.
    pub(crate) fn of_user() -> Self {
        Self { file: state_folder().map(|folder| folder.join("recent.json")) }
    }

    /// Reads the list, most recent first.
    pub(crate) fn read(&self) -> Vec<RecentFile> {
        match self.kept() {
            CachedList::Files(files) => files,
            CachedList::Newer => Vec::new(),
        }
    }

    /// Moves a newly opened recording to the front. Returns the new list.
    pub(crate) fn add(&self, recording: &Path) -> Vec<RecentFile> {
        let Ok(path) = std::fs::canonicalize(recording) else { return self.read() };
        let bytes = std::fs::metadata(&path).map_or(0, |meta| meta.len());
        self.change(|files| {
            // The facts still apply until the recording is loaded, unless its file has changed.
            let known = files.iter().find(|file| file.path == path && file.bytes == bytes);
            let facts = known.and_then(|file| file.facts.clone());
            files.retain(|file| file.path != path);
            files.insert(0, RecentFile { path: path.clone(), bytes, opened: SystemTime::now(), facts });
            files.truncate(MAX_FILES);
        })
    }

    /// Stores facts about a recording in the list. Returns the new list.
    pub(crate) fn describe(&self, recording: &Path, facts: &RecentFacts) -> Vec<RecentFile> {
        let Ok(path) = std::fs::canonicalize(recording) else { return self.read() };
        self.change(|files| {
            let of_recording = files.iter_mut().filter(|file| file.path == path);
            of_recording.for_each(|file| file.facts = Some(facts.clone()));
        })
    }

    /// Removes a recording from the list. Returns the new list.
    pub(crate) fn remove(&self, recording: &Path) -> Vec<RecentFile> {
        self.change(|files| files.retain(|file| file.path != recording))
    }

    /// Changes the current list on disk, which another window may have written. Write errors are ignored.
    fn change(&self, edit: impl FnOnce(&mut Vec<RecentFile>)) -> Vec<RecentFile> {
        let change = || {
            let CachedList::Files(mut files) = self.kept() else { return Vec::new() };
            edit(&mut files);
            if let Some(file) = &self.file {
                let _not_kept = write(file, &files);
            }
            files
        };
        match self.file.as_deref().and_then(Path::parent) {
            Some(folder) => locked(folder, change),
            None => change(),
        }
    }

    fn kept(&self) -> CachedList {
        let nothing = CachedList::Files(Vec::new());
        let Some(file) = &self.file else { return nothing };
        if std::fs::metadata(file).is_ok_and(|meta| meta.len() > MAX_BYTES) {
            return nothing;
        }
        let Some(list) = std::fs::read(file).ok().and_then(|text| serde_json::from_slice::<StoredList>(&text).ok())
        else {
            return nothing;
        };
        if list.version > VERSION {
            return CachedList::Newer;
        }
        CachedList::Files(list.files.into_iter().filter_map(recent_file).take(MAX_FILES).collect())
    }
}

fn recent_file(stored: StoredFile) -> Option<RecentFile> {
    let path = PathBuf::from(stored.path);
    let opened = UNIX_EPOCH.checked_add(Duration::from_secs(stored.opened))?;
    let activity = RecentActivity::from_text(&stored.activity).unwrap_or_default();
    let length = stored.ns.filter(|ns| (0..Ns::LIMIT).contains(ns)).map(Ns);
    let facts = length.map(|length| RecentFacts { kind: stored.kind.chars().take(100).collect(), length, activity });
    path.is_absolute().then_some(RecentFile { path, bytes: stored.bytes, opened, facts })
}

fn write(file: &Path, files: &[RecentFile]) -> std::io::Result<()> {
    let stored = |recent: &RecentFile| {
        let opened = recent.opened.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let facts = recent.facts.as_ref();
        Some(StoredFile {
            path: recent.path.to_str()?.to_owned(),
            bytes: recent.bytes,
            opened,
            kind: facts.map(|facts| facts.kind.clone()).unwrap_or_default(),
            ns: facts.map(|facts| facts.length.0),
            activity: facts.map(|facts| facts.activity.to_text()).unwrap_or_default(),
        })
    };
    let list = StoredList { version: VERSION, files: files.iter().filter_map(stored).collect() };
    std::fs::create_dir_all(file.parent().unwrap_or(Path::new(".")))?;
    atomic_write(file, |out| serde_json::to_writer(out, &list).map(Some).map_err(std::io::Error::from)).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a check with a list in a temporary folder.
    fn with_list(name: &str, check: impl FnOnce(&RecentFiles, &Path)) {
        let folder = std::env::temp_dir().join(format!("flowline-recent-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("folder");
        let folder = folder.canonicalize().expect("folder");
        check(&RecentFiles { file: Some(folder.join("state/recent.json")) }, &folder);
        std::fs::remove_dir_all(&folder).expect("clean up");
    }

    #[test]
    fn the_latest_recording_is_first_and_the_oldest_are_dropped() {
        with_list("order", |list, folder| {
            assert!(list.read().is_empty());
            for number in 0..MAX_FILES + 5 {
                let path = folder.join(format!("{number}.json"));
                std::fs::write(&path, vec![b' '; number]).expect("file");
                list.add(&path);
            }
            list.add(&folder.join("7.json"));
            let files = list.read();
            assert_eq!(files.len(), MAX_FILES);
            let names: Vec<String> = files.iter().take(3).map(RecentFile::name).collect();
            assert_eq!(names, ["7.json", "24.json", "23.json"]);
            assert_eq!((files[0].bytes, files[1].bytes), (7, 24));
            let left = list.remove(&folder.join("24.json"));
            assert_eq!((left.len(), left[1].name()), (MAX_FILES - 1, "23.json".to_owned()));
            assert_eq!(list.read(), left);
            assert!(list.add(&folder.join("missing.json")) == left, "missing files are not listed");
        });
    }

    #[test]
    fn damaged_lists_start_empty_and_newer_ones_are_unchanged() {
        with_list("damaged", |list, folder| {
            let file = folder.join("state/recent.json");
            let path = folder.join("a.json");
            std::fs::write(&path, "[]").expect("file");
            list.add(&path);
            for text in
                ["", "{", "[]", "{\"files\": 3}", "{\"files\": [1, {\"path\": 2}, {\"path\": \"not absolute\"}]}"]
            {
                std::fs::write(&file, text).expect("list");
                assert!(list.read().is_empty(), "{text}");
            }
            assert_eq!(list.add(&path).len(), 1);
            let newer = "{\"version\": 2, \"files\": {}}";
            std::fs::write(&file, newer).expect("list");
            assert!(list.add(&path).is_empty());
            assert_eq!(std::fs::read_to_string(&file).expect("list"), newer);
        });
    }

    #[test]
    fn facts_are_kept_until_the_file_changes_and_damage_drops_only_them() {
        with_list("facts", |list, folder| {
            let path = folder.join("a.json");
            std::fs::write(&path, "[]").expect("file");
            list.add(&path);
            let activity = RecentActivity::from_text(&"0300000000".repeat(32)).expect("an activity");
            let facts = RecentFacts { kind: "Firefox 153".to_owned(), length: Ns(5_000), activity };
            assert_eq!(list.describe(&path, &facts)[0].facts.as_ref(), Some(&facts));
            assert_eq!(list.read()[0].facts.as_ref(), Some(&facts));
            assert_eq!(list.add(&path)[0].facts.as_ref(), Some(&facts));
            let file = folder.join("state/recent.json");
            let text = std::fs::read_to_string(&file).expect("list");
            assert!(text.len() < 2_000, "{}", text.len());
            std::fs::write(&file, text.replace("0300", "zzz")).expect("list");
            let read = list.read();
            assert_eq!(read[0].facts.as_ref().map(|facts| facts.activity.columns().len()), Some(0));
            std::fs::write(&path, "[{}]").expect("file");
            assert_eq!(list.add(&path)[0].facts, None);
        });
    }
}
