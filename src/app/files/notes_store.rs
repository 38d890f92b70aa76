//! The notes store: one file per recording in the user's state folder, named by the recording's id rather than its
//! path. A file that cannot be read is renamed, never overwritten.
//!
//! Several windows may show one recording. Each merges its own changes into the current contents of the file, note by
//! note, and picks up the changes of the others.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::file_watch::PathStamp;
use super::notes_files::{ReadNotes, RecordingId, read_notes, write_notes};
use crate::app::output::{OutputGuard, locked};
use flowline_cache::user_folders::state_folder;
use flowline_index::Index;
use flowline_profile::notes::{Note, NoteChanges};

/// Stored notes of a recording.
#[derive(Clone, Debug)]
pub struct NotesStore {
    id: RecordingId,
    file: PathBuf,
    /// The notes in the file when this window last read or wrote it.
    written: Arc<Vec<Note>>,
    /// The stamp of the file at that time.
    stamp: Option<PathStamp>,
    /// True if the last attempt to write failed.
    failed: bool,
    /// True if the file could not be read.
    is_set_aside: bool,
}

impl NotesStore {
    /// Returns the notes file of a recording; `None` without a state folder, or if the recording cannot be read.
    #[must_use]
    pub fn for_recording(recording: &Path) -> Option<Self> {
        Self::within(recording, &state_folder()?.join("notes"))
    }

    pub(super) fn within(recording: &Path, folder: &Path) -> Option<Self> {
        let id = RecordingId::of_file(recording).ok()?;
        let file = folder.join(format!("{}.json", id.0));
        Some(Self { id, file, written: Arc::default(), stamp: None, failed: false, is_set_aside: false })
    }

    /// Id of the recording.
    #[must_use]
    pub const fn id(&self) -> &RecordingId {
        &self.id
    }

    /// True unless the last file could not be read.
    #[must_use]
    pub const fn is_readable(&self) -> bool {
        !self.is_set_aside
    }

    /// Reads the stored notes; `None` if there are none. A file that cannot be read is renamed.
    pub fn read(&mut self, index: &Index) -> Option<ReadNotes> {
        self.stamp = PathStamp::of(&self.file);
        self.stamp?;
        match read_notes(&self.file, index, Some(&self.id)) {
            Ok(read) => {
                (self.written, self.is_set_aside) = (Arc::new(read.notes.clone()), false);
                Some(read)
            }
            Err(problem) => {
                let aside = self.file.with_extension(format!("{}.unread", std::process::id()));
                let kept = std::fs::rename(&self.file, &aside).is_ok();
                let place = if kept { aside.display() } else { self.file.display() };
                // A file that could not be renamed is not overwritten.
                (self.failed, self.is_set_aside) = (!kept, true);
                Some(ReadNotes {
                    notes: Vec::new(),
                    problems: vec![format!("the notes of this recording cannot be read: {problem} ({place})")],
                })
            }
        }
    }

    /// Treats these notes as written: they came with the recording itself.
    pub fn assume(&mut self, notes: &Arc<Vec<Note>>) {
        self.written = Arc::clone(notes);
    }

    /// Writes the notes if they changed, merged with the notes that other windows have written meanwhile.
    pub fn write(&mut self, index: &Index, notes: &Arc<Vec<Note>>) -> NotesWriteResult {
        if Arc::ptr_eq(&self.written, notes) || (self.failed && self.is_set_aside) {
            return NotesWriteResult::default();
        }
        if *self.written == **notes {
            self.written = Arc::clone(notes);
            return NotesWriteResult::default();
        }
        let folder = self.file.parent().map(Path::to_owned).unwrap_or_default();
        locked(&folder, || {
            let (others, unknown) = match self.others(index) {
                Ok(others) => (others, None),
                Err(error) => (NoteChanges::default(), Some(error)),
            };
            let merged = if others.is_empty() { Arc::clone(notes) } else { Arc::new(others.applied_to(notes)) };
            let write = || -> std::io::Result<()> {
                unknown.map_or(Ok(()), Err)?;
                std::fs::create_dir_all(&folder)?;
                write_notes(&OutputGuard::default(), &self.file, index, Some(&self.id), &merged)
            };
            let error = write().err();
            (self.written, self.stamp) = (merged, PathStamp::of(&self.file));
            let is_first = !std::mem::replace(&mut self.failed, error.is_some());
            let problem = error.filter(|_| is_first).map(|error| format!("{}: {error}", self.file.display()));
            NotesWriteResult { problem, others }
        })
    }

    /// Returns the changes by other windows since this window last read or wrote the file.
    ///
    /// # Errors
    /// If the file cannot be read and was not renamed: what is in it would be lost.
    fn others(&mut self, index: &Index) -> std::io::Result<NoteChanges> {
        let before = Arc::clone(&self.written);
        if PathStamp::read(&self.file)? == self.stamp {
            return Ok(NoteChanges::default());
        }
        match self.read(index) {
            Some(read) if self.is_readable() => Ok(NoteChanges::between(&before, &read.notes)),
            Some(read) if self.failed => Err(std::io::Error::other(read.problems.join("; "))),
            // The file is gone, or damaged and renamed: this window's notes are written in full.
            _ if PathStamp::read(&self.file)?.is_none() => Ok(NoteChanges::default()),
            _ => Err(std::io::Error::other("the file cannot be read")),
        }
    }
}

