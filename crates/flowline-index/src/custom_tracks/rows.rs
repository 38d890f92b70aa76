//! Rows of custom tracks: entries packed first-fit, with a pyramid for each row.

use std::collections::HashMap;

use super::{CustomEntry, EntryKind};
use crate::rows::{Clock, FirstFit, Packed, Pyramid, RowItems, Style, touching};
use flowline_profile::LocalMarker;

/// The entries of a row: their numbers, and their ticks on this row.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    entries: Vec<(u32, Packed)>,
    /// Pyramid over the full lengths of the entries, which may be cut on this row.
    pyramid: Pyramid,
}

/// Consecutive rows of a [`CustomTrack`] that show one track of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrackSection {
    /// Name of the track in its group.
    pub name: String,
    /// Number of its first row.
    pub first_row: usize,
    /// Number of its rows.
    pub rows: usize,
    /// Number of its entries.
    pub entries: usize,
}

/// A track, or a group of tracks.
#[derive(Clone, Debug, Default)]
pub struct CustomTrack {
    /// Name of the track or group.
    pub name: String,
    /// True for a group. A group and a track with the same name are different.
    pub is_group: bool,
    /// The tracks of a group; for a track, only the track itself.
    pub parts: Vec<TrackSection>,
    rows: Vec<Row>,
    /// All entries on one row; each begins no earlier than the end of the previous one.
    summary: Row,
    /// Number, ticks and row of each entry, by number.
    places: Vec<(u32, Packed, u32)>,
}

/// The entries of a row by position.
#[derive(Clone, Copy, Debug)]
pub struct RowEntries<'a> {
    track: &'a CustomTrack,
    row: &'a Row,
}

impl RowItems for RowEntries<'_> {
    fn len(&self) -> usize {
        self.row.entries.len()
    }

    fn packed(&self, position: usize) -> Packed {
        self.row.entries[position].1
    }

    /// Number of the entry.
    fn marker(&self, position: usize) -> LocalMarker {
        LocalMarker(self.row.entries[position].0)
    }

    fn length(&self, entry: LocalMarker) -> u64 {
        self.track.packed(entry.0).map_or(0, |packed| packed.end() - packed.start())
    }
}

impl<'a> RowEntries<'a> {
    /// Pyramid of the row.
    #[must_use]
    #[inline]
    pub const fn pyramid(&self) -> &'a Pyramid {
        &self.row.pyramid
    }

    /// The numbers of the entries, by start.
    #[inline]
    pub fn numbers(&self) -> impl Iterator<Item = u32> + use<'a> {
        self.row.entries.iter().map(|(number, _)| *number)
    }

    /// True if the row contains an entry.
    #[must_use]
    #[inline]
    pub fn has(&self, entry: u32) -> bool {
        // Entries are numbered in start order.
        self.row.entries.binary_search_by_key(&entry, |(number, _)| *number).is_ok()
    }
}

/// The entries under a heading.
#[derive(Debug, Default)]
struct Heading<'a> {
    name: &'a str,
    is_group: bool,
    /// Name and entries of each part, ordered by first entry.
    parts: Vec<(&'a str, Vec<u32>)>,
    by_name: HashMap<&'a str, usize>,
}

/// Tracks of entries, which must be sorted by start.
pub(super) fn tracks(entries: &[CustomEntry], clock: Clock) -> Vec<CustomTrack> {
    let mut headings: Vec<Heading<'_>> = Vec::new();
    let mut by_key: HashMap<(EntryOrder, &str, bool), usize> = HashMap::new();
    for (number, entry) in (0_u32..).zip(entries) {
        let (name, part, is_group) = match entry.kind {
            EntryKind::Track if !entry.group.is_empty() => (entry.group.as_str(), entry.track.as_str(), true),
            EntryKind::Track => (entry.track.as_str(), entry.track.as_str(), false),
            EntryKind::Marker => ("Markers", "Markers", false),
            EntryKind::Timing => ("Timings", "Timings", false),
        };
        let at = *by_key.entry((EntryOrder::of(entry.kind), name, is_group)).or_insert_with(|| {
            headings.push(Heading { name, is_group, ..Heading::default() });
            headings.len() - 1
        });
        let heading = &mut headings[at];
        let part_at = *heading.by_name.entry(part).or_insert_with(|| {
            heading.parts.push((part, Vec::new()));
            heading.parts.len() - 1
        });
        heading.parts[part_at].1.push(number);
    }
    let mut order: Vec<((EntryOrder, &str, bool), usize)> = by_key.into_iter().collect();
    order.sort_by_key(|((kind, ..), at)| (*kind, *at));
    order.into_iter().map(|(_, at)| CustomTrack::new(&headings[at], entries, clock)).collect()
}

/// Display order of tracks by the kind of their entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum EntryOrder {
    Tracks,
    Markers,
    Timings,
}

impl EntryOrder {
    const fn of(kind: EntryKind) -> Self {
        match kind {
            EntryKind::Track => Self::Tracks,
            EntryKind::Marker => Self::Markers,
            EntryKind::Timing => Self::Timings,
        }
    }
}

impl CustomTrack {
    /// A track of spans, which must be sorted by start. Entries have the numbers of their spans.
    pub(crate) fn of_spans(name: &str, spans: &[Packed]) -> Self {
        let mut track = Self { name: name.to_owned(), ..Self::default() };
        let mut rows = Vec::new();
        track.add_part(&mut rows, (0_u32..).zip(spans.iter().copied()));
        let (count, entries) = (rows.len(), spans.len());
        track.parts.push(TrackSection { name: name.to_owned(), first_row: 0, rows: count, entries });
        track.finish(rows);
        track
    }

