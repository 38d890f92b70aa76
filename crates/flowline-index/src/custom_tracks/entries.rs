//! The entries of custom tracks, by marker and by track.

use rayon::prelude::*;

use super::entry::CustomEntry;
use super::rows::CustomTrack;
use super::{read, rows, stamps};
use crate::rows::Clock;
use flowline_profile::{MarkerId, Profile, TimeRange};

/// All entries of a recording, and their tracks.
#[derive(Clone, Debug, Default)]
pub struct CustomTracks {
    /// By start; longer ones first, then later ones in the file.
    entries: Vec<CustomEntry>,
    /// By marker.
    of_marker: Vec<(MarkerId, u32)>,
    tracks: Vec<CustomTrack>,
}

impl CustomTracks {
    /// True if a recording may have entries.
    #[must_use]
    #[inline]
    pub fn may_have(profile: &Profile) -> bool {
        !read::Sources::new(profile).is_empty()
    }

    /// All entries of a recording, without tracks.
    #[must_use]
    pub fn build(profile: &Profile) -> Self {
        let (mut entries, stamps) = read::entries(profile, &read::Sources::new(profile));
        entries.extend(stamps::entries(profile, &stamps));
        // Entries with equal times are in the reverse order of the file.
        entries.par_sort_by(|(a, place), (b, other)| {
            let by_time = a.start.cmp(&b.start).then_with(|| b.end.unwrap_or(b.start).cmp(&a.end.unwrap_or(a.start)));
            by_time.then(other.cmp(place))
        });
        let entries: Vec<CustomEntry> = entries.into_iter().map(|(entry, _)| entry).collect();
        let mut of_marker: Vec<_> = (0..).zip(&entries).map(|(at, entry): (u32, _)| (entry.marker, at)).collect();
        of_marker.sort_unstable();
        Self { entries, of_marker, tracks: Vec::new() }
    }

    /// Adds the tracks with their rows.
    #[must_use]
    pub(crate) fn with_tracks(self, clock: Clock) -> Self {
        let tracks = rows::tracks(&self.entries, clock);
        Self { tracks, ..self }
    }

    /// All entries by start.
    #[must_use]
    #[inline]
    pub fn entries(&self) -> &[CustomEntry] {
        &self.entries
    }

    /// Tracks: the authors' tracks by their first entries, then markers, then timings.
    #[must_use]
    #[inline]
    pub fn tracks(&self) -> &[CustomTrack] {
        &self.tracks
    }

    /// Number of the entry that a marker defines.
    #[must_use]
    #[inline]
    pub fn of_marker(&self, marker: MarkerId) -> Option<u32> {
        let at = self.of_marker.binary_search_by_key(&marker, |(marker, _)| *marker).ok()?;
        Some(self.of_marker[at].1)
    }

    /// Entry by number.
    #[must_use]
    #[inline]
    pub fn entry(&self, number: u32) -> Option<&CustomEntry> {
        self.entries.get(number as usize)
    }

    /// Track of an entry, and its row in the track.
    #[must_use]
    #[inline]
    pub fn place(&self, number: u32) -> Option<(usize, usize)> {
        let find = |(at, track): (usize, &CustomTrack)| Some((at, track.row_of(number)?));
        self.tracks.iter().enumerate().find_map(find)
    }

    /// Time from the first start to the last end of a track's entries.
    #[must_use]
    #[inline]
    pub fn range(&self, track: &CustomTrack) -> Option<TimeRange> {
        let entries = track.entries().filter_map(|number| self.entry(number));
        entries.map(|entry| TimeRange::new(entry.start, entry.drawn_end())).reduce(TimeRange::union)
    }
}
