//! Custom tracks: what the authors of a page put on tracks of their own, with `performance.measure`, `performance.mark` and
//! `console.timeStamp`.
//!
//! An entry stands on its track and belongs to the marker that states it: search, tables and flows know the marker, which
//! stays in the rows of its thread, too. The rules are those of Chrome's DevTools. Entries are read when somebody asks for
//! them: only user timings and time stamps are decoded, on all cores.

mod read;
mod rows;
mod stamps;

use rayon::prelude::*;

use super::clock::Clock;
use super::style::color_index;
use flowline_profile::{MarkerId, Ns, Profile, TimeRange, Value};
pub use rows::{CustomTrack, Part, RowEntries};

/// The function that made an entry.
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
    /// The function as it is written.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Measure => "performance.measure",
            Self::Mark => "performance.mark",
            Self::Stamp => "console.timeStamp",
        }
    }
}

/// Where an entry belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// On the track that it names.
    Track,
    /// Over all tracks.
    Marker,
    /// With the timings: it has a start or an end of its own, and names no track.
    Timing,
}

impl EntryKind {
    /// Its name for scripts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Track => "entry",
            Self::Marker => "marker",
            Self::Timing => "timing",
        }
    }
}

/// What an author put on a track.
#[derive(Clone, Debug, PartialEq)]
pub struct CustomEntry {
    /// Where it belongs.
    pub kind: EntryKind,
    /// What made it.
    pub origin: Origin,
    /// The marker that states it.
    pub marker: MarkerId,
    /// The earlier stamps that its start and its end are named after.
    pub named_after: [Option<MarkerId>; 2],
    /// Its name.
    pub name: String,
    /// Its track; empty without one.
    pub track: String,
    /// The group of its track; empty without one.
    pub group: String,
    /// Its start.
    pub start: Ns,
    /// Its end, which may lie before its start; `None` for a mark, which has no length.
    pub end: Option<Ns>,
    /// Its colour as written.
    pub color: Option<String>,
    /// The text of its tooltip.
    pub tooltip: Option<String>,
    /// Its properties in their order.
    pub properties: Vec<(String, Value)>,
    /// What its author attached to it besides; null without anything.
    pub detail: Value,
}

impl CustomEntry {
    /// The palette word of its colour. Unknown colours are those of entries without one.
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

    /// The end at which it is drawn: never before its start.
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
    /// By start; the longer first, then the one that was stated later.
    entries: Vec<CustomEntry>,
    /// By marker.
    of_marker: Vec<(MarkerId, u32)>,
    tracks: Vec<CustomTrack>,
}

impl CustomTracks {
    /// Whether a recording may have entries.
    #[must_use]
    pub fn may_have(profile: &Profile) -> bool {
        !read::Sources::new(profile).is_empty()
    }

    /// All entries of a recording, without tracks.
    #[must_use]
    pub fn build(profile: &Profile) -> Self {
        let (mut entries, stamps) = read::entries(profile, &read::Sources::new(profile));
        entries.extend(stamps::entries(profile, &stamps));
        // The order of the file decides between equal times.
        entries.par_sort_by(|(a, place), (b, other)| {
            let by_time = a.start.cmp(&b.start).then_with(|| b.end.unwrap_or(b.start).cmp(&a.end.unwrap_or(a.start)));
            by_time.then(other.cmp(place))
        });
        let entries: Vec<CustomEntry> = entries.into_iter().map(|(entry, _)| entry).collect();
        let mut of_marker: Vec<_> = (0..).zip(&entries).map(|(at, entry): (u32, _)| (entry.marker, at)).collect();
        of_marker.sort_unstable();
        Self { entries, of_marker, tracks: Vec::new() }
    }

    /// The same with the rows of the tracks.
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

    /// The tracks: those of the authors by their first entries, then markers, then timings.
    #[must_use]
    pub fn tracks(&self) -> &[CustomTrack] {
        &self.tracks
    }

    /// The number of the entry that a marker states.
    #[must_use]
    pub fn of_marker(&self, marker: MarkerId) -> Option<u32> {
        let at = self.of_marker.binary_search_by_key(&marker, |(marker, _)| *marker).ok()?;
        Some(self.of_marker[at].1)
    }

    /// The entry of a number.
    #[must_use]
    pub fn entry(&self, number: u32) -> Option<&CustomEntry> {
        self.entries.get(number as usize)
    }

    /// The track of an entry, and its row there.
    #[must_use]
    pub fn place(&self, number: u32) -> Option<(usize, usize)> {
        let find = |(at, track): (usize, &CustomTrack)| Some((at, track.row_of(number)?));
        self.tracks.iter().enumerate().find_map(find)
    }

    /// From the first start to the last end of a track's entries.
    #[must_use]
    pub fn range(&self, track: &CustomTrack) -> Option<TimeRange> {
        let entries = track.entries().filter_map(|number| self.entry(number));
        entries.map(|entry| TimeRange::new(entry.start, entry.drawn_end())).reduce(TimeRange::union)
    }
}

/// A property's value as text: strings as they are, anything else as JSON.
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

/// What an author attached, as text: empty for nothing.
#[must_use]
pub fn detail_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Object(members) if members.is_empty() => String::new(),
        value => property_text(value),
    }
}
