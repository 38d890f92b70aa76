//! Mapped files, and what happens when one is shortened while it is mapped.
//!
//! The system answers a read behind the new end with the signal SIGBUS, which ends a program that does not listen. We do:
//! the part of the map that lost its file becomes zeros, which no reader takes for JSON, and it is noted that this
//! happened. All `unsafe` of the project is here.
#![expect(unsafe_code, reason = "mapping files and answering signals cannot be done without")]

use std::fs::File;
use std::sync::Arc;

/// A file in memory, read-only. Copies share it.
#[derive(Clone, Debug)]
pub struct Mapped(Arc<Region>);

#[derive(Debug)]
struct Region {
    map: memmap2::Mmap,
    watch: Option<watch::Place>,
}

impl Mapped {
    /// Maps a file.
    ///
    /// # Errors
    /// What the system says.
    pub fn new(file: &File) -> std::io::Result<Self> {
        // SAFETY: the mapping is only ever read as plain bytes; no reference outlives the `Mmap` that owns it. Should
        // others change the file, any bytes are accepted; should they shorten it, `watch` puts zeros in its place.
        let map = unsafe { memmap2::Mmap::map(file)? };
        let watch = watch::Place::of(&map);
        Ok(Self(Arc::new(Region { map, watch })))
    }

    /// Whether the file became shorter than the map, and somebody read there.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.0.watch.as_ref().is_some_and(watch::Place::is_cut)
    }
}

impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        &self.0.map
    }
}

#[cfg(not(unix))]
mod watch {
    /// Other systems do not let a mapped file be shortened.
    #[derive(Debug)]
    pub(super) struct Place;

    impl Place {
        pub(super) const fn of(_map: &[u8]) -> Option<Self> {
            None
        }

        pub(super) const fn is_cut(&self) -> bool {
            false
        }
    }
}

#[cfg(unix)]
mod watch {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::sync::{Once, OnceLock};

    /// A map as the signal handler sees it: it may only look at plain numbers.
    struct Watched {
        /// First address; 0 for a free place.
        start: AtomicUsize,
        end: AtomicUsize,
        cut: AtomicBool,
    }

    /// Maps beyond this number are not watched.
    const PLACES: usize = 256;

    static WATCHED: [Watched; PLACES] =
        [const { Watched { start: AtomicUsize::new(0), end: AtomicUsize::new(0), cut: AtomicBool::new(false) } };
            PLACES];
    static PAGE: AtomicUsize = AtomicUsize::new(4096);
    /// Who listened before us.
    static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();
    static LISTEN: Once = Once::new();

    /// Stands while its map is watched.
    #[derive(Debug)]
    pub(super) struct Place(usize);

    impl Place {
        pub(super) fn of(map: &[u8]) -> Option<Self> {
            LISTEN.call_once(listen);
            let (start, end) = (map.as_ptr().addr(), map.as_ptr().addr() + map.len());
            let take = |watched: &Watched| {
                // The end first: a place counts as soon as it has a start.
                let free = watched.start.compare_exchange(0, usize::MAX, Ordering::AcqRel, Ordering::Acquire).is_ok();
                if free {
                    watched.cut.store(false, Ordering::Release);
                    watched.end.store(end, Ordering::Release);
                    watched.start.store(start, Ordering::Release);
                }
                free
            };
            WATCHED.iter().position(take).map(Self)
        }

        pub(super) fn is_cut(&self) -> bool {
            WATCHED[self.0].cut.load(Ordering::Acquire)
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            WATCHED[self.0].start.store(0, Ordering::Release);
        }
    }

    fn listen() {
        // SAFETY: plain calls of the system; the structures live on this stack, and the handler does only what a handler
        // may: it reads atomics and calls the system.
        unsafe {
            if let Ok(page) = usize::try_from(libc::sysconf(libc::_SC_PAGESIZE)) {
                PAGE.store(page.max(1), Ordering::Release);
            }
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = on_bus_error as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            let mut before: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(libc::SIGBUS, &raw const action, &raw mut before) == 0 {
                // The cell was empty: this runs once.
                let _first = BEFORE.set(before);
            }
        }
    }

    extern "C" fn on_bus_error(_signal: libc::c_int, info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
        // SAFETY: the system hands over a valid `info`. Only addresses of a map of ours are replaced, up to its end, by
        // memory that reads as zeros; whoever reads there holds a shared slice of bytes, for which any bytes will do.
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
                    watched.cut.store(true, Ordering::Release);
                    return;
                }
            }
            // None of ours: whoever listened before hears it when the read is tried again.
            match BEFORE.get() {
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
    fn a_file_that_is_shortened_while_it_is_mapped_reads_as_zeros() {
        let path = std::env::temp_dir().join(format!("flowline-cut-{}", std::process::id()));
        std::fs::write(&path, vec![b'x'; 1 << 20]).expect("a file");
        let file = File::options().read(true).write(true).open(&path).expect("opens");
        let mapped = Mapped::new(&file).expect("maps");
        let other = mapped.clone();
        assert_eq!((other.as_ref().len(), mapped.is_cut()), (1 << 20, false));
        file.set_len(1 << 16).expect("is shortened");
        let rest = &other.as_ref()[1 << 16..];
        assert!(rest.iter().all(|byte| *byte == 0));
        assert!(mapped.as_ref()[..1 << 16].iter().all(|byte| *byte == b'x'));
        assert!(mapped.is_cut() && other.is_cut());
        std::fs::remove_file(&path).expect("is removed");
    }
}
