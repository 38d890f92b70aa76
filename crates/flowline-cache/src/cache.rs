//! Finds, lists and stores the indexes of recordings.

use std::fs::File;
use std::io::Result;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::entry::{CachedIndex, EntryFiles, EntryKey, EntryMetadata, Snapshot, TextLocation};
use crate::identity::{FileIdentity, open_regular};
use crate::store::{ClearedCache, Store};
use crate::{entry, identity, store, user_folders, verified_stamps};
use flowline_import as import;

/// Recordings with less text than this are not cached, because reading them again is fast.
const MIN_BYTES: u64 = 8 << 20;

/// The result of a cache lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The index was found.
    Hit,
    /// There is no entry.
    Miss,
    /// The entry cannot be used and will be replaced.
    Rebuilt,
    /// The cache is off.
    Off,
}

impl Outcome {
    /// Name for scripts.
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

/// The index cache, or the reason why it is off.
#[derive(Clone, Debug)]
pub struct Cache(std::result::Result<Settings, &'static str>);

#[derive(Clone, Debug)]
struct Settings {
    store: Store,
    /// Limit for the total size of all entries in bytes; `None` derives it from the free disk space.
    limit: Option<u64>,
    /// Recordings with less text are not cached.
    min_bytes: u64,
}

/// Result of a lookup.
#[derive(Debug)]
pub struct CacheLookup {
    /// The index, on a hit.
    pub found: Option<CachedIndex>,
    /// The kind of result.
    pub outcome: Outcome,
    /// Short reason; empty for a hit.
    pub reason: &'static str,
    /// Stores the index of this recording; `None` if the cache is off.
    pub handle: Option<StoreHandle>,
}

/// Stores the index of a recording. It contains the identity of the recording from before it was read.
#[derive(Clone, Debug)]
pub struct StoreHandle {
    settings: Settings,
    recording: PathBuf,
    key: EntryKey,
    /// True if a usable entry exists.
    is_stored: bool,
}

/// A cache entry, for listing.
#[derive(Clone, Debug)]
pub struct CacheEntry {
    /// Path of the recording when it was stored.
    pub recording: PathBuf,
    /// Size on disk in bytes.
    pub bytes: u64,
    /// Time of the last use.
    pub used: SystemTime,
}

impl Cache {
    /// A disabled cache, with the reason.
    #[must_use]
    pub const fn off(reason: &'static str) -> Self {
        Self(Err(reason))
    }

    /// A cache in a folder, limited to `limit` bytes; by default 8 GiB or a tenth of the free disk space, whichever is
    /// less.
    #[must_use]
    pub const fn new(folder: PathBuf, limit: Option<u64>) -> Self {
        Self(Ok(Settings { store: Store { folder }, limit, min_bytes: MIN_BYTES }))
    }

    /// The cache in the user's cache folder. It is off if others could have put files there: an entry is read as it is.
    #[must_use]
    pub fn for_user(limit: Option<u64>) -> Self {
        let Some(folder) = user_folders::cache_folder() else { return Self::off("the user has no cache folder") };
        user_folders::fault_of(&folder).map_or_else(|| Self::new(folder, limit), Self::off)
    }

    /// The reason why the cache folder is not trusted; `None` if it is used, or if the cache was switched off.
    #[must_use]
    pub fn warning(&self) -> Option<&'static str> {
        self.0.as_ref().err().copied().filter(|reason| user_folders::FAULTS.contains(reason))
    }

    /// The same cache, but only for recordings with at least this many bytes of text.
    #[must_use]
    pub fn with_min_bytes(self, min_bytes: u64) -> Self {
        Self(self.0.map(|settings| Settings { min_bytes, ..settings }))
    }

    /// The folder; `None` if the cache is off.
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
        let program = identity::program();
        let known = open_regular(recording).and_then(|file| Ok((FileIdentity::from_file(&file, recording)?, file)));
        let Ok((identity, file)) = known else { return off("the recording is not a regular file") };
        let key = EntryKey { recording: identity, program };
        let handle = StoreHandle { settings: settings.clone(), recording: recording.to_owned(), key, is_stored: false };
        let (found, outcome, reason) = match open_regular(&handle.index_file()) {
            Err(_) => (None, Outcome::Miss, "no cached index for this recording"),
            Ok(stored) => {
                let (path, stamp) = (handle.index_file(), handle.stamp_file());
                let is_known = verified_stamps::is_known(&stored, &path, &stamp);
                match entry::read(&stored, key, &file, handle.files(&handle.text_file()), is_known) {
                    Err(reason) => (None, Outcome::Rebuilt, reason),
                    Ok(found) => {
                        if !is_known {
                            verified_stamps::remember(&stored, &path, &stamp);
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

    /// Hash of the whole contents of a recording, independent of its name, place and times. It is read from the entry of an
    /// unchanged recording, and computed otherwise.
    ///
    /// # Errors
    /// When the file cannot be read or is not a regular file.
    pub fn content_hash(&self, recording: &Path) -> Result<u64> {
        let file = open_regular(recording)?;
        let stored = self.0.as_ref().ok().and_then(|settings| {
            let identity = FileIdentity::from_file(&file, recording).ok()?;
            let stored = open_regular(&settings.store.index(&identity.name())).ok()?;
            entry::content_of(&stored, &identity)
        });
        stored.map_or_else(|| identity::content_hash(&file), Ok)
    }

    /// All entries, most recently used first.
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

    /// Files of entries that were never finished, with their sizes in bytes.
    #[must_use]
    pub fn leftovers(&self) -> Vec<(PathBuf, u64)> {
        self.0.as_ref().map_or_else(|_| Vec::new(), |settings| settings.store.leftovers())
    }

    /// Removes all entries, and what was left of unfinished ones.
    pub fn clear(&self) -> ClearedCache {
        self.0.as_ref().map_or_else(|_| ClearedCache::default(), |settings| settings.store.clear())
    }
}

impl StoreHandle {
    fn index_file(&self) -> PathBuf {
        self.settings.store.index(&self.key.recording.name())
    }

    /// File for the unpacked text of the recording. It is removed with its entry.
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

    /// Stores an index with its flow tracks, and removes old entries to make room. Returns the number of bytes written,
    /// or `None` if the recording is too small. An unusable entry is removed in any case.
    ///
    /// # Errors
    /// When the entry cannot be written. A partial entry is removed, and other entries are unchanged.
    pub fn store(&self, snapshot: Snapshot<'_>) -> Result<Option<u64>> {
        let path = self.index_file();
        if snapshot.index.profile().meta.json_bytes < self.settings.min_bytes {
            if !self.is_stored {
                store::remove(&path);
            }
            return Ok(None);
        }
        let file = open_regular(&self.recording)?;
        // Computed before the identities are compared, so that a change in the meantime is detected.
        let content = identity::content_hash(&file)?;
        if FileIdentity::from_file(&file, &self.recording)? != self.key.recording {
            return Err(std::io::Error::other("the recording changed while it was read"));
        }
        let text_file = self.text_file();
        let source = &snapshot.index.profile().source;
        let (text, events) = match source.events() {
            // Names and samples of a binary recording are no file.
            Some(events) => {
                let trace = text_location(events.recording().bytes(), &file, &text_file)?;
                (TextLocation::Inside, Some(trace))
            }
            None => (text_location(source.bytes(), &file, &text_file)?, None),
        };
        let store = &self.settings.store;
        store.create()?;
        let limit = self.settings.limit.unwrap_or_else(|| store.default_limit());
        let facts =
            EntryMetadata { key: self.key, content, files: self.files(&text_file), text: &text, events: &events };
        let written = store.write(&self.key.recording.name(), |mut out| entry::write(&mut out, facts, snapshot, limit));
        let bytes = written.map_err(|error| match error.kind() {
            std::io::ErrorKind::FileTooLarge => std::io::Error::other("the index is larger than the cache limit"),
            _ => error,
        })?;
        store.trim(limit, &path);
        // A file that was just written could change again within the timestamp resolution.
        std::thread::sleep(2 * verified_stamps::TIMESTAMP_RESOLUTION);
        if let Ok(written) = open_regular(&path) {
            verified_stamps::remember(&written, &path, &self.stamp_file());
        }
        Ok(Some(bytes))
    }
}

/// Location of a recording's text, or of an unpacked trace, for a restored index.
fn text_location(bytes: &[u8], recording: &File, beside: &Path) -> Result<TextLocation> {
    let length = bytes.len() as u64;
    if let Ok(file) = open_regular(beside)
        && let Ok(identity) = FileIdentity::from_file(&file, beside)
        && identity.length() == length
    {
        return Ok(TextLocation::Beside(identity));
    }
    let is_same = !import::is_compressed_file(recording) && recording.metadata()?.len() == length;
    Ok(if is_same { TextLocation::Recording } else { TextLocation::Inside })
}
