//! The payloads that remain after filtering.

use flowline_profile::{LocalMarker, ThreadId};

/// The payloads that a term may match.
pub(super) struct CandidatePayloads {
    /// For each thread, one bit per marker.
    bits: Vec<Vec<u64>>,
}

impl CandidatePayloads {
    /// Creates the set from one bit per marker and thread, with the first marker in the lowest bit.
    #[inline]
    pub(super) const fn new(bits: Vec<Vec<u64>>) -> Self {
        Self { bits }
    }

    /// True if the payload of a marker may match.
    #[inline]
    pub(super) fn keeps(&self, thread: ThreadId, marker: LocalMarker) -> bool {
        let word = self.bits.get(thread.index()).and_then(|words| words.get(marker.index() / 64));
        word.is_none_or(|word| word >> (marker.index() % 64) & 1 == 1)
    }
}
