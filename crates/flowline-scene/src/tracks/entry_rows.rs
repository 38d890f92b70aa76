//! Tracks of entries that are drawn from pyramids like markers, with hit testing by the drawn geometry: custom tracks and
//! query tracks. An entry may belong to a marker.

use std::collections::HashMap;

use super::row_spans::{SpanRow, column_and_reach, nearest};
use super::track_item::row_place;
use super::visible_span_cache::VisibleSpanCache;
use crate::frame::{Frame, Layer, push_label, shortened};
use crate::layout::{Item, ItemKind, SceneInput, TrackHeading, TrackRow};
use crate::primitives::{Emphasis, MAX_ROWS, MarkerInstance};
use flowline_index::custom_tracks::{CustomTrack, RowEntries};
use flowline_index::search::Hits;
use flowline_index::{Packed, Span};
use flowline_profile::{MarkerId, Profile};

/// Entries narrower than this many points show no label.
const LEAST_WIDTH: f32 = 4.0;

/// A row of a track; `None` is the summary on its heading.
pub(super) type RowKey = (u32, Option<u32>);

/// The tracks of a kind, by number, and their entries, by track and number.
pub(super) trait EntrySource {
    /// Key of the kind.
    const KEY: &'static str;

    /// The rows of a track.
    fn track(&self, track: u32) -> Option<&CustomTrack>;

    /// The marker of an entry.
    fn marker(&self, track: u32, entry: u32) -> Option<MarkerId>;

    /// The name of an entry.
    fn name(&self, track: u32, entry: u32) -> Option<&str>;

    /// The entry of a marker.
    fn entry_of(&self, track: u32, marker: MarkerId) -> Option<u32>;
}

/// A row on screen.
struct VisibleEntries<'a> {
    key: RowKey,
    slot: usize,
    track: &'a CustomTrack,
    entries: RowEntries<'a>,
}

fn row_of<S: EntrySource>(item: &Item) -> Option<RowKey> {
    match item.kind {
        ItemKind::Track(TrackHeading { track, expanded: false }) if track.kind == S::KEY => Some((track.number, None)),
        ItemKind::TrackRow(TrackRow { track, row }) if track.kind == S::KEY => Some((track.number, Some(row))),
        _ => None,
    }
}

/// The entry at an x coordinate of a row, and the number of entries drawn as one with it: the selected marker's entry first,
/// then any entry, then entries nearby.
pub(super) fn entry_at<S: EntrySource>(
    input: &SceneInput<'_>,
    source: &S,
    (number, row): RowKey,
    x: f32,
) -> Option<(u32, u32)> {
    let track = source.track(number)?;
    let entries = track.row(row.map(|row| row as usize))?;
    let map = input.axis_map();
    let (column, reach) = column_and_reach(x - input.regions.chart.x, input.scale);
    let is_here = |entry: &u32| {
        let columns = track.packed(*entry).map(|packed| map.columns(packed));
        let stands = row.is_none() || entries.has(*entry);
        stands && columns.is_some_and(|(first, end)| first <= column && column < end)
    };
    let selected = input.view.selected.and_then(|marker| source.entry_of(number, marker)).filter(is_here);
    if let Some(selected) = selected {
        return Some((selected, 1));
    }
    let any = |reach| nearest(&entries, entries.pyramid(), &map, column, reach);
    let found: Span = any(0).or_else(|| any(reach))?;
    Some((found.longest.0, found.count))
}

/// True if the marker of an entry matches a search.
fn is_hit<S: EntrySource>(profile: &Profile, source: &S, (track, entry): (u32, u32), hits: &Hits) -> bool {
    let marker = source.marker(track, entry).and_then(|marker| profile.locate(marker));
    marker.is_some_and(|(thread, local)| hits.contains(thread, local))
}

/// True if an entry of a track matches a search.
pub(super) fn has_hit<S: EntrySource>(profile: &Profile, source: &S, track: u32, hits: &Hits) -> bool {
    let mut entries = source.track(track).into_iter().flat_map(CustomTrack::entries);
    hits.total() > 0 && entries.any(|entry| is_hit(profile, source, (track, entry), hits))
}

/// Search hits as rows to draw over the others.
#[derive(Debug, Default)]
struct EntryHits {
    /// Number of the result.
    number: Option<u64>,
    tracks: HashMap<u32, CustomTrack>,
}

impl EntryHits {
    fn track<S: EntrySource>(
        &mut self,
        input: &SceneInput<'_>,
        source: &S,
        row: &VisibleEntries<'_>,
    ) -> Option<&CustomTrack> {
        let search = input.search?;
        if self.number != Some(search.number) {
            *self = Self { number: Some(search.number), tracks: HashMap::new() };
        }
        let is_found = |number: u32| is_hit(input.index.profile(), source, (row.key.0, number), &search.hits);
        Some(self.tracks.entry(row.key.0).or_insert_with(|| row.track.filtered(is_found)))
    }
}

/// Draws the entries on screen.
#[derive(Debug, Default)]
pub(super) struct EntryPainter {
    span_cache: VisibleSpanCache<RowKey>,
    found: EntryHits,
}

