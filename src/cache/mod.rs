//! Indexes kept from one opening to the next, so that a second opening is instant.
//!
//! A recording that took long to load leaves its profile and index in the user's cache folder: one file, whose columns
//! are borrowed from its map. It is used when it is certainly this recording's (length, time, place, a sample of the
//! contents), this program's, and intact (every byte is covered by checksums, compared before anything is read); otherwise
//! the recording is read as if nothing had been kept. Nothing here can keep a recording from being opened: no home, no
//! room, no permission mean that nothing is kept.
//!
//! Packed recordings leave their text, too: in the entry, or, if whoever unpacked it has put it there, in the file
//! [`Ticket::text_file`] beside it.

mod entry;
mod identity;
mod store;
mod sums;

use std::fs::File;
use std::io::Result;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::index::Index;
use entry::{Files, Key, Text};
pub use entry::{Found, Keep};
use identity::Identity;
use store::Store;

/// Recordings of less text than this are not kept: reading them again costs less than anybody notices.
const WORTH: u64 = 8 << 20;

/// What became of the wish to find an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was found.
    Hit,
    /// There is none.
    Miss,
    /// There is one of no use; it will be replaced.
    Rebuilt,
    /// None is looked for, and none kept.
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

/// Where indexes are kept, if they are.
#[derive(Clone, Debug)]
pub struct Cache(std::result::Result<Settings, &'static str>);

#[derive(Clone, Debug)]
struct Settings {
    store: Store,
    /// Bytes of all entries; `None` for what the disk allows.
    limit: Option<u64>,
    worth: u64,
}

/// What a look into the cache gave.
#[derive(Debug)]
pub struct Look {
    /// What was kept, if it was found.
    pub found: Option<Found>,
    /// How that went.
    pub outcome: Outcome,
    /// Why, in a few words; empty for a hit.
    pub reason: &'static str,
    /// What to keep an index by, if there may be one.
    pub ticket: Option<Ticket>,
}

/// The right to keep an index for a recording: says what the recording was before it was read.
#[derive(Clone, Debug)]
pub struct Ticket {
    settings: Settings,
    recording: PathBuf,
    key: Key,
    /// Whether there is something of use already.
    is_kept: bool,
}

/// An entry, for lists.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The recording's name when it was kept.
    pub recording: PathBuf,
    /// Bytes on the disk.
    pub bytes: u64,
    /// When it was last used.
    pub used: SystemTime,
}

impl Cache {
    /// No cache, and why.
    #[must_use]
    pub const fn off(reason: &'static str) -> Self {
        Self(Err(reason))
    }

    /// In a folder, within `limit` bytes; without a limit 8 GiB, or a tenth of the free disk if that is less.
    #[must_use]
    pub const fn new(folder: PathBuf, limit: Option<u64>) -> Self {
        Self(Ok(Settings { store: Store { folder }, limit, worth: WORTH }))
    }

    /// In the user's cache folder.
    #[must_use]
    pub fn of_user(limit: Option<u64>) -> Self {
        user_folder().map_or(Self::off("the user has no cache folder"), |folder| Self::new(folder, limit))
    }

    /// The same, keeping recordings of at least so many bytes of text.
    #[must_use]
    pub fn with_worth(self, worth: u64) -> Self {
        Self(self.0.map(|settings| Settings { worth, ..settings }))
    }

