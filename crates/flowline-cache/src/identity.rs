//! Identities of recordings and of the program, computed without reading whole files.
//!
//! A changed file can have its old modification time, because copy tools and archivers set it. The status change time
//! (ctime) cannot be set. Equal identities therefore mean equal contents where the system provides a ctime, as on Unix;
//! elsewhere they mean equal lengths, times and samples. If only the ctime differs, as after a move, [`content_hash`]
//! compares the whole contents.

use std::fs::{File, Metadata};
use std::io::{Read, Result, Seek, SeekFrom};
use std::path::Path;
use std::time::{Duration, SystemTime};

use bytemuck::{Pod, Zeroable};

use super::checksums::{block_hashes, hash};
use flowline_import::{FileStamp, MappedFile};
use flowline_profile::persist::persist;

/// Bytes sampled at the beginning and at the end of a file.
const EDGE: usize = 64 << 10;
/// Number of pages sampled between them.
const PAGES: u64 = 32;
/// Page size in bytes.
const PAGE: usize = 4 << 10;

/// Length, times of change, location on disk, and a sample of the contents of a file, but not its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct FileIdentity {
    length: u64,
    /// Nanoseconds since 1970.
    changed: u64,
    /// Status change time in the same unit. Every change of the contents updates it. 0 if the system does not provide
    /// it.
    status_changed: u64,
    device: u64,
    file: u64,
    sample: u64,
}
persist!(FileIdentity { length, changed, status_changed, device, file, sample });

impl FileIdentity {
    /// The identity of the file at a path.
    ///
    /// # Errors
    /// When the file cannot be read or is not a regular file.
    pub fn from_path(path: &Path) -> Result<Self> {
        Self::from_file(&open_regular(path)?, path)
    }

    /// True if at most the status change times differ: the file may have been moved, or changed with its modification
    /// time restored.
    pub(super) fn is_same_but_status(&self, other: &Self) -> bool {
        Self { status_changed: 0, ..*self } == Self { status_changed: 0, ..*other }
    }

    /// The identity of an open file.
    pub(super) fn from_file(file: &File, path: &Path) -> Result<Self> {
        let facts = file.metadata()?;
        if !facts.is_file() {
            return Err(std::io::Error::other("not a regular file"));
        }
        let stamp = FileStamp::from_metadata(&facts)?;
        let (device, number) = disk_place(&facts, path);
        Ok(Self {
            length: stamp.bytes,
            changed: stamp.modified_ns(),
            status_changed: status_changed(&facts),
            device,
            file: number,
            sample: sample(file, stamp.bytes)?,
        })
    }

    /// Time since the last change of the file's contents or status; `None` if the system does not provide it.
    pub(super) fn unchanged_for(&self) -> Option<Duration> {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?;
        since.checked_sub(Duration::from_nanos(self.status_changed)).filter(|_| self.status_changed != 0)
    }

    /// Length of the file in bytes.
    #[must_use]
    pub const fn length(&self) -> u64 {
        self.length
    }

    /// Modification time in nanoseconds since 1970.
    #[must_use]
    pub const fn changed(&self) -> u64 {
        self.changed
    }

    /// Name of the file's cache entry. It depends only on the location on disk, so that a changed file replaces its old
    /// entry.
    pub(super) fn name(&self) -> String {
        let place: [u8; 16] = bytemuck::cast([self.device.to_le(), self.file.to_le()]);
        format!("{:016x}", hash(&place))
    }
}

#[cfg(unix)]
fn disk_place(facts: &Metadata, _path: &Path) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (facts.dev(), facts.ino())
}

#[cfg(not(unix))]
fn disk_place(_facts: &Metadata, path: &Path) -> (u64, u64) {
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    (0, hash(path.to_string_lossy().as_bytes()))
}

#[cfg(unix)]
fn status_changed(facts: &Metadata) -> u64 {
    use std::os::unix::fs::MetadataExt;
    let ns = i128::from(facts.ctime()) * 1_000_000_000 + i128::from(facts.ctime_nsec());
    u64::try_from(ns).unwrap_or(0)
}

#[cfg(not(unix))]
fn status_changed(_facts: &Metadata) -> u64 {
    0
}

