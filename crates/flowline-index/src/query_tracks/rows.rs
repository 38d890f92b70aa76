//! The entries of a query track, packed into rows like those of custom tracks.

use super::entry::QueryEntry;
use crate::custom_tracks::CustomTrack;
use crate::{Clock, Packed, Style, Styles, color_of_name};
use flowline_profile::{MarkerId, TimeRange};

/// The entries of a track and their rows.
#[derive(Clone, Debug, Default)]
pub struct QueryTrackRows {
    /// By start; longer ones first.
    entries: Vec<QueryEntry>,
    /// By marker; the first entry of each.
    of_marker: Vec<(MarkerId, u32)>,
    track: CustomTrack,
    has_more: bool,
}

impl QueryTrackRows {
    /// Sorts and packs entries. Entries of a marker have its color, others a color for their name.
    #[must_use]
    pub fn new(clock: Clock, styles: &Styles, mut entries: Vec<QueryEntry>) -> Self {
        entries.sort_by(|a, b| a.start.cmp(&b.start).then_with(|| b.times().end.cmp(&a.times().end)));
        let packed = |entry: &QueryEntry| {
            let style = match entry.marker {
                Some(marker) => styles.get(marker).with_incomplete(false),
                None => Style::new(color_of_name(&entry.name)),
            };
            let TimeRange { start, end } = entry.times();
            Packed::new(clock.tick(start), clock.tick(end), style.with_instant(entry.end.is_none()))
        };
        let spans: Vec<Packed> = entries.iter().map(packed).collect();
        let numbered = (0_u32..).zip(&entries);
        let mut of_marker: Vec<_> = numbered.filter_map(|(number, entry)| Some((entry.marker?, number))).collect();
        of_marker.sort_unstable();
        of_marker.dedup_by_key(|(marker, _)| *marker);
        Self { track: CustomTrack::of_spans("", &spans), entries, of_marker, has_more: false }
    }

    /// States if the result has more rows than its limit.
    #[must_use]
    pub fn with_more(self, has_more: bool) -> Self {
        Self { has_more, ..self }
    }

    /// True if the result has more rows than its limit.
    #[must_use]
    #[inline]
    pub const fn has_more(&self) -> bool {
        self.has_more
    }

    /// The rows.
    #[must_use]
    #[inline]
    pub const fn track(&self) -> &CustomTrack {
        &self.track
    }

    /// The entries by start.
    #[must_use]
    #[inline]
    pub fn entries(&self) -> &[QueryEntry] {
        &self.entries
    }

    /// An entry by its number.
    #[must_use]
    #[inline]
    pub fn entry(&self, number: u32) -> Option<&QueryEntry> {
        self.entries.get(number as usize)
    }

    /// The first entry of a marker.
    #[must_use]
    #[inline]
    pub fn of_marker(&self, marker: MarkerId) -> Option<u32> {
        let at = self.of_marker.binary_search_by_key(&marker, |(marker, _)| *marker).ok()?;
        Some(self.of_marker[at].1)
    }
}
