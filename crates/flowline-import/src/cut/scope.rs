//! The part of a recording that [`crate::write_part`] writes as a smaller recording of the same format.
//!
//! The text is copied verbatim, without the entries outside the part. Marker dependencies are kept too: both halves of
//! a pair, all rows of a message, and the event that determines a duration. Every marker of the part is therefore the
//! same in the smaller recording as in the whole one. The first and last entries of the recording are kept, so its
//! clock does not change. The output is streamed and not buffered in memory.

use std::io;

use super::removal::Removal;
use crate::error::ImportError;
use flowline_profile::{LocalMarker, Ns, Profile, TimeRange};

/// The part of a recording to write.
#[derive(Debug)]
pub struct CutScope<'a> {
    /// The whole recording.
    pub profile: &'a Profile,
    /// Time range on the recording's clock, excluding its end. It also selects samples and counter values.
    pub range: TimeRange,
    /// For each thread of the recording, true if it belongs to the part.
    pub threads: Vec<bool>,
    /// For each thread of the recording, its markers that belong to the part, ascending.
    pub markers: Vec<Vec<LocalMarker>>,
    /// True if a search selected the markers. Otherwise events that are not markers (an end without a begin) are
    /// selected by their time.
    pub is_searched: bool,
    /// Private content that the part does not contain.
    pub removal: Removal,
}

impl CutScope<'_> {
    /// True if a point in time belongs to the part.
    pub(crate) fn contains(&self, time: Ns) -> bool {
        self.range.start <= time && time < self.range.end
    }

    /// True if a thread belongs to the part; false for threads that the recording does not list.
    pub(crate) fn has_thread(&self, thread: usize) -> bool {
        self.threads.get(thread).copied().unwrap_or(false)
    }

    /// True if all threads belong to the part.
    pub(crate) fn has_all_threads(&self) -> bool {
        self.threads.iter().all(|is_kept| *is_kept)
    }

    /// The markers of a thread that belong to the part.
    pub(crate) fn markers(&self, thread: usize) -> &[LocalMarker] {
        self.markers.get(thread).map_or(&[], Vec::as_slice)
    }
}

/// Error from writing a part of a recording. The output may be missing or incomplete.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CutError {
    /// The output cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The text cannot be read again.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The part lacks everything by which a recording is recognized.
    #[error("this part of the recording contains nothing that could be opened again; choose a larger one")]
    Unreadable(#[source] ImportError),
    /// Recordings of this format cannot be cut.
    #[error("cut supports {supported}; this recording is in the format \"{format}\", which has no markers")]
    Unsupported {
        /// Names of the formats that can be cut.
        supported: String,
        /// The format of the recording.
        format: &'static str,
    },
    /// The binary container has different markers than its JSON text.
    #[error("the JSLB container is too damaged to be cut")]
    DamagedContainer,
}
