//! Custom tracks: entries that page authors add to their own tracks with `performance.measure`, `performance.mark` and
//! `console.timeStamp`.
//!
//! An entry is shown on its track and belongs to the marker that defines it. Search, tables and flows use the marker,
//! which also stays in the rows of its thread. The rules are those of Chrome's DevTools. Entries are read on first use,
//! on all cores; only user timings and time stamps are decoded.

mod read;
mod rows;
mod stamps;

use rayon::prelude::*;

use super::clock::Clock;
use super::style::color_index;
use flowline_profile::{MarkerId, Ns, Profile, TimeRange, Value};
pub use rows::{CustomTrack, RowEntries, TrackSection};

/// The function that created an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// `performance.measure`.
    Measure,
    /// `performance.mark`.
    Mark,
    /// `console.timeStamp`.
    Stamp,
}

impl Origin {
    /// Name of the function in JavaScript.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Measure => "performance.measure",
            Self::Mark => "performance.mark",
            Self::Stamp => "console.timeStamp",
        }
    }
}

/// The kind of an entry, which determines its track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// An entry with the name of its track.
    Track,
    /// A marker for all tracks.
    Marker,
    /// A time stamp with its own start or end but without a track; it is shown on the timings track.
    Timing,
}

impl EntryKind {
    /// Name for scripts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Track => "entry",
            Self::Marker => "marker",
            Self::Timing => "timing",
        }
    }
}

/// An entry of a custom track.
#[derive(Clone, Debug, PartialEq)]
pub struct CustomEntry {
    /// Kind of the entry.
    pub kind: EntryKind,
    /// Function that created the entry.
    pub origin: Origin,
    /// Marker that defines the entry.
    pub marker: MarkerId,
    /// Earlier stamps whose labels give the start and the end.
    pub named_after: [Option<MarkerId>; 2],
    /// Name of the entry.
    pub name: String,
    /// Track; empty without one.
    pub track: String,
    /// Group of the track; empty without one.
    pub group: String,
    /// Start.
    pub start: Ns,
    /// End, which may be before the start; `None` for a mark, which has no length.
    pub end: Option<Ns>,
    /// Color as written by the author.
    pub color: Option<String>,
    /// Text of the tooltip.
    pub tooltip: Option<String>,
    /// Properties in their original order.
    pub properties: Vec<(String, Value)>,
    /// Other data attached by the author; null without any.
    pub detail: Value,
}

impl CustomEntry {
    /// Palette word of the color. Unknown colors are drawn like entries without a color.
    #[must_use]
    pub fn color_word(&self) -> &'static str {
        match self.color.as_deref().unwrap_or_default() {
            "primary-light" => "lightblue",
            "primary-dark" => "ink",
            "secondary" => "purple",
            "secondary-light" => "magenta",
            "secondary-dark" => "brown",
            "tertiary" => "green",
            "tertiary-light" => "lightgreen",
            "tertiary-dark" => "teal",
            "error" => "red",
            "warning" => "yellow",
            _ => "blue",
        }
    }

    /// End for drawing: never before the start.
    #[must_use]
    pub fn drawn_end(&self) -> Ns {
        self.end.map_or(self.start, |end| end.max(self.start))
    }

    fn palette_entry(&self) -> u8 {
        color_index(self.color_word())
    }
}

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
    pub(super) fn with_tracks(self, clock: Clock) -> Self {
        let tracks = rows::tracks(&self.entries, clock);
        Self { tracks, ..self }
    }

    /// All entries by start.
    #[must_use]
    pub fn entries(&self) -> &[CustomEntry] {
        &self.entries
    }

    /// Tracks: the authors' tracks by their first entries, then markers, then timings.
    #[must_use]
    pub fn tracks(&self) -> &[CustomTrack] {
        &self.tracks
    }

    /// Number of the entry that a marker defines.
    #[must_use]
    pub fn of_marker(&self, marker: MarkerId) -> Option<u32> {
        let at = self.of_marker.binary_search_by_key(&marker, |(marker, _)| *marker).ok()?;
        Some(self.of_marker[at].1)
    }

    /// Entry by number.
    #[must_use]
    pub fn entry(&self, number: u32) -> Option<&CustomEntry> {
        self.entries.get(number as usize)
    }

    /// Track of an entry, and its row in the track.
    #[must_use]
    pub fn place(&self, number: u32) -> Option<(usize, usize)> {
        let find = |(at, track): (usize, &CustomTrack)| Some((at, track.row_of(number)?));
        self.tracks.iter().enumerate().find_map(find)
    }

    /// Time from the first start to the last end of a track's entries.
    #[must_use]
    pub fn range(&self, track: &CustomTrack) -> Option<TimeRange> {
        let entries = track.entries().filter_map(|number| self.entry(number));
        entries.map(|entry| TimeRange::new(entry.start, entry.drawn_end())).reduce(TimeRange::union)
    }
}

/// A property's value as text: strings unchanged, other values as JSON.
#[must_use]
pub fn property_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => {
            let mut text = String::new();
            value.to_json(&mut text);
            text
        }
    }
}

/// The `detail` of an entry as text; empty without data.
#[must_use]
pub fn detail_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Object(members) if members.is_empty() => String::new(),
        value => property_text(value),
    }
}
