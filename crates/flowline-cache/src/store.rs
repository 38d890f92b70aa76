//! The folder of cache entries. Entries appear atomically. If the folder exceeds its size limit, the least recently
//! used entries are removed.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::Result;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use super::identity::open_regular;

/// Extension of index files.
const INDEX: &str = "index";
/// Extension of the unpacked text files beside them.
const TEXT: &str = "text";
/// Extension of the stamp files of verified indexes.
const CHECKED: &str = "checked";
/// Extension of files that are being written.
const UNFINISHED: &str = "part";
/// Unfinished files are removed after this time.
const ABANDONED: Duration = Duration::from_secs(3600);

/// A cache folder.
#[derive(Clone, Debug)]
pub(super) struct Store {
    pub(super) folder: PathBuf,
}

/// An entry in the folder.
#[derive(Clone, Debug)]
pub(super) struct StoredEntry {
    pub(super) path: PathBuf,
    pub(super) bytes: u64,
    /// Time of last use.
    pub(super) used: SystemTime,
}

/// Numbers of removed cache files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClearedCache {
    /// Number of entries.
    pub entries: usize,
    /// Number of files left behind by programs that ended while they wrote an entry.
    pub unfinished: usize,
    /// Size of all of it in bytes.
    pub bytes: u64,
}

impl Store {
    /// Path of the index file for a name.
    pub(super) fn index(&self, name: &str) -> PathBuf {
        self.folder.join(name).with_extension(INDEX)
    }

    /// Path of the text file for a name.
    pub(super) fn text(&self, name: &str) -> PathBuf {
        self.folder.join(name).with_extension(TEXT)
    }

    /// Path of the stamp file for a name.
    pub(super) fn stamp(&self, name: &str) -> PathBuf {
        self.folder.join(name).with_extension(CHECKED)
    }

    /// Marks an entry as used by touching its stamp, or the index if it has no stamp. If that fails, the entry is
    /// evicted earlier than necessary.
    pub(super) fn touch(file: &File, stamp: &Path) {
        let stamp = open_regular(stamp);
        let _older = stamp.as_ref().unwrap_or(file).set_modified(SystemTime::now());
    }

    /// Writes an entry with `fill`. The entry appears only when it is complete.
    pub(super) fn write(&self, name: &str, fill: impl FnOnce(&mut File) -> Result<u64>) -> Result<u64> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        self.sweep();
        let unique = format!("{name}.{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let unfinished = self.folder.join(format!("{unique}.{UNFINISHED}"));
        let written = private(&unfinished, false).and_then(|mut file| fill(&mut file));
        let written = written.and_then(|bytes| std::fs::rename(&unfinished, self.index(name)).map(|()| bytes));
        if written.is_err() {
            let _not_there = std::fs::remove_file(&unfinished);
        }
        written
    }

