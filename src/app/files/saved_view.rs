//! Persistence of views: a small JSON file per recording in the user's state folder. [`SavedView`] defines the
//! contents.
//!
//! The file is named by the recording's id, not by its path. A file that cannot be read is renamed, never overwritten.
//! If two windows show one recording, each merges the members that changed since it last wrote into the current
//! contents of the file; for a member that both changed, the last write wins.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::notes_files::RecordingId;
use crate::app::output::{atomic_write, locked};
use flowline_cache::user_folders::state_folder;
use flowline_index::Index;
use flowline_ui::{SavedView, own_arrangement};

/// Value of the first member of a file.
const FORMAT: &str = "flowline view";

/// Contents of a file.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
struct StoredFile {
    format: String,
    recording: String,
    /// A [`SavedView`], with members that only newer versions know.
    view: Value,
}

/// The file with the saved view of a recording.
#[derive(Clone, Debug)]
pub(crate) struct SavedViewFile {
    id: RecordingId,
    file: PathBuf,
    /// The view last read or written, or the initial view of the recording.
    written: Option<SavedView>,
    /// True if the last attempt to write failed.
    failed: bool,
    /// True if the file must not be written: it cannot be read and could not be renamed.
    is_blocked: bool,
}

/// The hidden threads and the order of tracks in the stored view of a recording, as JSON. If there is no readable view, those of
/// the recording itself.
#[must_use]
pub fn arrangement_of(recording: &Path, index: &Index) -> Option<String> {
    match SavedViewFile::for_recording(recording).map(|mut file| file.read()) {
        Some(Ok(Some(view))) => view.arrangement(),
        _ => own_arrangement(index.profile()),
    }
}

impl SavedViewFile {
    /// Returns the file for a recording; `None` without a state folder, or for the bundled example.
    pub(crate) fn for_recording(recording: &Path) -> Option<Self> {
        Self::within(recording, &state_folder()?.join("sessions"))
    }

    pub(super) fn within(recording: &Path, folder: &Path) -> Option<Self> {
        let id = RecordingId::of_file(recording).ok()?;
        let file = folder.join(format!("{}.json", id.0));
        Some(Self { id, file, written: None, failed: false, is_blocked: false })
    }

    /// Reads the view; `None` if there is none.
    ///
    /// # Errors
    /// A message if the file cannot be read; the file is then renamed.
    pub(crate) fn read(&mut self) -> Result<Option<SavedView>, String> {
        let text = match std::fs::read(&self.file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                self.is_blocked = true;
                return Err(format!("{}: {error}", self.file.display()));
            }
        };
        self.parse(&text).map(Some).map_err(|problem| {
            let aside = self.file.with_extension(format!("{}.unread", std::process::id()));
            let is_aside = std::fs::rename(&self.file, &aside).is_ok();
            self.is_blocked = !is_aside;
            let place = if is_aside { &aside } else { &self.file };
            format!("the saved view of this recording cannot be read: {problem} ({})", place.display())
        })
    }

    fn parse(&self, text: &[u8]) -> Result<SavedView, String> {
        SavedView::of_value(self.stored(text)?)
    }

    /// Returns the view in a file.
    fn stored(&self, text: &[u8]) -> Result<Value, String> {
        let file: StoredFile = serde_json::from_slice(text).map_err(|error| format!("the file is damaged: {error}"))?;
        if file.format != FORMAT {
            return Err("it is not a saved view".into());
        }
        if file.recording != self.id.0 {
            return Err("it belongs to another recording".into());
        }
        Ok(file.view)
    }

    /// Treats a view as written: it was read from the file, or it is the initial view of the recording.
    pub(crate) fn assume(&mut self, view: Option<SavedView>) {
        self.written = view;
    }

    /// Writes the view if it changed; returns a message if writing fails for the first time.
    pub(crate) fn write(&mut self, view: SavedView) -> Option<String> {
        if self.is_blocked || self.written.as_ref() == Some(&view) {
            return None;
        }
        let folder = self.file.parent().map(Path::to_owned).unwrap_or_default();
        let error = locked(&folder, || self.write_merged(&folder, &view)).err();
        self.written = Some(view);
        let is_first = !std::mem::replace(&mut self.failed, error.is_some());
        error.filter(|_| is_first).map(|error| format!("{}: {error}", self.file.display()))
    }

    /// Merges the differences between a view and the last written one into the view in the file.
    fn write_merged(&self, folder: &Path, view: &SavedView) -> std::io::Result<()> {
        let stored = match std::fs::read(&self.file) {
            Ok(text) => self.stored(&text).ok().filter(|stored| SavedView::of_value(stored.clone()).is_ok()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            // What other windows and versions wrote would be lost.
            Err(error) => return Err(error),
        };
        let view = match (&self.written, stored) {
            (Some(before), Some(Value::Object(stored))) => {
                Value::Object(merged(&members(before)?, &members(view)?, stored))
            }
            _ => serde_json::to_value(view)?,
        };
        let file = StoredFile { format: FORMAT.to_owned(), recording: self.id.0.clone(), view };
        std::fs::create_dir_all(folder)?;
        atomic_write(&self.file, |out| serde_json::to_writer(out, &file).map(Some).map_err(std::io::Error::from))
            .map(|_| ())
    }
}