impl EntryPainter {
    /// Forgets everything about the tracks, which have other entries.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Draws the entries. `hovered` is a track and an entry to emphasize, besides those of hovered markers.
    pub(super) fn paint<S: EntrySource>(
        &mut self,
        input: &SceneInput<'_>,
        frame: &mut Frame,
        source: &S,
        hovered: Option<(u32, u32)>,
    ) {
        self.span_cache.begin_frame();
        let rows = visible(input, frame, source);
        if rows.is_empty() {
            return;
        }
        let chart = input.regions.chart;
        let shown = frame.axis.ticks(0.0, f64::from(chart.width));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturating on purpose")]
        let least = (f64::from(LEAST_WIDTH * input.scale) * frame.axis.ticks_per_pixel()) as u64;
        let mut wide: Vec<(RowKey, usize, u32, Packed)> = Vec::new();

        frame.begin_layer(Layer::Markers);
        let start = frame.count::<MarkerInstance>();
        let (emphasis, base_least) =
            if input.is_dimmed() { (Emphasis::Dimmed, None) } else { (Emphasis::Normal, Some(least)) };
        for row in &rows {
            let (items, pyramid, slot) = (&row.entries, row.entries.pyramid(), row.slot);
            let spans = SpanRow { items, pyramid, slot, emphasis, least: base_least, neighbors: None };
            spans.draw(frame, (&mut self.span_cache, row.key), shown, |entry, packed| {
                wide.push((row.key, slot, entry.0, packed))
            });
        }
        frame.draw_since::<MarkerInstance>(chart, start);

        frame.begin_layer(Layer::SearchHits);
        let start = frame.count::<MarkerInstance>();
        for row in &rows {
            let found = self.found.track(input, source, row);
            let Some(found) = found.and_then(|track| track.row(row.key.1.map(|row| row as usize))) else { continue };
            let (pyramid, slot) = (found.pyramid(), row.slot);
            let spans = SpanRow {
                items: &found,
                pyramid,
                slot,
                emphasis: Emphasis::Match,
                least: Some(least),
                neighbors: None,
            };
            spans.draw_uncached(frame, shown, |entry, packed| wide.push((row.key, slot, entry.0, packed)));
        }
        frame.draw_since::<MarkerInstance>(chart, start);
        for (key, slot, number, packed) in wide {
            let Some(name) = source.name(key.0, number) else { continue };
            push_label(input, frame, slot, packed, || shortened(name));
        }
        draw_emphasized(input, frame, (source, &rows), hovered);
    }
}

/// At most this many entries of an insight are drawn over the dimmed ones.
const MANY_OUTLINED: usize = 256;

/// Draws the entries of the emphasized insight, those of the selected and the hovered marker, and the hovered entry.
fn draw_emphasized<S: EntrySource>(
    input: &SceneInput<'_>,
    frame: &mut Frame,
    (source, rows): (&S, &[VisibleEntries<'_>]),
    at_pointer: Option<(u32, u32)>,
) {
    frame.begin_layer(Layer::Highlights);
    let start = frame.count::<MarkerInstance>();
    let selected = input.view.selected;
    let hovered = input.view.hovered.filter(|hovered| Some(*hovered) != selected);
    for row in rows {
        let entry_of = |marker: Option<MarkerId>| source.entry_of(row.key.0, marker?);
        let pointed = at_pointer.filter(|(track, _)| *track == row.key.0).map(|(_, entry)| entry);
        let own = input.view.insight.iter().filter_map(|focus| focus.markers.as_deref()).flatten();
        let own = own.filter_map(|marker| entry_of(Some(*marker)));
        own.take(MANY_OUTLINED).for_each(|entry| push_entry(frame, row, entry, Emphasis::Linked));
        let selected = entry_of(selected);
        let hovered = entry_of(hovered).or(pointed).filter(|entry| Some(*entry) != selected);
        for (entry, emphasis) in [(selected, Emphasis::Selected), (hovered, Emphasis::Hovered)] {
            entry.into_iter().for_each(|entry| push_entry(frame, row, entry, emphasis));
        }
    }
    frame.draw_since::<MarkerInstance>(input.regions.chart, start);
}

/// The rows on screen, with their positions in [`Frame::rows`].
fn visible<'a, S: EntrySource>(input: &SceneInput<'_>, frame: &mut Frame, source: &'a S) -> Vec<VisibleEntries<'a>> {
    let mut rows = Vec::new();
    for item in input.visible_items() {
        let Some(key) = row_of::<S>(item) else { continue };
        let track = source.track(key.0);
        let Some((track, entries)) = track.and_then(|track| Some((track, track.row(key.1.map(|row| row as usize))?)))
        else {
            continue;
        };
        let slot = frame.rows.len();
        if slot < MAX_ROWS {
            frame.rows.push(row_place(input, item));
            rows.push(VisibleEntries { key, slot, track, entries });
        }
    }
    rows
}

/// Draws one entry over its row, even if the pyramid merged it.
fn push_entry(frame: &mut Frame, row: &VisibleEntries<'_>, number: u32, emphasis: Emphasis) {
    let Some(packed) = row.track.packed(number) else { return };
    if row.key.1.is_none() || row.entries.has(number) {
        frame.instances.markers.push(MarkerInstance::new(packed, row.slot, emphasis));
    }
}