    /// Creates the folder, accessible only to this user.
    pub(super) fn create(&self) -> Result<()> {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&self.folder)
    }

    /// All entries, least recently used first; empty if the folder does not exist.
    pub(super) fn list(&self) -> Vec<StoredEntry> {
        let files = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let entry = |path: PathBuf| {
            // Only regular files are entries.
            let facts = path.symlink_metadata().ok().filter(|facts| facts.is_file())?;
            let text = path.with_extension(TEXT).metadata().map_or(0, |facts| facts.len());
            let stamped = path.with_extension(CHECKED).metadata().and_then(|facts| facts.modified()).ok();
            let used = facts.modified().ok()?;
            Some(StoredEntry { bytes: facts.len() + text, used: stamped.map_or(used, |time| time.max(used)), path })
        };
        let paths = files.map(|file| file.path()).filter(|path| has_extension(path, INDEX));
        let mut list: Vec<StoredEntry> = paths.filter_map(entry).collect();
        list.sort_by(|a, b| (a.used, &a.path).cmp(&(b.used, &b.path)));
        list
    }

    /// Removes entries until the rest fits into `limit` bytes; never removes `newest`.
    pub(super) fn trim(&self, limit: u64, newest: &Path) {
        let list = self.list();
        let mut total: u64 = list.iter().map(|entry| entry.bytes).sum();
        for entry in list.iter().filter(|entry| entry.path != newest) {
            if total <= limit {
                return;
            }
            remove(&entry.path);
            total -= entry.bytes;
        }
    }

    /// Removes all entries, and what was left of unfinished ones. An entry that another program is writing is lost.
    pub(super) fn clear(&self) -> ClearedCache {
        let list = self.list();
        for entry in &list {
            remove(&entry.path);
        }
        let mut cleared = ClearedCache { entries: list.len(), ..ClearedCache::default() };
        cleared.bytes = list.iter().map(|entry| entry.bytes).sum();
        for (path, bytes) in self.leftovers() {
            if std::fs::remove_file(path).is_ok() {
                cleared.unfinished += 1;
                cleared.bytes += bytes;
            }
        }
        cleared
    }

    /// Unfinished files, and text and stamp files without an index, with their sizes in bytes.
    pub(super) fn leftovers(&self) -> Vec<(PathBuf, u64)> {
        let files = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let is_left = |path: &Path| {
            let belongs = has_extension(path, TEXT) || has_extension(path, CHECKED);
            has_extension(path, UNFINISHED) || belongs && !path.with_extension(INDEX).exists()
        };
        let sized = |path: PathBuf| {
            let facts = path.symlink_metadata().ok().filter(|facts| facts.is_file())?;
            Some((path, facts.len()))
        };
        let mut left: Vec<_> = files.map(|file| file.path()).filter(|path| is_left(path)).filter_map(sized).collect();
        left.sort();
        left
    }

    /// Removes abandoned leftovers.
    fn sweep(&self) {
        let is_old = |path: &Path| {
            let changed = path.metadata().and_then(|facts| facts.modified()).ok();
            changed.and_then(|time| time.elapsed().ok()).is_some_and(|age| age > ABANDONED)
        };
        for (path, _) in self.leftovers().into_iter().filter(|(path, _)| is_old(path)) {
            let _removed_by_another = std::fs::remove_file(&path);
        }
    }

    /// Limit if the user sets none: 8 GiB, but at most a tenth of the free disk space.
    pub(super) fn default_limit(&self) -> u64 {
        let used: u64 = self.list().iter().map(|entry| entry.bytes).sum();
        free_bytes(&self.folder).map_or(MAX_BYTES, |free| (free.saturating_add(used) / 10).min(MAX_BYTES))
    }
}

/// Default size limit in bytes.
const MAX_BYTES: u64 = 8 << 30;

/// Free bytes on the disk of a folder.
#[cfg(unix)]
fn free_bytes(folder: &Path) -> Option<u64> {
    let facts = rustix::fs::statvfs(folder).ok()?;
    facts.f_bavail.checked_mul(facts.f_frsize)
}

#[cfg(not(unix))]
fn free_bytes(_folder: &Path) -> Option<u64> {
    None
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|extension| extension == wanted)
}

/// Removes an index with its text and its stamp.
pub(super) fn remove(index: &Path) {
    for path in [index.to_owned(), index.with_extension(TEXT), index.with_extension(CHECKED)] {
        let _removed_by_another = std::fs::remove_file(path);
    }
}

/// Creates a file that only its owner can read, because it contains parts of the recording. An existing file is
/// replaced if `replaces` is set; otherwise it is an error.
pub(super) fn private(path: &Path, replaces: bool) -> Result<File> {
    let mut options = OpenOptions::new();
    if replaces {
        let _not_there = std::fs::remove_file(path);
    }
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use std::io::{Error, ErrorKind, Write};

    use super::*;

    #[test]
    fn a_full_disk_leaves_nothing() {
        let folder = std::env::temp_dir().join(format!("flowline-store-{}", std::process::id()));
        let store = Store { folder: folder.clone() };
        store.create().expect("a folder");
        let full = |file: &mut File| -> Result<u64> {
            file.write_all(b"half of it")?;
            Err(Error::from(ErrorKind::StorageFull))
        };
        let files = || std::fs::read_dir(&folder).expect("the folder").count();
        assert_eq!(store.write("a", full).expect_err("full").kind(), ErrorKind::StorageFull);
        assert_eq!(files(), 0);
        // The previous entry stays.
        store.write("a", |file| file.write_all(b"whole").map(|()| 5)).expect("room");
        assert!(store.write("a", full).is_err());
        assert_eq!(std::fs::read(store.index("a")).expect("there"), b"whole");
        // A program that was killed leaves its unfinished file and the text beside it.
        std::fs::write(folder.join("b.1-0.part"), "unfinished").expect("written");
        std::fs::write(store.text("b"), "text").expect("written");
        assert_eq!(store.leftovers().iter().map(|(_, bytes)| bytes).sum::<u64>(), 14);
        assert_eq!(store.clear(), ClearedCache { entries: 1, unfinished: 2, bytes: 19 });
        assert_eq!(files(), 0);
        std::fs::remove_dir(folder).expect("empty");
    }
}