/// Returns the members of a view.
fn members(view: &SavedView) -> std::io::Result<Map<String, Value>> {
    match serde_json::to_value(view)? {
        Value::Object(members) => Ok(members),
        _ => Ok(Map::new()),
    }
}

/// Returns the members of `stored` with the changes from `before` to `after` applied.
fn merged(before: &Map<String, Value>, after: &Map<String, Value>, stored: Map<String, Value>) -> Map<String, Value> {
    let is_own = |key: &str| after.get(key) != before.get(key);
    let kept = stored.into_iter().filter(|(key, _)| !is_own(key));
    let own = after.iter().filter(|(key, _)| is_own(key)).map(|(key, value)| (key.clone(), value.clone()));
    kept.chain(own).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(search: &str) -> SavedView {
        SavedView::from_json(format!("{{\"version\":1,\"search\":\"{search}\"}}").as_bytes()).expect("a view")
    }

    #[test]
    fn views_follow_moved_recordings_and_damaged_files_are_renamed() {
        let folder = std::env::temp_dir().join(format!("flowline-views-{}", std::process::id()));
        let (recording, kept) = (folder.join("a.json"), folder.join("kept"));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(&recording, "[1]").expect("written");
        let open = |recording: &Path| SavedViewFile::within(recording, &kept).expect("a place");
        let mut file = open(&recording);
        assert_eq!(file.read(), Ok(None));
        file.assume(Some(view("as it opens")));
        assert_eq!(file.write(view("as it opens")), None);
        assert_eq!(open(&recording).read(), Ok(None), "nothing changed, nothing is written");
        assert_eq!(file.write(view("one")), None);
        let moved = folder.join("b.json");
        std::fs::rename(&recording, &moved).expect("moved");
        assert_eq!(open(&moved).read(), Ok(Some(view("one"))));

        // If only one of two windows changes something, the other writes nothing.
        let mut other = open(&moved);
        other.assume(Some(view("one")));
        assert_eq!((other.write(view("two")), file.write(view("one"))), (None, None));
        assert_eq!(open(&moved).read(), Ok(Some(view("two"))));
        // Changes to different members are merged, and removed members are removed.
        let with =
            |members: &str| SavedView::from_json(format!("{{\"version\":1,{members}}}").as_bytes()).expect("a view");
        assert_eq!(file.write(with(r#""hide_notes":true"#)), None);
        assert_eq!(other.write(with(r#""search":"three""#)), None);
        let read = open(&moved).read().expect("readable").expect("a view");
        assert_eq!(read, with(r#""hide_notes":true,"search":"three""#));
        other.assume(Some(view("one")));
        file.assume(Some(view("one")));
        assert_eq!(file.write(view("one more")), None);

        for damage in [
            "{\"format\":\"flowline view\",\"recording\":\"another\",\"view\":{\"version\":1}}".to_owned(),
            std::fs::read_to_string(&file.file).expect("text").replace("\"version\":1", "\"version\":99"),
            "{\"format\": ".to_owned(),
            "[]".to_owned(),
        ] {
            std::fs::write(&file.file, &damage).expect("written");
            let mut damaged = open(&moved);
            let problem = damaged.read().expect_err("a message");
            let aside = file.file.with_extension(format!("{}.unread", std::process::id()));
            assert!(problem.contains(&aside.display().to_string()), "{problem}");
            assert_eq!(std::fs::read_to_string(&aside).expect("kept"), damage);
            assert_eq!(damaged.read(), Ok(None));
        }
        let blocked = folder.join("blocked");
        std::fs::write(&blocked, "a file, not a folder").expect("written");
        let mut file = SavedViewFile::within(&moved, &blocked).expect("a place");
        assert!(file.write(view("three")).is_some(), "a message is returned");
        assert_eq!(file.write(view("four")), None, "once");
        std::fs::remove_dir_all(&folder).expect("tidied up");
    }
}