/// The result of writing notes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotesWriteResult {
    /// A message if writing fails for the first time.
    pub problem: Option<String>,
    /// Changes by other windows that are already merged into the file but not yet shown.
    pub others: NoteChanges,
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_import::{Progress, read};
    use flowline_index::Arrangement;
    use flowline_index::modifications::entry_of_marker;
    use flowline_profile::notes::{Entry, NoteKind};
    use flowline_profile::{MarkerId, Ns, TimeRange};

    const TRACE: &str = r#"[{"name":"A","ph":"X","pid":1,"tid":1,"ts":10,"dur":5},{"name":"B","ph":"X","pid":1,"tid":1,"ts":20,"dur":5}]"#;

    fn index() -> Index {
        let profile = read(TRACE.as_bytes(), &Progress::default()).expect("a trace").profile;
        Index::build(Arc::new(profile), Arrangement::Stack)
    }

    fn notes(index: &Index) -> Arc<Vec<Note>> {
        let entry = |marker| entry_of_marker(index.profile(), MarkerId(marker)).expect("a marker");
        let note = |kind, text: &str| Note { kind, text: text.to_owned() };
        Arc::new(vec![
            note(NoteKind::Label(entry(1)), "slow \"x\""),
            note(NoteKind::Range(TimeRange::new(Ns(1), Ns(7))), ""),
            note(NoteKind::Link(entry(0), entry(1)), "why"),
            note(NoteKind::Bookmark(Ns(12_345)), "here"),
            note(NoteKind::Label(Entry::unknown("p-1-2-3-4")), "nowhere"),
        ])
    }

    #[test]
    fn notes_follow_moved_recordings_and_damaged_files_are_renamed() {
        let folder = std::env::temp_dir().join(format!("flowline-notes-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let (recording, kept) = (folder.join("a.json"), folder.join("kept"));
        std::fs::write(&recording, TRACE).expect("written");
        let index = index();
        let notes = notes(&index);
        let mut file = NotesStore::within(&recording, &kept).expect("a place");
        assert_eq!(file.read(&index), None);
        assert_eq!(file.write(&index, &notes), NotesWriteResult::default());
        let moved = folder.join("b.json");
        std::fs::rename(&recording, &moved).expect("moved");
        let read = NotesStore::within(&moved, &kept).expect("a place").read(&index).expect("notes");
        assert_eq!(read.notes, *notes);
        assert_eq!(read.problems.len(), 1, "one entry is unknown: {:?}", read.problems);

        let handed_on = folder.join("on.notes.json");
        write_notes(&OutputGuard::default(), &handed_on, &index, Some(&RecordingId("another".into())), &notes)
            .expect("written");
        let read = read_notes(&handed_on, &index, Some(file.id())).expect("readable");
        assert!(read.problems[0].contains("another recording"), "{:?}", read.problems);
        assert_eq!(read.notes, *notes);

        std::fs::write(&file.file, "{\"format\":\"flowline notes\",\"version\":99}").expect("written");
        let mut newer = NotesStore::within(&moved, &kept).expect("a place");
        let read = newer.read(&index).expect("a message");
        assert!(read.notes.is_empty() && read.problems[0].contains("newer"), "{read:?}");
        let aside = std::fs::read_dir(&kept).expect("a folder").filter_map(Result::ok);
        let aside: Vec<_> = aside.filter(|file| file.path().extension().is_some_and(|end| end == "unread")).collect();
        assert_eq!(aside.len(), 1, "the file is renamed");
        assert_eq!(newer.write(&index, &notes), NotesWriteResult::default());
        assert_eq!(
            NotesStore::within(&moved, &kept).and_then(|mut file| file.read(&index)).map(|read| read.notes.len()),
            Some(5)
        );

        let blocked = folder.join("blocked");
        std::fs::write(&blocked, "a file, not a folder").expect("written");
        let mut file = NotesStore::within(&moved, &blocked).expect("a place");
        assert!(file.write(&index, &notes).problem.is_some(), "a message is returned");
        let fewer = Arc::new(notes[1..].to_vec());
        assert_eq!(file.write(&index, &fewer).problem, None, "once");
        std::fs::remove_dir_all(&folder).expect("tidied up");
    }

    #[test]
    fn two_windows_keep_each_others_notes() {
        let folder = std::env::temp_dir().join(format!("flowline-two-windows-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let (recording, kept) = (folder.join("a.json"), folder.join("kept"));
        std::fs::write(&recording, TRACE).expect("written");
        let index = index();
        let all = notes(&index);
        let open = || NotesStore::within(&recording, &kept).expect("a place");
        let (mut first, mut second) = (open(), open());
        let one = Arc::new(vec![all[0].clone()]);
        assert_eq!(first.write(&index, &one), NotesWriteResult::default());
        // The second window was opened before that.
        let two = Arc::new(vec![all[1].clone()]);
        let written = second.write(&index, &two);
        assert_eq!(written.others.applied_to(&two), [all[1].clone(), all[0].clone()]);
        // The first one deletes its note and adds another.
        let three = Arc::new(vec![all[3].clone()]);
        let written = first.write(&index, &three);
        assert_eq!(written.others.applied_to(&three), [all[3].clone(), all[1].clone()]);
        let read = open().read(&index).expect("notes").notes;
        assert_eq!(read, [all[3].clone(), all[1].clone()]);
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
