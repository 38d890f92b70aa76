//! Which indexes were found intact since the system was started. To compare all checksums of an index takes as long as to read it;
//! one that nothing has changed since is mapped at once.
//!
//! A small file beside the index says what the index's file was when it was written or compared, and in which run of the system.
//! Any write to the index changes the time of its status, which nobody can set. Where the system does not tell that time, or does
//! not tell its runs apart, every opening compares the checksums.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::time::Duration;

use bytemuck::{Pod, Zeroable};

use super::checksums::hash;
use super::identity::{FileIdentity, open_regular};

const MAGIC: u64 = u64::from_le_bytes(*b"FLOWCHK1");
/// Two changes less than this apart may have the same time.
pub(super) const SAME_TIME: Duration = Duration::from_millis(20);

/// What an index's file was, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
struct Stamp {
    magic: u64,
    index: FileIdentity,
    /// Hash of the name of the system's run.
    run: u64,
    /// Hash of the stamp up to here.
    own: u64,
}

impl Stamp {
    /// The stamp of an index as it is now; `None` if a change of it could go unnoticed.
    fn of(file: &File, path: &Path) -> Option<Self> {
        let index = FileIdentity::from_file(file, path).ok()?;
        index.unchanged_for().filter(|time| *time > SAME_TIME)?;
        let stamp = Self { magic: MAGIC, index, run: system_run()?, own: 0 };
        let own = hash(&bytemuck::bytes_of(&stamp)[..size_of::<Self>() - size_of::<u64>()]);
        Some(Self { own, ..stamp })
    }
}

/// A number for the time since the system was started.
fn system_run() -> Option<u64> {
    let name = std::fs::read("/proc/sys/kernel/random/boot_id").ok()?;
    (!name.is_empty()).then(|| hash(&name))
}

/// Whether an index is as it was when it was last found intact, in this run of the system.
pub(super) fn is_known(index: &File, path: &Path, stamp: &Path) -> bool {
    let mut bytes = [0; size_of::<Stamp>()];
    let is_read = open_regular(stamp).and_then(|mut file| file.read_exact(&mut bytes)).is_ok();
    is_read && Stamp::of(index, path).is_some_and(|now| now == bytemuck::pod_read_unaligned(&bytes))
}

/// Remembers that an index was found intact. If that fails, its checksums are compared again.
pub(super) fn remember(index: &File, path: &Path, stamp: &Path) {
    let Some(known) = Stamp::of(index, path) else { return };
    let _again = super::store::private(stamp, true).and_then(|mut file| file.write_all(bytemuck::bytes_of(&known)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn an_index_is_known_until_anything_changes() {
        let folder = std::env::temp_dir().join(format!("flowline-checked-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let (path, stamp) = (folder.join("a.index"), folder.join("a.checked"));
        let write = |bytes: &[u8]| {
            std::fs::write(&path, bytes).expect("written");
            std::thread::sleep(2 * SAME_TIME);
        };
        let known = || is_known(&File::open(&path).expect("an index"), &path, &stamp);
        let remember = || remember(&File::open(&path).expect("an index"), &path, &stamp);
        write(&[1; 300_000]);
        assert!(!known(), "nobody has compared it");
        remember();
        assert!(known());
        // A byte that no sample has, with the time of change set back.
        let time = path.metadata().and_then(|facts| facts.modified()).expect("a time");
        let mut bytes = vec![1; 300_000];
        bytes[100_001] = 2;
        write(&bytes);
        File::options().write(true).open(&path).and_then(|file| file.set_modified(time)).expect("set");
        assert!(!known(), "it was changed");
        std::thread::sleep(2 * SAME_TIME);
        remember();
        assert!(known());
        let whole = std::fs::read(&stamp).expect("a stamp");
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            std::fs::write(&stamp, damaged).expect("written");
            assert!(!known(), "byte {at}");
        }
        std::fs::write(&stamp, &whole[..whole.len() - 1]).expect("written");
        assert!(!known(), "its end is missing");
        std::fs::write(&stamp, &whole).expect("written");
        assert!(known());
        // What has just changed is not remembered: it could change again at the same time.
        std::fs::write(&path, [3; 300_000]).expect("written");
        remember();
        assert!(!known());
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
