//! Watches the file of an open recording on a separate thread, because file system calls may block on the network.
//!
//! There are two kinds of changes: the bytes of the memory-mapped recording have changed ([`Source::check_changed`]),
//! or its path refers to a different file or different contents than when it was opened, and writing has finished.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, SystemTime};

use flowline_profile::Source;

/// Polling interval.
const INTERVAL: Duration = Duration::from_secs(1);

/// Identity, size and modification time of the file at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PathStamp {
    bytes: u64,
    modified: Option<SystemTime>,
    inode: u64,
}

impl PathStamp {
    /// Returns the stamp of the file at a path; `None` if it is not a regular file.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        Self::read(path).ok().flatten()
    }

    /// Like [`PathStamp::of`], but an error if the file may exist.
    pub(crate) fn read(path: &Path) -> std::io::Result<Option<Self>> {
        match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => {
                let (bytes, modified) = (metadata.len(), metadata.modified().ok());
                Ok(Some(Self { bytes, modified, inode: inode(&metadata) }))
            }
            Ok(_) => Ok(None),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

#[cfg(unix)]
fn inode(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
const fn inode(_metadata: &Metadata) -> u64 {
    0
}

/// A watched file. Dropping it ends the watch.
#[derive(Debug)]
pub(crate) struct FileWatch {
    _stop: Sender<()>,
}

impl FileWatch {
    /// Watches a file until it changes, then calls `notify` once. `opened` is the stamp of the file before the
    /// recording was read.
    pub(crate) fn start(
        path: PathBuf,
        opened: PathStamp,
        source: Source,
        notify: impl FnOnce() + Send + 'static,
    ) -> std::io::Result<Self> {
        let (stop, stopped) = channel::<()>();
        let work = move || {
            let mut before = opened;
            while stopped.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                // A deleted file may be about to be written again.
                let now = PathStamp::of(&path).unwrap_or(opened);
                if source.check_changed() || (now != opened && now == before) {
                    return notify();
                }
                before = now;
            }
        };
        std::thread::Builder::new().name("flowline-watch".into()).spawn(work)?;
        Ok(Self { _stop: stop })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rewritten_file_is_reported_once_it_is_complete() {
        let path = std::env::temp_dir().join(format!("flowline-watch-{}", std::process::id()));
        std::fs::write(&path, "[1]").expect("written");
        let (sender, told) = channel();
        let notify = move || sender.send(()).expect("the receiver exists");
        let opened = PathStamp::of(&path).expect("a file");
        let watch = FileWatch::start(path.clone(), opened, Source::default(), notify).expect("a thread");
        std::fs::remove_file(&path).expect("removed");
        assert_eq!(told.recv_timeout(INTERVAL * 3), Err(RecvTimeoutError::Timeout), "the file is only deleted");
        std::fs::write(&path, "[1, 2]").expect("written");
        assert_eq!(told.recv_timeout(INTERVAL * 20), Ok(()));
        drop(watch);
        std::fs::remove_file(&path).expect("removed");
    }
}
