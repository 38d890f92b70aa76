//! Stamps of indexes that were verified since the last boot. Verifying all checksums of an index takes as long as
//! reading it; an index that has not changed since it was verified is mapped immediately.
//!
//! A small file beside the index records the identity of the index file at the time it was written or verified, and the
//! boot id. Any write to the index updates its status change time (ctime), which programs cannot set. If the system
//! provides no ctime or no boot id, the checksums are verified each time the index is opened.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::time::Duration;

use bytemuck::{Pod, Zeroable};

use super::checksums::hash;
use super::identity::{FileIdentity, open_regular};

const MAGIC: u64 = u64::from_le_bytes(*b"FLOWCHK1");
/// Two changes within this interval may have the same timestamp.
pub(super) const TIMESTAMP_RESOLUTION: Duration = Duration::from_millis(20);

/// Identity of an index file, and the boot in which it was verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
struct Stamp {
    magic: u64,
    index: FileIdentity,
    /// Hash of the boot id.
    run: u64,
    /// Hash of the preceding fields.
    own: u64,
}

impl Stamp {
    /// The stamp of an index in its current state; `None` if a later change could go unnoticed.
    fn of(file: &File, path: &Path) -> Option<Self> {
        let index = FileIdentity::from_file(file, path).ok()?;
        index.unchanged_for().filter(|time| *time > TIMESTAMP_RESOLUTION)?;
        let stamp = Self { magic: MAGIC, index, run: system_run()?, own: 0 };
        let own = hash(&bytemuck::bytes_of(&stamp)[..size_of::<Self>() - size_of::<u64>()]);
        Some(Self { own, ..stamp })
    }
}

/// Hash of the boot id, which identifies the time since the last boot.
fn system_run() -> Option<u64> {
    let name = std::fs::read("/proc/sys/kernel/random/boot_id").ok()?;
    (!name.is_empty()).then(|| hash(&name))
}

/// True if an index is unchanged since it was last verified, during the current boot.
pub(super) fn is_known(index: &File, path: &Path, stamp: &Path) -> bool {
    let mut bytes = [0; size_of::<Stamp>()];
    let is_read = open_regular(stamp).and_then(|mut file| file.read_exact(&mut bytes)).is_ok();
    is_read && Stamp::of(index, path).is_some_and(|now| now == bytemuck::pod_read_unaligned(&bytes))
}

/// Records that an index was verified. If that fails, its checksums are verified again the next time.
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
            std::thread::sleep(2 * TIMESTAMP_RESOLUTION);
        };
        let known = || is_known(&File::open(&path).expect("an index"), &path, &stamp);
        let remember = || remember(&File::open(&path).expect("an index"), &path, &stamp);
        write(&[1; 300_000]);
        assert!(!known(), "not verified yet");
        remember();
        assert!(known());
        // Changes a byte outside of all samples and restores the modification time.
        let time = path.metadata().and_then(|facts| facts.modified()).expect("a time");
        let mut bytes = vec![1; 300_000];
        bytes[100_001] = 2;
        write(&bytes);
        File::options().write(true).open(&path).and_then(|file| file.set_modified(time)).expect("set");
        assert!(!known(), "changed");
        std::thread::sleep(2 * TIMESTAMP_RESOLUTION);
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
        assert!(!known(), "truncated");
        std::fs::write(&stamp, &whole).expect("written");
        assert!(known());
        // An index that has just changed is not recorded: it could change again within the timestamp resolution.
        std::fs::write(&path, [3; 300_000]).expect("written");
        remember();
        assert!(!known());
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