    fn new(heading: &Heading<'_>, entries: &[CustomEntry], clock: Clock) -> Self {
        let mut track = Self { name: heading.name.to_owned(), is_group: heading.is_group, ..Self::default() };
        let mut rows: Vec<Row> = Vec::new();
        let packed = |number: &u32| {
            let entry = &entries[*number as usize];
            let style = Style::new(entry.palette_entry()).with_instant(entry.end.is_none());
            (*number, Packed::new(clock.tick(entry.start), clock.tick(entry.drawn_end()), style))
        };
        for (name, numbers) in &heading.parts {
            let first_row = rows.len();
            track.add_part(&mut rows, numbers.iter().map(packed));
            let part = TrackSection {
                name: (*name).to_owned(),
                first_row,
                rows: rows.len() - first_row,
                entries: numbers.len(),
            };
            track.parts.push(part);
        }
        track.finish(rows);
        track
    }

    /// Packs entries, sorted by start, into rows below the others.
    fn add_part(&mut self, rows: &mut Vec<Row>, entries: impl Iterator<Item = (u32, Packed)>) {
        let signed = |tick: u64| i64::try_from(tick).unwrap_or(i64::MAX);
        let (mut fit, first_row) = (FirstFit::new(), rows.len());
        for (number, packed) in entries {
            let row = first_row + fit.place(signed(packed.start()), signed(packed.end()));
            if rows.len() <= row {
                rows.resize_with(row + 1, Row::default);
            }
            rows[row].entries.push((number, packed));
            self.places.push((number, packed, u32::try_from(row).unwrap_or(u32::MAX)));
        }
    }

    /// Builds the pyramids and the summary of complete rows.
    fn finish(&mut self, rows: Vec<Row>) {
        self.places.sort_unstable_by_key(|(number, ..)| *number);
        self.rows = rows.into_iter().map(|row| self.with_pyramid(row)).collect();
        self.summarise(|_| true);
    }

    fn summarise(&mut self, keep: impl Fn(u32) -> bool) {
        let mut row = Row::default();
        let mut covered = None;
        for (number, packed, _) in self.places.iter().filter(|(number, ..)| keep(*number)) {
            let (start, end) = (packed.start(), packed.end());
            if covered.is_none_or(|until| end > until) {
                row.entries.push((*number, Packed::new(start.max(covered.unwrap_or(0)), end, packed.style())));
                covered = Some(end);
            }
        }
        self.summary = self.with_pyramid(row);
    }

    fn with_pyramid(&self, row: Row) -> Row {
        let pyramid = Pyramid::build(&RowEntries { track: self, row: &row });
        Row { pyramid, ..row }
    }

    fn place(&self, number: u32) -> Option<&(u32, Packed, u32)> {
        let at = self.places.binary_search_by_key(&number, |(number, ..)| *number).ok()?;
        self.places.get(at)
    }

    /// Ticks and color of an entry of the track.
    #[must_use]
    #[inline]
    pub fn packed(&self, number: u32) -> Option<Packed> {
        self.place(number).map(|(_, packed, _)| *packed)
    }

    /// Row of an entry.
    #[must_use]
    #[inline]
    pub fn row_of(&self, number: u32) -> Option<usize> {
        self.place(number).map(|(.., row)| *row as usize)
    }

    /// Numbers of the entries, in start order.
    #[inline]
    pub fn entries(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.places.iter().map(|(number, ..)| *number)
    }

    /// Number of rows.
    #[must_use]
    #[inline]
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Part that begins with a row.
    #[must_use]
    #[inline]
    pub fn part_at(&self, row: usize) -> Option<&TrackSection> {
        let at = self.parts.binary_search_by_key(&row, |part| part.first_row).ok()?;
        self.parts.get(at)
    }

    /// Part that contains a row.
    #[must_use]
    #[inline]
    pub fn part_of(&self, row: usize) -> Option<&TrackSection> {
        self.parts[..self.parts.partition_point(|part| part.first_row <= row)].last()
    }

    /// A row or, for `None`, the summary row.
    #[must_use]
    #[inline]
    pub fn row(&self, row: Option<usize>) -> Option<RowEntries<'_>> {
        let row = row.map_or(Some(&self.summary), |row| self.rows.get(row))?;
        Some(RowEntries { track: self, row })
    }

    /// True if a row contains an entry that touches a range of ticks.
    #[must_use]
    #[inline]
    pub fn shows(&self, row: usize, (from, to): (u64, u64)) -> bool {
        self.row(Some(row)).is_some_and(|entries| !touching(&entries, from, to).is_empty())
    }

    /// The track with only the entries for which `keep` is true; rows keep their numbers.
    #[must_use]
    pub fn filtered(&self, keep: impl Fn(u32) -> bool) -> Self {
        let kept = |row: &Row| {
            let entries = row.entries.iter().filter(|(number, _)| keep(*number)).copied();
            self.with_pyramid(Row { entries: entries.collect(), pyramid: Pyramid::default() })
        };
        let rows = self.rows.iter().map(kept).collect();
        let mut filtered = Self { rows, summary: Row::default(), ..self.clone() };
        filtered.summarise(keep);
        filtered
    }
}
