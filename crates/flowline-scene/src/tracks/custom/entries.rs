//! The entries of custom tracks, drawn from pyramids like markers, with hit testing by the drawn geometry. Markers also
//! have a line through the chart.

use std::collections::HashMap;

use crate::frame::{Frame, Layer, push_label, shortened};
use crate::geometry::PixelRect;
use crate::layout::{Hit, Item, ItemKind, SceneInput, TrackHeading, TrackRow, pixel_of};
use crate::primitives::{Emphasis, MAX_ROWS, MarkerInstance, RectInstance};
use crate::theme::with_alpha;
use crate::tracks::TrackPainter;
use crate::tracks::row_spans::{SpanRow, column_and_reach, nearest};
use crate::tracks::track_item::row_place;
use crate::tracks::visible_span_cache::VisibleSpanCache;
use flowline_index::custom_tracks::{CustomEntry, CustomTrack, CustomTracks, EntryKind, RowEntries};
use flowline_index::search::Hits;
use flowline_index::{Packed, Span, color_index};
use flowline_profile::Profile;

/// Key of the kind.
pub(super) const KEY: &str = "custom_tracks";
/// Entries narrower than this many points show no label.
const LEAST_WIDTH: f32 = 4.0;

/// A row of a track; `None` is the summary on its heading.
type RowKey = (u32, Option<u32>);

/// A row on screen.
struct VisibleEntries<'a> {
    key: RowKey,
    slot: usize,
    track: &'a CustomTrack,
    entries: RowEntries<'a>,
}

fn row_of(item: &Item) -> Option<RowKey> {
    match item.kind {
        ItemKind::Track(TrackHeading { track, expanded: false }) if track.kind == KEY => Some((track.number, None)),
        ItemKind::TrackRow(TrackRow { track, row }) if track.kind == KEY => Some((track.number, Some(row))),
        _ => None,
    }
}

/// The hit at an x coordinate of a row: the selected marker's entry first, then any entry, then entries nearby.
pub(super) fn hit(input: &SceneInput<'_>, (number, row): RowKey, x: f32) -> Option<Hit> {
    let custom = input.index.custom_tracks_if_built()?;
    let track = custom.tracks().get(number as usize)?;
    let entries = track.row(row.map(|row| row as usize))?;
    let map = input.axis_map();
    let (column, reach) = column_and_reach(x - input.regions.chart.x, input.scale);
    let hit = |number: u32, count: u32| {
        let marker = custom.entry(number)?.marker;
        let (thread, _) = input.index.profile().locate(marker)?;
        Some(Hit { thread, marker, count })
    };
    let is_here = |number: &u32| {
        let columns = track.packed(*number).map(|packed| map.columns(packed));
        let stands = row.is_none() || entries.has(*number);
        stands && columns.is_some_and(|(first, end)| first <= column && column < end)
    };
    let selected = input.view.selected.and_then(|marker| custom.of_marker(marker)).filter(is_here);
    if let Some(selected) = selected {
        return hit(selected, 1);
    }
    let any = |reach| nearest(&entries, entries.pyramid(), &map, column, reach);
    let found: Span = any(0).or_else(|| any(reach))?;
    hit(found.longest.0, found.count)
}

/// Search hits as rows to draw over the others.
#[derive(Debug, Default)]
struct EntryHit {
    /// Number of the result.
    number: Option<u64>,
    tracks: HashMap<u32, CustomTrack>,
}

impl EntryHit {
    fn track(&mut self, input: &SceneInput<'_>, row: &VisibleEntries<'_>) -> Option<&CustomTrack> {
        let (search, custom) = (input.search?, input.index.custom_tracks_if_built()?);
        if self.number != Some(search.number) {
            *self = Self { number: Some(search.number), tracks: HashMap::new() };
        }
        let is_found = |number: u32| is_hit(input.index.profile(), custom, number, &search.hits);
        Some(self.tracks.entry(row.key.0).or_insert_with(|| row.track.filtered(is_found)))
    }
}

/// True if the marker of an entry matches a search.
fn is_hit(profile: &Profile, custom: &CustomTracks, number: u32, hits: &Hits) -> bool {
    let marker = custom.entry(number).and_then(|entry| profile.locate(entry.marker));
    marker.is_some_and(|(thread, local)| hits.contains(thread, local))
}

/// True if an entry of a track matches a search.
pub(super) fn has_hit(profile: &Profile, custom: &CustomTracks, track: &CustomTrack, hits: &Hits) -> bool {
    hits.total() > 0 && track.entries().any(|number| is_hit(profile, custom, number, hits))
}

/// Draws the entries on screen, and the lines of markers.
#[derive(Debug, Default)]
pub(super) struct CustomPainter {
    span_cache: VisibleSpanCache<RowKey>,
    found: EntryHit,
}

