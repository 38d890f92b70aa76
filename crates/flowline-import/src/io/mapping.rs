//! Mapped files that stay readable if the file is truncated while it is mapped.
//!
//! A read beyond the new end raises SIGBUS, which kills a program without a handler. The handler replaces the lost
//! pages with zeros, which no parser accepts as JSON, and marks the map as truncated. The map of a recording also
//! stores the length and modification time of the file when it was mapped, so that other changes are detected, too. All
//! `unsafe` code of the project is in this file.
#![expect(unsafe_code, reason = "mapping files and handling signals require it")]

use std::fs::File;
use std::ops::Range;
use std::sync::Arc;

use super::file_stamp::FileStamp;
use flowline_profile::{Pages, Source};

/// A read-only map of a file. Clones share the map.
#[derive(Clone, Debug)]
pub struct MappedFile(Arc<Region>);

/// A mapped region. The field order matters: the slot must be dropped before its addresses become free for another map.
#[derive(Debug)]
struct Region {
    watch: Option<watch::Slot>,
    map: memmap2::Mmap,
    /// The file and its stamp when it was mapped; `None` if changes are ignored.
    unchanged: Option<(File, FileStamp)>,
}

impl MappedFile {
    /// Maps a file that no other program changes.
    ///
    /// # Errors
    /// When the file cannot be mapped.
    pub fn new(file: &File) -> std::io::Result<Self> {
        Self::map(file, None)
    }

    /// Maps a recording, which other programs may write while it is open; see [`MappedFile::has_changed`].
    ///
    /// # Errors
    /// When the file cannot be mapped.
    pub fn recording(file: &File) -> std::io::Result<Self> {
        // The stamp is taken before mapping, so that a change between the two is detected.
        let stamp = FileStamp::from_metadata(&file.metadata()?)?;
        Self::map(file, Some((file.try_clone()?, stamp)))
    }

    fn map(file: &File, unchanged: Option<(File, FileStamp)>) -> std::io::Result<Self> {
        // SAFETY: the map is only read as plain bytes, and no reference outlives the `Mmap` that owns it. If the file
        // changes, any bytes are acceptable; if it is truncated, `watch` replaces the lost pages with zeros.
        let map = unsafe { memmap2::Mmap::map(file)? };
        let watch = watch::Slot::claim(&map);
        Ok(Self(Arc::new(Region { watch, map, unchanged })))
    }

    /// Returns true if a recording has changed since it was mapped: its length, its modification time, or lost pages. A
    /// file that was replaced by another file of the same name has not changed, because the map keeps the old file.
    #[must_use]
    pub fn has_changed(&self) -> bool {
        let Some((file, stamp)) = &self.0.unchanged else { return false };
        let now = file.metadata().and_then(|metadata| FileStamp::from_metadata(&metadata));
        self.is_truncated() || now.is_ok_and(|now| now != *stamp)
    }

    /// Returns the file as the text of a recording.
    #[must_use]
    pub fn to_source(&self) -> Source {
        Source::new(self.clone()).with_pages(Arc::new(self.clone()))
    }

    /// Returns true if a read hit a part of the map that the file no longer has.
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        self.0.watch.as_ref().is_some_and(watch::Slot::is_truncated)
    }
}

impl Pages for MappedFile {
    fn are_in_memory(&self, part: Range<usize>) -> bool {
        residency::is_resident(&self.0.map, part)
    }

    fn fetch(&self, part: Range<usize>) {
        // This is only a hint: readers wait for the pages if necessary.
        #[cfg(unix)]
        let _not_taken = self.0.map.advise_range(memmap2::Advice::WillNeed, part.start, part.len());
    }

    fn have_changed(&self) -> bool {
        self.has_changed()
    }
}

impl AsRef<[u8]> for MappedFile {
    fn as_ref(&self) -> &[u8] {
        &self.0.map
    }
}

#[cfg(not(target_os = "linux"))]
mod residency {
    /// Residency is unknown here, so readers may wait.
    pub(super) const fn is_resident(_map: &[u8], _part: std::ops::Range<usize>) -> bool {
        true
    }
}

