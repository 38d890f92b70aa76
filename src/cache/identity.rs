//! Identities of recordings and of the program, found without reading whole files.

use std::fs::{File, Metadata};
use std::io::{Read, Result, Seek, SeekFrom};
use std::path::Path;
use std::sync::OnceLock;

use bytemuck::{Pod, Zeroable};

use super::checksums::hash;
use crate::import::FileStamp;
use crate::profile::persist::persist;

/// Bytes sampled at the beginning and at the end of a file.
const EDGE: usize = 64 << 10;
/// Number of pages sampled in between.
const PAGES: u64 = 32;
/// Bytes of a page.
const PAGE: usize = 4 << 10;

/// Length, time of change, place on the disk and a sample of the contents of a file, but not its name: a file that was moved
/// keeps its identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct FileIdentity {
    length: u64,
    /// Nanoseconds since 1970.
    changed: u64,
    device: u64,
    file: u64,
    sample: u64,
}
persist!(FileIdentity { length, changed, device, file, sample });

impl FileIdentity {
    /// The identity of the file at a path.
    ///
    /// # Errors
    /// When the file cannot be read or is no plain file.
    pub fn from_path(path: &Path) -> Result<Self> {
        Self::from_file(&File::open(path)?, path)
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
            device,
            file: number,
            sample: sample(file, stamp.bytes)?,
        })
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
        let stamp = FileStamp::from_metadata(&crate::import::executable_metadata().ok()?).ok()?;
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
        for place in [0, (3 << 20) - 1, (3 << 20) / 33 * 7 + 9] {
            let mut file = File::options().write(true).open(&path).expect("opened");
            file.seek(SeekFrom::Start(place)).expect("inside");
            file.write_all(b"y").expect("written");
            set_time(times);
            assert_ne!(of(&path), first, "changed at {place}, with the time set back");
            std::fs::write(&path, &bytes).expect("written");
            set_time(times);
            assert_eq!(of(&path), first);
        }
        let moved = path.with_extension("moved");
        std::fs::rename(&path, &moved).expect("moved");
        assert_eq!(of(&moved), first, "a new name");
        std::fs::write(&path, &bytes).expect("written");
        set_time(times);
        assert_ne!(of(&path), first, "a copy");
        for path in [path, moved] {
            std::fs::remove_file(path).expect("removed");
        }
        assert!(program().is_some());
    }
}