impl TrackPainter for CustomPainter {
    fn paint(&mut self, input: &SceneInput<'_>, frame: &mut Frame) {
        self.span_cache.begin_frame();
        let Some(custom) = input.index.custom_tracks_if_built().filter(|custom| !custom.tracks().is_empty()) else {
            return;
        };
        draw_lines(input, frame, custom);
        let rows = visible(input, frame, custom);
        if rows.is_empty() {
            return;
        }
        let chart = input.regions.chart;
        let shown = frame.axis.ticks(0.0, f64::from(chart.width));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturating on purpose")]
        let least = (f64::from(LEAST_WIDTH * input.scale) * frame.axis.ticks_per_pixel()) as u64;
        let mut wide: Vec<(usize, u32, Packed)> = Vec::new();

        frame.begin_layer(Layer::Markers);
        let start = frame.count::<MarkerInstance>();
        let (emphasis, base_least) =
            if input.search.is_some() { (Emphasis::Dimmed, None) } else { (Emphasis::Normal, Some(least)) };
        for row in &rows {
            let (items, pyramid, slot) = (&row.entries, row.entries.pyramid(), row.slot);
            let spans = SpanRow { items, pyramid, slot, emphasis, least: base_least, neighbors: None };
            spans.draw(frame, (&mut self.span_cache, row.key), shown, |entry, packed| {
                wide.push((slot, entry.0, packed))
            });
        }
        frame.draw_since::<MarkerInstance>(chart, start);

        frame.begin_layer(Layer::SearchHits);
        let start = frame.count::<MarkerInstance>();
        for row in &rows {
            let found = self.found.track(input, row).and_then(|track| track.row(row.key.1.map(|row| row as usize)));
            let Some(found) = found else { continue };
            let (pyramid, slot) = (found.pyramid(), row.slot);
            let spans = SpanRow {
                items: &found,
                pyramid,
                slot,
                emphasis: Emphasis::Match,
                least: Some(least),
                neighbors: None,
            };
            spans.draw_uncached(frame, shown, |entry, packed| wide.push((slot, entry.0, packed)));
        }
        frame.draw_since::<MarkerInstance>(chart, start);
        for (slot, number, packed) in wide {
            let Some(entry) = custom.entry(number) else { continue };
            push_label(input, frame, slot, packed, || shortened(&entry.name));
        }

        frame.begin_layer(Layer::Highlights);
        let start = frame.count::<MarkerInstance>();
        let selected = input.view.selected;
        let hovered = input.view.hovered.filter(|hovered| Some(*hovered) != selected);
        for (marker, emphasis) in [(selected, Emphasis::Selected), (hovered, Emphasis::Hovered)] {
            let number = marker.and_then(|marker| custom.of_marker(marker));
            number.into_iter().for_each(|number| push_entry(frame, &rows, number, emphasis));
        }
        frame.draw_since::<MarkerInstance>(chart, start);
    }
}

/// Draws a line through the chart for each marker in view, at most one per pixel column.
fn draw_lines(input: &SceneInput<'_>, frame: &mut Frame, custom: &CustomTracks) {
    let is_of_markers = |track: &&CustomTrack| {
        let first = track.entries().next().and_then(|number| custom.entry(number));
        first.is_some_and(|entry| entry.kind == EntryKind::Marker)
    };
    let Some(track) = custom.tracks().iter().find(is_of_markers) else { return };
    let (chart, visible) = (input.regions.chart, input.view.axis.visible());
    let entries: Vec<&CustomEntry> = track.entries().filter_map(|number| custom.entry(number)).collect();
    let first = entries.partition_point(|entry| entry.start < visible.start);
    let width = frame.line_width();
    let (mut rects, mut last) = (Vec::new(), None);
    for entry in entries[first..].iter().take_while(|entry| entry.start <= visible.end) {
        let x = pixel_of(input, entry.start).floor();
        if last != Some(x) && (chart.x..chart.right()).contains(&x) {
            let fill = frame.palette.fills[usize::from(color_index(entry.color_word()))];
            rects.push(RectInstance::filled(PixelRect::new(x, chart.y, width, chart.height), with_alpha(fill, 150)));
            last = Some(x);
        }
    }
    frame.begin_layer(Layer::Backdrop);
    frame.draw(chart, rects);
}

/// The rows on screen, with their positions in [`Frame::rows`].
fn visible<'a>(input: &SceneInput<'a>, frame: &mut Frame, custom: &'a CustomTracks) -> Vec<VisibleEntries<'a>> {
    let mut rows = Vec::new();
    for item in input.visible_items() {
        let Some(key) = row_of(item) else { continue };
        let track = custom.tracks().get(key.0 as usize);
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
fn push_entry(frame: &mut Frame, rows: &[VisibleEntries<'_>], number: u32, emphasis: Emphasis) {
    for row in rows {
        let Some(packed) = row.track.packed(number) else { continue };
        if row.key.1.is_none() || row.entries.has(number) {
            frame.instances.markers.push(MarkerInstance::new(packed, row.slot, emphasis));
        }
    }
}