#[cfg(target_os = "linux")]
mod residency {
    use std::ops::Range;

    /// Maximum number of pages per query.
    const PAGES: usize = 4;

    /// Returns true if the pages of a part of a map are in memory, or if the system does not report it. Only the first
    /// [`PAGES`] pages are checked.
    pub(super) fn is_resident(map: &[u8], part: Range<usize>) -> bool {
        let Some(part) = map.get(part).filter(|part| !part.is_empty()) else { return true };
        let page = rustix::param::page_size();
        let first = part.as_ptr().addr() & !(page - 1);
        let last = part.as_ptr().addr() + part.len() - 1;
        let count = ((last - first) / page + 1).min(PAGES);
        let mut states = [0_u8; PAGES];
        let address = part.as_ptr().with_addr(first).cast_mut().cast();
        // SAFETY: the pages belong to the borrowed map, and `states` has an entry for each. The call only reports.
        let told = unsafe { libc::mincore(address, count * page, states.as_mut_ptr()) } == 0;
        !told || states[..count].iter().all(|state| state & 1 == 1)
    }
}

#[cfg(not(unix))]
mod watch {
    /// Placeholder: these systems do not allow truncating a mapped file.
    #[derive(Debug)]
    pub(super) struct Slot;

    impl Slot {
        pub(super) const fn claim(_map: &[u8]) -> Option<Self> {
            None
        }

        pub(super) const fn is_truncated(&self) -> bool {
            false
        }
    }
}

#[cfg(unix)]
mod watch {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::sync::{Once, OnceLock};

    /// A map for the signal handler: atomics only.
    struct Watched {
        /// First address; 0 for a free slot, `usize::MAX` for one that is being claimed.
        start: AtomicUsize,
        end: AtomicUsize,
        truncated: AtomicBool,
    }

    /// Maximum number of watched maps.
    const MAX_WATCHED: usize = 256;

    static WATCHED: [Watched; MAX_WATCHED] =
        [const { Watched { start: AtomicUsize::new(0), end: AtomicUsize::new(0), truncated: AtomicBool::new(false) } };
            MAX_WATCHED];
    static PAGE: AtomicUsize = AtomicUsize::new(4096);
    /// The previous SIGBUS handler.
    static PREVIOUS: OnceLock<libc::sigaction> = OnceLock::new();
    static INSTALL: Once = Once::new();

    /// Index of a watched map; dropping it ends the watch.
    #[derive(Debug)]
    pub(super) struct Slot(usize);

    impl Slot {
        pub(super) fn claim(map: &[u8]) -> Option<Self> {
            INSTALL.call_once(install_handler);
            let (start, end) = (map.as_ptr().addr(), map.as_ptr().addr() + map.len());
            let take = |watched: &Watched| {
                // The start is stored last, because it makes the slot valid.
                let free = watched.start.compare_exchange(0, usize::MAX, Ordering::AcqRel, Ordering::Acquire).is_ok();
                if free {
                    watched.truncated.store(false, Ordering::Release);
                    watched.end.store(end, Ordering::Release);
                    watched.start.store(start, Ordering::Release);
                }
                free
            };
            WATCHED.iter().position(take).map(Self)
        }

        pub(super) fn is_truncated(&self) -> bool {
            WATCHED[self.0].truncated.load(Ordering::Acquire)
        }
    }

    impl Drop for Slot {
        fn drop(&mut self) {
            WATCHED[self.0].start.store(0, Ordering::Release);
        }
    }

    fn install_handler() {
        // SAFETY: plain system calls with structures on this stack. The handler is async-signal-safe: it only reads
        // atomics and makes system calls.
        unsafe {
            if let Ok(page) = usize::try_from(libc::sysconf(libc::_SC_PAGESIZE)) {
                PAGE.store(page.max(1), Ordering::Release);
            }
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = on_bus_error as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            let mut before: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(libc::SIGBUS, &raw const action, &raw mut before) == 0 {
                // The cell is empty, because this runs once.
                let _first = PREVIOUS.set(before);
            }
        }
    }

