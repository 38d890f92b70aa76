//! Length and modification time of a file, for a cheap check whether it changed.

use std::fs::Metadata;
use std::time::{Duration, UNIX_EPOCH};

/// Length and modification time of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStamp {
    /// Length in bytes.
    pub bytes: u64,
    /// Time of the last change since 1970; zero for earlier times.
    pub modified: Duration,
}

impl FileStamp {
    /// Returns the stamp of a file with this metadata.
    ///
    /// # Errors
    /// When the system does not provide the modification time.
    pub fn from_metadata(metadata: &Metadata) -> std::io::Result<Self> {
        let modified = metadata.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        Ok(Self { bytes: metadata.len(), modified })
    }

    /// The modification time in nanoseconds.
    #[must_use]
    pub fn modified_ns(&self) -> u64 {
        u64::try_from(self.modified.as_nanos()).unwrap_or(u64::MAX)
    }

    /// The modification time in milliseconds.
    #[must_use]
    pub fn modified_ms(&self) -> u64 {
        u64::try_from(self.modified.as_millis()).unwrap_or(u64::MAX)
    }
}