/// Opens a regular file. Anything else, such as a pipe without a writer, is rejected without waiting for it.
///
/// # Errors
/// When the file cannot be opened or is not a regular file.
pub(super) fn open_regular(path: &Path) -> Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        let nonblocking = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or(0);
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, nonblocking);
    }
    let file = options.open(path)?;
    if !file.metadata()?.is_file() {
        return Err(std::io::Error::other("not a regular file"));
    }
    Ok(file)
}

/// Name derived from the contents of a file, independent of its location: its length, and a hash of its beginning, its
/// end and some pages between them. The cost is small and constant for all file sizes.
///
/// # Errors
/// When the file cannot be read or is not a regular file.
pub fn content_name(path: &Path) -> Result<String> {
    let file = open_regular(path)?;
    let length = file.metadata()?.len();
    Ok(format!("{length:x}-{:016x}", sample(&file, length)?))
}

/// Hash of the whole contents of a file.
///
/// # Errors
/// When the file cannot be mapped.
pub(super) fn content_hash(file: &File) -> Result<u64> {
    let map = MappedFile::new(file)?;
    Ok(hash(bytemuck::cast_slice(&block_hashes(map.as_ref()))))
}

/// Hash of the beginning, the end, and pages evenly spread between them.
fn sample(mut file: &File, length: u64) -> Result<u64> {
    let edge = EDGE as u64;
    let mut places = vec![(0, EDGE), (length.saturating_sub(edge), EDGE)];
    if length > 2 * edge {
        places.extend((1..=PAGES).map(|page| (length / (PAGES + 1) * page, PAGE)));
    }
    let mut seen = Vec::with_capacity(2 * EDGE + PAGE * 32);
    for (place, count) in places {
        file.seek(SeekFrom::Start(place))?;
        file.take(count as u64).read_to_end(&mut seen)?;
    }
    Ok(hash(&seen))
}

/// Number that identifies how this build reads and stores recordings, because another build may do so differently. Programs
/// built from the same sources have the same number.
pub(super) fn program() -> u64 {
    hash(concat!(env!("CARGO_PKG_VERSION"), " ", env!("FLOWLINE_READERS")).as_bytes())
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_file_that_changed_in_any_way_is_another_one() {
        let path = std::env::temp_dir().join(format!("flowline-identity-{}", std::process::id()));
        let bytes = vec![b'x'; 3 << 20];
        std::fs::write(&path, &bytes).expect("written");
        let of = |path: &Path| FileIdentity::from_file(&File::open(path).expect("opened"), path).expect("known");
        let first = of(&path);
        assert_eq!(of(&path), first);
        let times = File::open(&path).expect("opened").metadata().expect("facts").modified().expect("a time");
        let set_time = |time| File::options().write(true).open(&path).expect("opened").set_modified(time).expect("set");
        set_time(times + Duration::from_nanos(1));
        assert_ne!(of(&path), first, "touched");
        let content = |path: &Path| content_hash(&File::open(path).expect("opened")).expect("read");
        let (first, first_content) = {
            set_time(times);
            (of(&path), content(&path))
        };
        // The third offset is inside a sample, the last one is not.
        for place in [0, (3 << 20) - 1, (3 << 20) / 33 * 7 + 9, (1 << 20) + 77] {
            let mut file = File::options().write(true).open(&path).expect("opened");
            file.seek(SeekFrom::Start(place)).expect("inside");
            file.write_all(b"y").expect("written");
            set_time(times);
            assert_ne!(of(&path), first, "changed at {place}, with the modification time restored");
            assert_ne!(content(&path), first_content, "changed at {place}");
            std::fs::write(&path, &bytes).expect("written");
            set_time(times);
            assert!(of(&path).is_same_but_status(&first));
            assert_eq!(content(&path), first_content);
        }
        let moved = path.with_extension("moved");
        std::fs::rename(&path, &moved).expect("moved");
        assert!(of(&moved).is_same_but_status(&first), "a new name");
        std::fs::write(&path, &bytes).expect("written");
        set_time(times);
        assert!(!of(&path).is_same_but_status(&first), "a copy");
        for path in [path, moved] {
            std::fs::remove_file(path).expect("removed");
        }
    }
}
