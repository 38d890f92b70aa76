//! The index cache: the index of a large recording is stored when the recording is first opened, so that the next opening
//! is instant.
//!
//! An entry is one file in the user's cache folder, and the columns of a restored index borrow from its map. An entry is
//! used only if it is intact (checksums cover every byte, and are compared once in each run of the system), comes from this build of the program, and belongs to exactly
//! this recording (length, times of change, place on the disk, a sample of the contents; if only the time of its status
//! differs, all its contents). Otherwise the recording is read again. What is no regular file is ignored. Failures of the cache never keep a recording from opening: without a home folder, disk space or permission
//! nothing is stored.
//!
//! The unpacked text of a packed recording is stored in the entry, or beside it in [`StoreHandle::text_file`] if the reader
//! unpacked it to that file.

mod checked;
mod checksums;
mod entry;
mod identity;
mod store;
pub mod user_folders;

use std::fs::File;
use std::io::Result;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub use checksums::hash;
pub use entry::{CachedIndex, Snapshot};
use entry::{EntryFacts, EntryFiles, EntryKey, TextLocation};
use flowline_import as import;
use flowline_index::Index;
use identity::open_regular;
pub use identity::{FileIdentity, content_name};
use store::Store;

/// Recordings with less text than this are not stored: reading them again is quick.
const MIN_BYTES: u64 = 8 << 20;

/// The result of a cache lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The index was found.
    Hit,
    /// There is no entry.
    Miss,
    /// There is an entry that cannot be used; it will be replaced.
    Rebuilt,
    /// The cache is off.
    Off,
}

impl Outcome {
    /// The word for scripts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hit => "hit",
            Self::Miss => "miss",
            Self::Rebuilt => "rebuilt",
            Self::Off => "off",
        }
    }
}

/// The index cache, or the reason why there is none.
#[derive(Clone, Debug)]
pub struct Cache(std::result::Result<Settings, &'static str>);

#[derive(Clone, Debug)]
struct Settings {
    store: Store,
    /// Limit for the bytes of all entries; `None` lets the disk decide.
    limit: Option<u64>,
    /// Recordings with less text are not stored.
    min_bytes: u64,
}

/// What a lookup found.
#[derive(Debug)]
pub struct CacheLookup {
    /// The index, on a hit.
    pub found: Option<CachedIndex>,
    /// The kind of result.
    pub outcome: Outcome,
    /// The reason in a few words; empty for a hit.
    pub reason: &'static str,
    /// Stores the index of this recording; `None` if the cache is off.
    pub handle: Option<StoreHandle>,
}

/// Stores an index for a recording. It remembers the identity that the recording had before it was read.
#[derive(Clone, Debug)]
pub struct StoreHandle {
    settings: Settings,
    recording: PathBuf,
    key: EntryKey,
    /// Whether a usable entry exists.
    is_stored: bool,
}

/// An entry of the cache, for lists.
#[derive(Clone, Debug)]
pub struct CacheEntry {
    /// The recording's path when it was stored.
    pub recording: PathBuf,
    /// Bytes on the disk.
    pub bytes: u64,
    /// Time of the last use.
    pub used: SystemTime,
}

impl Cache {
    /// No cache, and the reason.
    #[must_use]
    pub const fn off(reason: &'static str) -> Self {
        Self(Err(reason))
    }

    /// A cache in a folder, within `limit` bytes; without a limit 8 GiB, or a tenth of the free disk if that is less.
    #[must_use]
    pub const fn new(folder: PathBuf, limit: Option<u64>) -> Self {
        Self(Ok(Settings { store: Store { folder }, limit, min_bytes: MIN_BYTES }))
    }

    /// The cache in the user's cache folder.
    #[must_use]
    pub fn for_user(limit: Option<u64>) -> Self {
        let folder = user_folders::cache_folder();
        folder.map_or(Self::off("the user has no cache folder"), |folder| Self::new(folder, limit))
    }

    /// The same cache for recordings with at least this many bytes of text.
    #[must_use]
    pub fn with_min_bytes(self, min_bytes: u64) -> Self {
        Self(self.0.map(|settings| Settings { min_bytes, ..settings }))
    }

    /// The folder, if the cache is on.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.0.as_ref().ok().map(|settings| settings.store.folder.as_path())
    }

    /// Looks up the index of a recording.
    #[must_use]
    pub fn lookup(&self, recording: &Path) -> CacheLookup {
        let off = |reason| CacheLookup { found: None, outcome: Outcome::Off, reason, handle: None };
        let settings = match &self.0 {
            Ok(settings) => settings,
            Err(reason) => return off(reason),
        };
        let Some(program) = identity::program() else { return off("this program's version cannot be told") };
        let known = open_regular(recording).and_then(|file| Ok((FileIdentity::from_file(&file, recording)?, file)));
        let Ok((identity, file)) = known else { return off("the recording is no plain file") };
        let key = EntryKey { recording: identity, program };
        let handle = StoreHandle { settings: settings.clone(), recording: recording.to_owned(), key, is_stored: false };
        let (found, outcome, reason) = match open_regular(&handle.index_file()) {
            Err(_) => (None, Outcome::Miss, "nothing was kept of this recording"),
            Ok(stored) => {
                let (path, stamp) = (handle.index_file(), handle.stamp_file());
                let is_known = checked::is_known(&stored, &path, &stamp);
                match entry::read(&stored, key, &file, handle.files(&handle.text_file()), is_known) {
                    Err(reason) => (None, Outcome::Rebuilt, reason),
                    Ok(found) => {
                        if !is_known {
                            checked::remember(&stored, &path, &stamp);
                        }
                        Store::touch(&stored, &stamp);
                        (Some(found), Outcome::Hit, "")
                    }
                }
            }
        };
        let handle = StoreHandle { is_stored: found.is_some(), ..handle };
        CacheLookup { found, outcome, reason, handle: Some(handle) }
    }

    /// All entries, the last used first.
    #[must_use]
    pub fn list(&self) -> Vec<CacheEntry> {
        let Ok(settings) = &self.0 else { return Vec::new() };
        let entry = |stored: &store::StoredEntry| CacheEntry {
            recording: entry::recording_path(&stored.path),
            bytes: stored.bytes,
            used: stored.used,
        };
        settings.store.list().iter().rev().map(entry).collect()
    }

    /// Removes all entries; returns their number and their bytes.
    pub fn clear(&self) -> (usize, u64) {
        self.0.as_ref().map_or((0, 0), |settings| settings.store.clear())
    }
}

