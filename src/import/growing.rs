//! Text that is read while it is still being unpacked.
//!
//! A thread of its own unpacks into a file that has no name any more, and readers look at that file through a map: what
//! has arrived is text like any other. So the unpacked text takes room on the disk and in the system's cache of it, which
//! gives it back under pressure, but no memory of the program.

use std::fs::File;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::error::ImportError;
use super::mapping::Mapped;
use super::progress::Progress;

/// How often somebody who waits looks whether loading was cancelled.
const PATIENCE: Duration = Duration::from_millis(100);

/// Unpacked text, as far as it has arrived.
#[derive(Debug)]
pub(super) struct Growing {
    file: File,
    map: Mapped,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    ready: usize,
    /// Once nothing more comes: how it ended.
    end: Option<End>,
    /// Nobody reads any more.
    abandoned: bool,
}

/// How unpacking ended.
#[derive(Debug)]
pub(super) enum End {
    /// All is there; a sentence about what is missing if the packed data was damaged or cut.
    Whole(Option<String>),
    /// There is no room for the text in the folder.
    NoRoom(std::io::Error),
    /// Nothing can be made of it.
    Failed(ImportError),
}

impl Growing {
    /// Makes room for at most `limit` bytes of text in a folder.
    ///
    /// # Errors
    /// What the system says; then there is no such room.
    pub(super) fn new(folder: &Path, limit: u64) -> std::io::Result<Arc<Self>> {
        static COUNT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        std::fs::create_dir_all(folder)?;
        let path = folder.join(format!("unpacked-{}-{number}", std::process::id()));
        let file = File::options().read(true).write(true).create_new(true).open(&path)?;
        // Without a name it vanishes with the program, however that ends.
        std::fs::remove_file(&path)?;
        // The file is as long as it may become, but takes room only where something was written.
        file.set_len(limit.saturating_add(1))?;
        let map = Mapped::new(&file)?;
        Ok(Arc::new(Self { file, map, state: Mutex::default(), changed: Condvar::new() }))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A thread that panicked while it held the lock left plain numbers behind.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds text at the end; `false` if nobody wants more.
    ///
    /// # Errors
    /// What the system says, above all that the disk is full.
    pub(super) fn push(&self, text: &[u8]) -> std::io::Result<bool> {
        let at = self.lock().ready;
        write_at(&self.file, text, at as u64)?;
        let mut state = self.lock();
        state.ready = at + text.len();
        self.changed.notify_all();
        Ok(!state.abandoned)
    }

    /// Says that nothing more comes.
    pub(super) fn end(&self, end: End) {
        let mut state = self.lock();
        state.end = Some(end);
        self.changed.notify_all();
    }

    /// Says that nobody reads any more.
    pub(super) fn abandon(&self) {
        self.lock().abandoned = true;
    }

    /// Waits until more than `offset` bytes are there, or all. Gives what is there, and whether that is all.
    pub(super) fn upto(&self, offset: usize) -> (&[u8], bool) {
        let mut state = self.lock();
        while state.ready <= offset && state.end.is_none() {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        (&self.map.as_ref()[..state.ready], state.end.is_some())
    }

    /// Waits for the end; gives how it ended and the text, which keeps the file.
    pub(super) fn finish(&self, progress: &Progress) -> (End, Unpacked) {
        let mut state = self.lock();
        while state.end.is_none() && !progress.is_cancelled() {
            let waited = self.changed.wait_timeout(state, PATIENCE).unwrap_or_else(PoisonError::into_inner);
            state = waited.0;
        }
        let (length, end) = (state.ready, state.end.take());
        drop(state);
        let end = end.unwrap_or(End::Failed(ImportError::Cancelled));
        // What lies behind the text was never written.
        let _kept_long = self.file.set_len(length as u64);
        (end, Unpacked { map: self.map.clone(), length })
    }
}

#[cfg(unix)]
fn write_at(file: &File, text: &[u8], offset: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, text, offset)
}

#[cfg(not(unix))]
fn write_at(mut file: &File, text: &[u8], offset: u64) -> std::io::Result<()> {
    use std::io::{Seek, SeekFrom, Write};
    file.seek(SeekFrom::Start(offset))?;
    file.write_all(text)
}

/// All of an unpacked text.
#[derive(Debug)]
pub(super) struct Unpacked {
    map: Mapped,
    length: usize,
}

impl AsRef<[u8]> for Unpacked {
    fn as_ref(&self) -> &[u8] {
        &self.map.as_ref()[..self.length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_sees_what_has_arrived_and_waits_for_the_rest() {
        let growing = Growing::new(&std::env::temp_dir(), 1 << 20).expect("room");
        let writer = Arc::clone(&growing);
        let written = std::thread::spawn(move || {
            for piece in 0..64_u8 {
                assert!(writer.push(&[piece; 1000]).expect("written"));
            }
            writer.end(End::Whole(None));
        });
        let (first, _) = growing.upto(9_999);
        assert!(first.len() >= 10_000);
        assert_eq!((first[0], first[9_999]), (0, 9));
        let (end, text) = growing.finish(&Progress::default());
        assert!(matches!(end, End::Whole(None)));
        assert_eq!((text.as_ref().len(), text.as_ref()[63_999]), (64_000, 63));
        written.join().expect("ended");
    }

    #[test]
    fn a_writer_hears_that_nobody_reads() {
        let growing = Growing::new(&std::env::temp_dir(), 1 << 20).expect("room");
        assert!(growing.push(b"abc").expect("written"));
        growing.abandon();
        assert!(!growing.push(b"def").expect("written"));
    }
}
