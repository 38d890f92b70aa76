//! The payloads that remain after a filter.

use flowline_profile::{LocalMarker, ThreadId};

/// The payloads that a term may match.
pub(super) struct KeptPayloads {
    /// For each thread, a bit for each marker.
    bits: Vec<Vec<u64>>,
}

impl KeptPayloads {
    /// `bits` holds for each thread a bit for each marker, the first marker's lowest.
    pub(super) const fn new(bits: Vec<Vec<u64>>) -> Self {
        Self { bits }
    }

    /// Whether the payload of a marker may match.
    pub(super) fn keeps(&self, thread: ThreadId, marker: LocalMarker) -> bool {
        let word = self.bits.get(thread.index()).and_then(|words| words.get(marker.index() / 64));
        word.is_none_or(|word| word >> (marker.index() % 64) & 1 == 1)
    }
}