    extern "C" fn on_bus_error(_signal: libc::c_int, info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
        // SAFETY: the system passes a valid `info`. Only pages of a watched map are replaced, up to its end, with pages
        // of zeros. Readers have a shared byte slice, for which any bytes are valid.
        unsafe {
            let address = (*info).si_addr().addr();
            let page = address & !(PAGE.load(Ordering::Acquire) - 1);
            for watched in &WATCHED {
                let start = watched.start.load(Ordering::Acquire);
                let end = watched.end.load(Ordering::Acquire);
                if start == 0 || start == usize::MAX || !(start..end).contains(&address) {
                    continue;
                }
                let flags = libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_FIXED;
                let place = std::ptr::with_exposed_provenance_mut(page);
                if libc::mmap(place, end - page, libc::PROT_READ, flags, -1, 0) != libc::MAP_FAILED {
                    watched.truncated.store(true, Ordering::Release);
                    return;
                }
            }
            // The address is in no watched map: restore the previous handler, which gets the signal when the read is
            // retried.
            match PREVIOUS.get() {
                Some(before) => libc::sigaction(libc::SIGBUS, std::ptr::from_ref(before), std::ptr::null_mut()),
                None => libc::signal(libc::SIGBUS, libc::SIG_DFL).try_into().unwrap_or(0),
            };
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn freshly_written_pages_are_in_memory() {
        let path = std::env::temp_dir().join(format!("flowline-resident-{}", std::process::id()));
        std::fs::write(&path, vec![b'x'; 3 << 12]).expect("a file");
        let mapped = MappedFile::new(&File::open(&path).expect("opens")).expect("maps");
        for part in [0..1, 0..3 << 12, 4095..4097, (3 << 12) - 1..3 << 12, 5..5, 1 << 30..(1 << 30) + 1] {
            assert!(mapped.are_in_memory(part.clone()), "{part:?}");
            mapped.fetch(part);
        }
        std::fs::remove_file(&path).expect("is removed");
    }

    #[test]
    fn a_file_that_is_truncated_while_it_is_mapped_reads_as_zeros() {
        let path = std::env::temp_dir().join(format!("flowline-cut-{}", std::process::id()));
        std::fs::write(&path, vec![b'x'; 1 << 20]).expect("a file");
        let file = File::options().read(true).write(true).open(&path).expect("opens");
        let mapped = MappedFile::new(&file).expect("maps");
        let other = mapped.clone();
        assert_eq!((other.as_ref().len(), mapped.is_truncated()), (1 << 20, false));
        file.set_len(1 << 16).expect("is shortened");
        let rest = &other.as_ref()[1 << 16..];
        assert!(rest.iter().all(|byte| *byte == 0));
        assert!(mapped.as_ref()[..1 << 16].iter().all(|byte| *byte == b'x'));
        assert!(mapped.is_truncated() && other.is_truncated());
        std::fs::remove_file(&path).expect("is removed");
    }

    #[test]
    fn a_recording_that_is_written_to_has_changed_and_one_that_is_replaced_has_not() {
        use std::io::Write as _;
        let path = std::env::temp_dir().join(format!("flowline-changed-{}", std::process::id()));
        let map = || {
            std::fs::write(&path, vec![b'x'; 1 << 13]).expect("a file");
            // A change within the same tick of the file system clock would be invisible.
            std::thread::sleep(std::time::Duration::from_millis(20));
            MappedFile::recording(&File::open(&path).expect("opens")).expect("maps")
        };
        let overwritten = map();
        assert!(!overwritten.to_source().check_changed());
        File::options().write(true).open(&path).expect("opens").write_all(b"y").expect("written");
        assert!(overwritten.has_changed() && overwritten.to_source().check_changed());
        let appended = map();
        File::options().append(true).open(&path).expect("opens").write_all(b"y").expect("written");
        assert!(appended.has_changed());
        let replaced = map();
        std::fs::remove_file(&path).expect("is removed");
        std::fs::write(&path, "other").expect("a file");
        assert!(!replaced.has_changed() && replaced.as_ref().len() == 1 << 13);
        std::fs::remove_file(&path).expect("is removed");
    }
}
