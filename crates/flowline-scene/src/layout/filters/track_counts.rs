//! Counts of track contents other than markers in the range of a scope: contents of tracks of registered kinds, flows on
//! flow tracks, and samples. They are counted in the background, together with the markers.

use std::collections::BTreeMap;

use flowline_profile::ThreadId;
use flowline_view::TrackId;

/// A part of a track: the number of the track among those of its kind, and the first row of the part.
pub type TrackPart = (u32, u32);

/// Counts shown in track labels, for the most recently counted range.
#[derive(Clone, Debug, Default)]
pub struct TrackCounts {
    /// Contents of tracks of registered kinds, by track and first row of the part.
    pub(crate) parts: BTreeMap<(TrackId, u32), usize>,
    /// Flows by flow track.
    pub(crate) flows: Vec<usize>,
    /// Samples by thread.
    pub(crate) samples: Vec<usize>,
}

impl TrackCounts {
    /// Contents of a track of a registered kind: of the part that begins at a row, or of all parts.
    #[must_use]
    pub fn contents(&self, track: TrackId, first_row: Option<u32>) -> Option<usize> {
        let (from, to) = first_row.map_or((0, u32::MAX), |row| (row, row));
        self.parts.range((track, from)..=(track, to)).map(|(_, count)| *count).reduce(|sum, count| sum + count)
    }

    /// Flows on a flow track, by its number.
    #[must_use]
    pub fn flows(&self, track: u32) -> Option<usize> {
        self.flows.get(track as usize).copied()
    }

    /// Samples of a thread.
    #[must_use]
    pub fn samples(&self, thread: ThreadId) -> Option<usize> {
        self.samples.get(thread.index()).copied()
    }
}
