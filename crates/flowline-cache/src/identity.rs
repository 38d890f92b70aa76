//! Identities of recordings and of the program, found without reading whole files.
//!
//! A file that was changed may have its old time of change again: copying tools and archives set it. The time of its status
//! cannot be set. So equal identities mean the same contents where the system has that time, which is on Unix; elsewhere
//! they mean equal lengths, times and samples. If only the time of the status differs, as after a move, the whole contents
//! are compared by [`content_hash`].

use std::fs::{File, Metadata};
use std::io::{Read, Result, Seek, SeekFrom};
use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use bytemuck::{Pod, Zeroable};

use super::checksums::{block_hashes, hash};
use flowline_import::{FileStamp, MappedFile};
use flowline_profile::persist::persist;

/// Bytes sampled at the beginning and at the end of a file.
const EDGE: usize = 64 << 10;
/// Number of pages sampled in between.
const PAGES: u64 = 32;
/// Bytes of a page.
const PAGE: usize = 4 << 10;

/// Length, times of change, place on the disk and a sample of the contents of a file, but not its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct FileIdentity {
    length: u64,
    /// Nanoseconds since 1970.
    changed: u64,
    /// The same for the status, which every change of the contents changes, too; 0 where the system does not tell.
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
    /// When the file cannot be read or is no plain file.
    pub fn from_path(path: &Path) -> Result<Self> {
        Self::from_file(&open_regular(path)?, path)
    }

    /// Whether at most the times of the status differ: the file may have been moved, or changed with its time set back.
    pub(super) fn is_same_but_status(&self, other: &Self) -> bool {
        Self { status_changed: 0, ..*self } == Self { status_changed: 0, ..*other }
    }

    /// The identity of an open file.
    pub(super) fn from_file(file: &File, path: &Path) -> Result<Self> {
        let facts = file.metadata()?;
        if !facts.is_file() {
            return Err(std::io::Error::other("it is no plain file"));
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

    /// How long the file has not changed, its contents and its status; `None` where the system does not tell.
    pub(super) fn unchanged_for(&self) -> Option<Duration> {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?;
        since.checked_sub(Duration::from_nanos(self.status_changed)).filter(|_| self.status_changed != 0)
    }

    /// Length of the file in bytes.
    #[must_use]
    pub const fn length(&self) -> u64 {
        self.length
    }

    /// Time of the last change, in nanoseconds since 1970.
    #[must_use]
    pub const fn changed(&self) -> u64 {
        self.changed
    }

    /// The name of the file's cache entry. It depends on the place on the disk only, so that the entry of a file that changed
    /// is replaced.
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

/// Opens a regular file; anything else, such as a pipe without a writer, is refused and never waited for.
///
/// # Errors
/// When the file cannot be opened or is no regular file.
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
        return Err(std::io::Error::other("it is no plain file"));
    }
    Ok(file)
}

/// A name for what a file holds, wherever it lies: its length, and a hash of its beginning, its end and pages between them. It
/// takes the same short time for files of all sizes.
///
/// # Errors
/// When the file cannot be read or is no plain file.
pub fn content_name(path: &Path) -> Result<String> {
    let file = open_regular(path)?;
    let length = file.metadata()?.len();
    Ok(format!("{length:x}-{:016x}", sample(&file, length)?))
}

/// The hash of all contents of a file.
///
/// # Errors
/// When the file cannot be mapped.
pub(super) fn content_hash(file: &File) -> Result<u64> {
    let map = MappedFile::new(file)?;
    Ok(hash(bytemuck::cast_slice(&block_hashes(map.as_ref()))))
}

/// The hash of the beginning, the end, and pages evenly spread between them.
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

/// A number for this build of the program; another build may read recordings differently. `None` if it is unknown.
pub(super) fn program() -> Option<u64> {
    static PROGRAM: OnceLock<Option<u64>> = OnceLock::new();
    *PROGRAM.get_or_init(|| {
        let stamp = FileStamp::from_metadata(&flowline_import::executable_metadata().ok()?).ok()?;
        let text = format!("{} {} {}", env!("CARGO_PKG_VERSION"), stamp.bytes, stamp.modified.as_nanos());
        Some(hash(text.as_bytes()))
    })
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
        // The third place is sampled, the last one is not.
        for place in [0, (3 << 20) - 1, (3 << 20) / 33 * 7 + 9, (1 << 20) + 77] {
            let mut file = File::options().write(true).open(&path).expect("opened");
            file.seek(SeekFrom::Start(place)).expect("inside");
            file.write_all(b"y").expect("written");
            set_time(times);
            assert_ne!(of(&path), first, "changed at {place}, with the time set back");
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
        assert!(program().is_some());
    }
}
