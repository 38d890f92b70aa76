//! The folder of kept indexes: written whole or not at all, bounded, the ones used longest ago go first.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::Result;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

/// Ending of kept indexes.
const INDEX: &str = "index";
/// Ending of unpacked texts beside them.
const TEXT: &str = "text";
/// Ending of what is being written.
const UNFINISHED: &str = "part";
/// What is unfinished for so long was abandoned.
const ABANDONED: Duration = Duration::from_secs(3600);

/// A folder of entries.
#[derive(Clone, Debug)]
pub(super) struct Store {
    pub(super) folder: PathBuf,
}

/// An entry of the folder.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) path: PathBuf,
    pub(super) bytes: u64,
    /// When it was last used.
    pub(super) used: SystemTime,
}

impl Store {
    /// Where the index of a name is kept.
    pub(super) fn index(&self, name: &str) -> PathBuf {
        self.folder.join(name).with_extension(INDEX)
    }

    /// Where the text of a name is kept.
    pub(super) fn text(&self, name: &str) -> PathBuf {
        self.folder.join(name).with_extension(TEXT)
    }

    /// Notes that an entry was used. That may fail: then it is thought older than it is.
    pub(super) fn touch(file: &File) {
        let _older = file.set_modified(SystemTime::now());
    }

    /// Lets `fill` write an entry, which is there at once as a whole or not at all.
    pub(super) fn write(&self, name: &str, fill: impl FnOnce(&mut File) -> Result<u64>) -> Result<u64> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        self.sweep();
        let unique = format!("{name}.{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let unfinished = self.folder.join(format!("{unique}.{UNFINISHED}"));
        let written = private(&unfinished).and_then(|mut file| fill(&mut file));
        let written = written.and_then(|bytes| std::fs::rename(&unfinished, self.index(name)).map(|()| bytes));
        if written.is_err() {
            // There may be nothing to remove.
            let _gone = std::fs::remove_file(&unfinished);
        }
        written
    }

    /// Makes the folder; what is in it is nobody else's business.
    pub(super) fn create(&self) -> Result<()> {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&self.folder)
    }

    /// All entries, those used longest ago first; none if there is no folder.
    pub(super) fn list(&self) -> Vec<Kept> {
        let files = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let kept = |path: PathBuf| {
            let facts = path.metadata().ok()?;
            let text = path.with_extension(TEXT).metadata().map_or(0, |facts| facts.len());
            Some(Kept { bytes: facts.len() + text, used: facts.modified().ok()?, path })
        };
        let paths = files.map(|file| file.path()).filter(|path| has_extension(path, INDEX));
        let mut list: Vec<Kept> = paths.filter_map(kept).collect();
        list.sort_by(|a, b| (a.used, &a.path).cmp(&(b.used, &b.path)));
        list
    }

    /// Removes entries until the others take at most `limit` bytes; `newest` stays.
    pub(super) fn trim(&self, limit: u64, newest: &Path) {
        let list = self.list();
        let mut total: u64 = list.iter().map(|kept| kept.bytes).sum();
        for kept in list.iter().filter(|kept| kept.path != newest) {
            if total <= limit {
                return;
            }
            remove(&kept.path);
            total -= kept.bytes;
        }
    }

    /// Removes all entries; gives back how many there were and their bytes.
    pub(super) fn clear(&self) -> (usize, u64) {
        let list = self.list();
        for kept in &list {
            remove(&kept.path);
        }
        (list.len(), list.iter().map(|kept| kept.bytes).sum())
    }

    /// Removes what was begun and abandoned, and texts without an index.
    fn sweep(&self) {
        let files = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let is_old = |path: &Path| {
            let changed = path.metadata().and_then(|facts| facts.modified()).ok();
            changed.and_then(|time| time.elapsed().ok()).is_some_and(|age| age > ABANDONED)
        };
        for path in files.map(|file| file.path()) {
            let orphan = has_extension(&path, TEXT) && !path.with_extension(INDEX).exists();
            if (orphan || has_extension(&path, UNFINISHED)) && is_old(&path) {
                // Somebody else may have removed it.
                let _gone = std::fs::remove_file(&path);
            }
        }
    }

    /// Bytes that entries may take together if nobody says: 8 GiB, but no more than a tenth of what is free for them.
    pub(super) fn default_limit(&self) -> u64 {
        let kept: u64 = self.list().iter().map(|kept| kept.bytes).sum();
        free_bytes(&self.folder).map_or(MOST, |free| (free.saturating_add(kept) / 10).min(MOST))
    }
}

/// Bytes of entries at most, if nobody says.
const MOST: u64 = 8 << 30;

/// Bytes free on the disk of a folder.
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

/// Removes an index and its text. Somebody else may have done so.
pub(super) fn remove(index: &Path) {
    for path in [index.to_owned(), index.with_extension(TEXT)] {
        let _gone = std::fs::remove_file(path);
    }
}

/// A new file that only its owner may read: it says what the recording says.
fn private(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
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
        // What was there before stays.
        store.write("a", |file| file.write_all(b"whole").map(|()| 5)).expect("room");
        assert!(store.write("a", full).is_err());
        assert_eq!(std::fs::read(store.index("a")).expect("there"), b"whole");
        assert_eq!((files(), store.clear()), (1, (1, 5)));
        std::fs::remove_dir(folder).expect("empty");
    }
}