impl StoreHandle {
    fn index_file(&self) -> PathBuf {
        self.settings.store.index(&self.key.recording.name())
    }

    /// The file for the unpacked text of the recording. It is removed with its entry.
    #[must_use]
    pub fn text_file(&self) -> PathBuf {
        self.settings.store.text(&self.key.recording.name())
    }

    fn stamp_file(&self) -> PathBuf {
        self.settings.store.stamp(&self.key.recording.name())
    }

    fn files<'a>(&'a self, text: &'a Path) -> EntryFiles<'a> {
        EntryFiles { recording: &self.recording, text }
    }

    /// Stores an index with its flow tracks, and removes old entries to make room. Returns the bytes written, or `None` if
    /// the recording is too small. An entry that could not be used is removed in any case.
    ///
    /// # Errors
    /// When the entry cannot be written. Nothing of it is left then, and other entries are unchanged.
    pub fn store(&self, snapshot: Snapshot<'_>) -> Result<Option<u64>> {
        let path = self.index_file();
        if snapshot.index.profile().meta.json_bytes < self.settings.min_bytes {
            if !self.is_stored {
                store::remove(&path);
            }
            return Ok(None);
        }
        let file = open_regular(&self.recording)?;
        // Before the identity is compared, so that a change meanwhile is noticed.
        let content = identity::content_hash(&file)?;
        if FileIdentity::from_file(&file, &self.recording)? != self.key.recording {
            return Err(std::io::Error::other("the recording changed while it was read"));
        }
        let text_file = self.text_file();
        let text = self.text_location(snapshot.index, &file, &text_file)?;
        let store = &self.settings.store;
        store.create()?;
        let limit = self.settings.limit.unwrap_or_else(|| store.default_limit());
        let facts = EntryFacts { key: self.key, content, files: self.files(&text_file), text: &text };
        let written = store.write(&self.key.recording.name(), |mut out| entry::write(&mut out, facts, snapshot, limit));
        let bytes = written.map_err(|error| match error.kind() {
            std::io::ErrorKind::FileTooLarge => std::io::Error::other("it would take more room than the cache may"),
            _ => error,
        })?;
        store.trim(limit, &path);
        // What was written a moment ago could change without a sign of it.
        std::thread::sleep(2 * checked::SAME_TIME);
        if let Ok(written) = open_regular(&path) {
            checked::remember(&written, &path, &self.stamp_file());
        }
        Ok(Some(bytes))
    }

    /// Where a restored index will find the recording's text.
    fn text_location(&self, index: &Index, recording: &File, beside: &Path) -> Result<TextLocation> {
        let length = index.profile().source.bytes().len() as u64;
        if let Ok(file) = open_regular(beside)
            && let Ok(identity) = FileIdentity::from_file(&file, beside)
            && identity.length() == length
        {
            return Ok(TextLocation::Beside(identity));
        }
        let is_text = !import::is_packed_file(recording) && recording.metadata()?.len() == length;
        Ok(if is_text { TextLocation::Recording } else { TextLocation::Inside })
    }
}
