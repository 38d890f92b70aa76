//! Text that is read while it is being decompressed.
//!
//! One thread decompresses into an unlinked temporary file, and readers map that file. The text takes disk space and
//! page cache, which the system can reclaim, but no anonymous memory.

use std::fs::File;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::mapping::MappedFile;
use crate::error::ImportError;
use crate::progress::Progress;
use flowline_profile::Source;

/// Interval at which a waiting reader checks for cancellation.
const CANCEL_POLL: Duration = Duration::from_millis(100);

/// Text of a recording that is still being decompressed.
#[derive(Debug)]
pub(crate) struct SpooledText {
    file: File,
    map: MappedFile,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    ready: usize,
    /// Result of the decompression; `None` while it runs.
    end: Option<SpoolEnd>,
    /// True if no reader is left.
    abandoned: bool,
}

/// Result of the decompression.
#[derive(Debug)]
pub(crate) enum SpoolEnd {
    /// The text is complete. If the compressed data is damaged or truncated, this describes the missing part.
    Complete(Option<String>),
    /// The disk is full.
    DiskFull(std::io::Error),
    /// The decompression failed.
    Failed(ImportError),
}

impl SpooledText {
    /// Creates a spool file for at most `limit` bytes of text in a folder.
    ///
    /// # Errors
    /// When the file cannot be created or mapped.
    pub(crate) fn new(folder: &Path, limit: u64) -> std::io::Result<Arc<Self>> {
        std::fs::create_dir_all(folder)?;
        // Other users may write to the folder, so the name is unpredictable and only the owner may open the file.
        let random = || RandomState::new().build_hasher().finish();
        let path = folder.join(format!("flowline-{:016x}{:016x}", random(), random()));
        let mut options = File::options();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&path)?;
        // The system removes an unlinked file when the program ends, even after a crash.
        std::fs::remove_file(&path)?;
        // The file is sparse: only written blocks take disk space.
        file.set_len(limit.saturating_add(1))?;
        let map = MappedFile::new(&file)?;
        Ok(Arc::new(Self { file, map, state: Mutex::default(), changed: Condvar::new() }))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is plain data, valid even after a panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Appends text; returns `false` if no reader is left.
    ///
    /// # Errors
    /// When writing fails, usually because the disk is full.
    pub(crate) fn push(&self, text: &[u8]) -> std::io::Result<bool> {
        let at = self.lock().ready;
        write_at(&self.file, text, at as u64)?;
        let mut state = self.lock();
        state.ready = at + text.len();
        self.changed.notify_all();
        Ok(!state.abandoned)
    }

    /// Marks the end of the text.
    pub(crate) fn end(&self, end: SpoolEnd) {
        let mut state = self.lock();
        state.end = Some(end);
        self.changed.notify_all();
    }

    /// Tells the writer that no reader is left.
    pub(crate) fn abandon(&self) {
        self.lock().abandoned = true;
    }

    /// Waits until more than `offset` bytes are available or the text is complete. Returns the available text, and
    /// whether it is complete.
    pub(crate) fn available_after(&self, offset: usize) -> (&[u8], bool) {
        let mut state = self.lock();
        while state.ready <= offset && state.end.is_none() {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        (&self.map.as_ref()[..state.ready], state.end.is_some())
    }

    /// Waits for the end. Returns the result of the decompression and the text, which keeps the file alive.
    pub(crate) fn finish(&self, progress: &Progress) -> (SpoolEnd, SpooledBytes) {
        let mut state = self.lock();
        while state.end.is_none() && !progress.is_cancelled() {
            let waited = self.changed.wait_timeout(state, CANCEL_POLL).unwrap_or_else(PoisonError::into_inner);
            state = waited.0;
        }
        let (length, end) = (state.ready, state.end.take());
        drop(state);
        let end = end.unwrap_or(SpoolEnd::Failed(ImportError::Cancelled));
        // Drops the sparse tail that was never written.
        let _kept_long = self.file.set_len(length as u64);
        (end, SpooledBytes { map: self.map.clone(), length })
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

/// The complete decompressed text.
#[derive(Debug)]
pub(crate) struct SpooledBytes {
    map: MappedFile,
    length: usize,
}

impl SpooledBytes {
    pub(crate) fn into_source(self) -> Source {
        let pages = self.map.clone();
        Source::new(self).with_pages(Arc::new(pages))
    }
}

impl AsRef<[u8]> for SpooledBytes {
    fn as_ref(&self) -> &[u8] {
        &self.map.as_ref()[..self.length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_sees_available_text_and_waits_for_the_rest() {
        let spooled = SpooledText::new(&std::env::temp_dir(), 1 << 20).expect("room");
        let writer = Arc::clone(&spooled);
        let written = std::thread::spawn(move || {
            for piece in 0..64_u8 {
                assert!(writer.push(&[piece; 1000]).expect("written"));
            }
            writer.end(SpoolEnd::Complete(None));
        });
        let (first, _) = spooled.available_after(9_999);
        assert!(first.len() >= 10_000);
        assert_eq!((first[0], first[9_999]), (0, 9));
        let (end, text) = spooled.finish(&Progress::default());
        assert!(matches!(end, SpoolEnd::Complete(None)));
        assert_eq!((text.as_ref().len(), text.as_ref()[63_999]), (64_000, 63));
        written.join().expect("ended");
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_may_read_the_file() {
        use std::os::unix::fs::PermissionsExt as _;
        let spooled = SpooledText::new(&std::env::temp_dir(), 1 << 20).expect("room");
        assert_eq!(spooled.file.metadata().expect("metadata").permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_writer_learns_that_no_reader_is_left() {
        let spooled = SpooledText::new(&std::env::temp_dir(), 1 << 20).expect("room");
        assert!(spooled.push(b"abc").expect("written"));
        spooled.abandon();
        assert!(!spooled.push(b"def").expect("written"));
    }
}
