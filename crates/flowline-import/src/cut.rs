//! A part of a recording, which [`super::write_part`] writes as a smaller recording of the same format.
//!
//! Text is copied as it stands; what does not belong to the part is left out. Besides the markers of the part, what they
//! depend on is kept, too: both halves of a pair, all rows of a message, the event that says how long something lasted.
//! So every marker of the part is read from the smaller recording as from the whole one. The first and the last thing of a
//! recording stay, and with them its clock. Nothing of the output is held in memory.

use std::io;

use super::error::ImportError;
use flowline_profile::{LocalMarker, Ns, Profile, TimeRange};

/// The part of a recording that is written.
#[derive(Debug)]
pub struct CutScope<'a> {
    /// The whole recording.
    pub profile: &'a Profile,
    /// Its time range on the recording's clock, open at its end; samples and counters count from here, too.
    pub range: TimeRange,
    /// For each thread of the recording, whether it belongs to the part.
    pub threads: Vec<bool>,
    /// For each thread of the recording, its markers that belong to the part, ascending.
    pub markers: Vec<Vec<LocalMarker>>,
    /// Whether a search has chosen the markers. Otherwise what is no marker (an end without a begin) is kept by its time.
    pub is_searched: bool,
}

impl CutScope<'_> {
    /// Whether a point in time belongs to the part.
    pub(super) fn contains(&self, time: Ns) -> bool {
        self.range.start <= time && time < self.range.end
    }

    /// Whether a thread belongs to the part; threads that the recording does not list do not.
    pub(super) fn has_thread(&self, thread: usize) -> bool {
        self.threads.get(thread).copied().unwrap_or(false)
    }

    /// Whether all threads belong to the part.
    pub(super) fn has_all_threads(&self) -> bool {
        self.threads.iter().all(|is_kept| *is_kept)
    }

    /// The markers of a thread that belong to the part.
    pub(super) fn markers(&self, thread: usize) -> &[LocalMarker] {
        self.markers.get(thread).map_or(&[], Vec::as_slice)
    }
}

/// Why nothing was written, or not all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CutError {
    /// The output cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The text cannot be read again.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// Recordings of this format cannot be cut.
    #[error("cut reads Firefox profiles and traces; this one {0}")]
    Unsupported(String),
}

/// Whether recordings of a format can be cut.
///
/// # Errors
/// [`CutError::Unsupported`] if they cannot.
pub fn check_format(profile: &Profile) -> Result<(), CutError> {
    match profile.meta.format {
        "chrome" | "firefox-raw" | "firefox-processed" | "firefox-processed-jslb" => Ok(()),
        _ => Err(CutError::Unsupported(format!(
            "is in the format \"{}\", which has no markers",
            profile.meta.format_label
        ))),
    }
}