    /// The folder, if there is one.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.0.as_ref().ok().map(|settings| settings.store.folder.as_path())
    }

    /// Looks for the index of a recording.
    #[must_use]
    pub fn look(&self, recording: &Path) -> Look {
        let off = |reason| Look { found: None, outcome: Outcome::Off, reason, ticket: None };
        let settings = match &self.0 {
            Ok(settings) => settings,
            Err(reason) => return off(reason),
        };
        let Some(program) = identity::program() else { return off("this program's version cannot be told") };
        let known = File::open(recording).and_then(|file| Ok((Identity::of(&file, recording)?, file)));
        let Ok((identity, file)) = known else { return off("the recording is no plain file") };
        let key = Key { recording: identity, program };
        let ticket = Ticket { settings: settings.clone(), recording: recording.to_owned(), key, is_kept: false };
        let (found, outcome, reason) = match File::open(ticket.index_file()) {
            Err(_) => (None, Outcome::Miss, "nothing was kept of this recording"),
            Ok(kept) => match entry::read(&kept, key, &file, ticket.files(&ticket.text_file())) {
                Err(reason) => (None, Outcome::Rebuilt, reason),
                Ok(found) => {
                    Store::touch(&kept);
                    (Some(found), Outcome::Hit, "")
                }
            },
        };
        let ticket = Ticket { is_kept: found.is_some(), ..ticket };
        Look { found, outcome, reason, ticket: Some(ticket) }
    }

    /// What is kept, used last first.
    #[must_use]
    pub fn list(&self) -> Vec<Entry> {
        let Ok(settings) = &self.0 else { return Vec::new() };
        let entry = |kept: &store::Kept| Entry {
            recording: entry::recording_of(&kept.path),
            bytes: kept.bytes,
            used: kept.used,
        };
        settings.store.list().iter().rev().map(entry).collect()
    }

    /// Removes all that is kept; gives back how many entries there were and their bytes.
    pub fn clear(&self) -> (usize, u64) {
        self.0.as_ref().map_or((0, 0), |settings| settings.store.clear())
    }
}

impl Ticket {
    fn index_file(&self) -> PathBuf {
        self.settings.store.index(&self.key.recording.name())
    }

    /// Where the unpacked text of the recording may be put to be found again; it goes when its entry goes.
    #[must_use]
    pub fn text_file(&self) -> PathBuf {
        self.settings.store.text(&self.key.recording.name())
    }

    fn files<'a>(&'a self, text: &'a Path) -> Files<'a> {
        Files { recording: &self.recording, text }
    }

    /// Keeps an index, and what rules made of it, if that is worth it, and makes room for it; gives back its bytes, or
    /// `None` if the recording is too small. What was of no use goes in any case.
    ///
    /// # Errors
    /// When it cannot be written. Then nothing is left of it, and older entries are as they were.
    pub fn keep(&self, keep: Keep<'_>) -> Result<Option<u64>> {
        let path = self.index_file();
        if keep.index.profile().meta.json_bytes < self.settings.worth {
            if !self.is_kept {
                store::remove(&path);
            }
            return Ok(None);
        }
        let file = File::open(&self.recording)?;
        if Identity::of(&file, &self.recording)? != self.key.recording {
            return Err(std::io::Error::other("the recording changed while it was read"));
        }
        let text_file = self.text_file();
        let text = text_of(keep.index, &file, &text_file)?;
        let store = &self.settings.store;
        store.create()?;
        let limit = self.settings.limit.unwrap_or_else(|| store.default_limit());
        let key = self.key;
        let files = self.files(&text_file);
        let written =
            store.write(&key.recording.name(), |mut out| entry::write(&mut out, key, (files, &text), keep, limit));
        let bytes = written.map_err(|error| match error.kind() {
            std::io::ErrorKind::FileTooLarge => std::io::Error::other("it would take more room than the cache may"),
            _ => error,
        })?;
        store.trim(limit, &path);
        Ok(Some(bytes))
    }
}

/// Where the text of an index is to be found again.
fn text_of(index: &Index, recording: &File, beside: &Path) -> Result<Text> {
    let length = index.profile().source.bytes().len() as u64;
    if let Ok(file) = File::open(beside)
        && let Ok(identity) = Identity::of(&file, beside)
        && identity.length == length
    {
        return Ok(Text::Beside(identity));
    }
    let is_packed = crate::import::is_packed_file(recording);
    let is_whole = recording.metadata()?.len() == length;
    Ok(if is_packed || !is_whole { Text::Inside } else { Text::Recording })
}

/// The folder for what can be made again: `XDG_CACHE_HOME` or its default; on macOS and Windows what is usual there.
fn user_folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let usual = || match std::env::consts::OS {
        "macos" => Some(set("HOME")?.join("Library/Caches")),
        "windows" => set("LOCALAPPDATA"),
        _ => Some(set("HOME")?.join(".cache")),
    };
    Some(set("XDG_CACHE_HOME").or_else(usual)?.join("flowline"))
}
