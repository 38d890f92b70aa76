//! The bars of network requests, drawn from pyramids like markers, with hit testing by the drawn geometry.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::phases::{LabelRoom, PhasePainter, PhaseRect};
use crate::frame::{Frame, Layer, push_colored_label, push_label_beside, shortened};
use crate::layout::{Hit, Item, ItemKind, SceneInput, TrackHeading, TrackRow};
use crate::primitives::{Emphasis, MAX_ROWS, MarkerInstance};
use crate::tracks::TrackPainter;
use crate::tracks::row_spans::{SpanRow, column_and_reach, nearest};
use crate::tracks::track_item::row_place;
use crate::tracks::visible_span_cache::VisibleSpanCache;
use flowline_index::network::{Bar, Network, NetworkTrack, Outcome, RowBars, parts_of_url, short_name};
use flowline_index::search::Hits;
use flowline_index::{Packed, RowItems as _, Span};
use flowline_profile::{MarkerId, ProcessId, Profile};
use flowline_view::InsightFocus;

/// Key of the kind.
pub(super) const KEY: &str = "network";
/// Bars narrower than this many points show no phases.
const LEAST_WIDTH: f32 = 4.0;

/// A row of a process; `None` is the summary on the heading of a collapsed track.
type RowKey = (u32, Option<u32>);

/// A row on screen.
struct VisibleBars<'a> {
    key: RowKey,
    item: Item,
    slot: usize,
    network: &'a Network,
    track: &'a NetworkTrack,
    bars: RowBars<'a>,
}

fn row_of(item: &Item) -> Option<RowKey> {
    match item.kind {
        // The heading of an expanded track shows its first row.
        ItemKind::Track(TrackHeading { track, expanded }) if track.kind == KEY => {
            Some((track.number, expanded.then_some(0)))
        }
        ItemKind::TrackRow(TrackRow { track, row }) if track.kind == KEY => Some((track.number, Some(row))),
        _ => None,
    }
}

/// The bar of a marker of a request: its own, or else that of the request.
pub(super) fn bar_of(network: &Network, track: &NetworkTrack, marker: MarkerId) -> Option<u32> {
    let request = network.request_of(marker)?;
    let mut bars = track.bars_of(request);
    let own = bars.clone().find(|bar| track.bars()[*bar as usize].marker == marker);
    own.or_else(|| bars.find(|bar| track.bars()[*bar as usize].redirect.is_none()))
}

/// The hit at an x coordinate of a row: the selected request first, then any request, then requests nearby.
pub(super) fn hit(input: &SceneInput<'_>, (process, row): RowKey, x: f32) -> Option<Hit> {
    let network = input.index.network_if_built()?;
    let track = input.list.shown().network_track(input.index, ProcessId(process))?;
    let bars = track.row(row.map(|row| row as usize))?;
    let map = input.axis_map();
    let (column, reach) = column_and_reach(x - input.regions.chart.x, input.scale);
    let profile = input.index.profile();
    let hit = |bar: &Bar, count: u32| {
        let (thread, _) = profile.locate(bar.marker)?;
        Some(Hit { thread, marker: bar.marker, count })
    };
    let is_here = |bar: &u32| {
        let (first, end) = map.columns(track.bars()[*bar as usize].packed);
        let stands = row.is_none() || bars.position(*bar).is_some();
        stands && first <= column && column < end
    };
    let selected = input.view.selected.and_then(|marker| bar_of(network, track, marker)).filter(is_here);
    if let Some(selected) = selected {
        return hit(&track.bars()[selected as usize], 1);
    }
    let any = |reach| nearest(&bars, bars.pyramid(), &map, column, reach);
    let found: Span = any(0).or_else(|| any(reach))?;
    hit(&track.bars()[found.longest.index()], found.count)
}

/// Search hits as rows to draw over the others.
#[derive(Debug, Default)]
struct BarHit {
    /// Number of the result.
    number: Option<u64>,
    tracks: HashMap<ProcessId, NetworkTrack>,
}

impl BarHit {
    fn track(&mut self, input: &SceneInput<'_>, process: ProcessId, network: &Network) -> Option<&NetworkTrack> {
        let search = input.search?;
        if self.number != Some(search.number) {
            *self = Self { number: Some(search.number), tracks: HashMap::new() };
        }
        let track = input.list.shown().network_track(input.index, process)?;
        let is_found = |bar: &Bar| is_hit(input.index.profile(), network, bar, &search.hits);
        Some(self.tracks.entry(process).or_insert_with(|| track.filtered(is_found)))
    }
}

/// The bars of the emphasized insight as rows to draw over the others.
#[derive(Debug, Default)]
struct OwnBars {
    focus: Option<Arc<InsightFocus>>,
    tracks: HashMap<ProcessId, NetworkTrack>,
}

impl OwnBars {
    fn track(&mut self, input: &SceneInput<'_>, process: ProcessId, network: &Network) -> Option<&NetworkTrack> {
        let focus = input.view.insight.as_ref().filter(|_| input.view.dims_others())?;
        if !self.focus.as_ref().is_some_and(|own| Arc::ptr_eq(own, focus)) {
            *self = Self { focus: Some(Arc::clone(focus)), tracks: HashMap::new() };
        }
        let track = input.list.shown().network_track(input.index, process)?;
        let markers = focus.markers.as_deref().unwrap_or_default();
        let filtered = || {
            let key = |bar: &Bar| (bar.marker, bar.redirect);
            let bars = markers.iter().filter_map(|marker| bar_of(network, track, *marker));
            let own: BTreeSet<_> = bars.map(|bar| key(&track.bars()[bar as usize])).collect();
            track.filtered(|bar| own.contains(&key(bar)))
        };
        Some(self.tracks.entry(process).or_insert_with(filtered))
    }
}

/// True if one of the markers of a bar's request matches a search.
fn is_hit(profile: &Profile, network: &Network, bar: &Bar, hits: &Hits) -> bool {
    let is_hit =
        |marker: &MarkerId| profile.locate(*marker).is_some_and(|(thread, local)| hits.contains(thread, local));
    network.markers(bar.request).iter().any(is_hit)
}

/// True if a request of a track matches a search.
pub(super) fn has_hit(profile: &Profile, network: &Network, track: &NetworkTrack, hits: &Hits) -> bool {
    hits.total() > 0 && track.bars().iter().any(|bar| is_hit(profile, network, bar, hits))
}

/// Draws the bars on screen.
#[derive(Debug, Default)]
pub(super) struct NetworkPainter {
    labels: HashMap<MarkerId, Arc<str>>,
    span_cache: VisibleSpanCache<RowKey>,
    found: BarHit,
    own: OwnBars,
    phases: PhasePainter,
    /// Number of the filtered rows that the other fields belong to.
    shown: u64,
}

/// The label cache is cleared at this many labels.
const CACHE_LIMIT: usize = 20_000;

/// File name and host of a bar's URL, after a cross if the request failed.
fn label(url: &str, is_failed: bool) -> Arc<str> {
    let cross = if is_failed { "× " } else { "" };
    let (name, (_, host, _)) = (short_name(url), parts_of_url(url));
    if host.is_empty() || host == name {
        shortened(&format!("{cross}{name}"))
    } else {
        shortened(&format!("{cross}{name} ({host})"))
    }
}

impl TrackPainter for NetworkPainter {
    fn paint(&mut self, input: &SceneInput<'_>, frame: &mut Frame) {
        // With other hidden requests, the rows are others.
        let number = input.list.shown().number;
        if std::mem::replace(&mut self.shown, number) != number {
            (self.span_cache, self.found, self.own) = Default::default();
        }
        self.span_cache.begin_frame();
        let rows = visible(input, frame);
        if rows.is_empty() {
            return;
        }
        let chart = input.regions.chart;
        let shown = frame.axis.ticks(0.0, f64::from(chart.width));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturating on purpose")]
        let least = (f64::from(LEAST_WIDTH * input.scale) * frame.axis.ticks_per_pixel()) as u64;
        // Bars that are wide enough for phases: row, number, ticks.
        let mut wide: Vec<(usize, u32, Packed)> = Vec::new();

        frame.begin_layer(Layer::Markers);
        let start = frame.count::<MarkerInstance>();
        let (emphasis, base_least) =
            if input.is_dimmed() { (Emphasis::Dimmed, None) } else { (Emphasis::Normal, Some(least)) };
        for (at, row) in rows.iter().enumerate() {
            let (items, pyramid) = (&row.bars, row.bars.pyramid());
            let spans = SpanRow { items, pyramid, slot: row.slot, emphasis, least: base_least, neighbors: None };
            spans.draw(frame, (&mut self.span_cache, row.key), shown, |bar, packed| wide.push((at, bar.0, packed)));
        }
        frame.draw_since::<MarkerInstance>(chart, start);

        frame.begin_layer(Layer::SearchHits);
        let start = frame.count::<MarkerInstance>();
        for (at, row) in rows.iter().enumerate() {
            let found = self.found.track(input, ProcessId(row.key.0), row.network);
            let Some(found) = found.and_then(|track| track.row(row.key.1.map(|row| row as usize))) else { continue };
            let (emphasis, pyramid) = (Emphasis::Match, found.pyramid());
            let spans =
                SpanRow { items: &found, pyramid, slot: row.slot, emphasis, least: Some(least), neighbors: None };
            spans.draw_uncached(frame, shown, |bar, packed| wide.push((at, bar.0, packed)));
        }
        for (at, row) in rows.iter().enumerate() {
            let own = self.own.track(input, ProcessId(row.key.0), row.network);
            let Some(own) = own.and_then(|track| track.row(row.key.1.map(|row| row as usize))) else { continue };
            let (emphasis, pyramid) = (Emphasis::Linked, own.pyramid());
            let spans = SpanRow { items: &own, pyramid, slot: row.slot, emphasis, least: Some(least), neighbors: None };
            spans.draw_uncached(frame, shown, |bar, packed| wide.push((at, bar.0, packed)));
        }
        frame.draw_since::<MarkerInstance>(chart, start);
        let (selected, hovered) = (input.view.selected, input.view.hovered);
        let hovered = hovered.filter(|hovered| Some(*hovered) != selected);
        let selected_bars = bars_on_screen(&rows, selected);
        for (at, bar, packed) in wide {
            // The selected bar is drawn over its neighbors, with its own label.
            let is_covered = |(of, _, over): &(usize, u32, Packed)| {
                *of == at && packed.start() < over.end() && over.start() < packed.end()
            };
            let is_covered = selected_bars.iter().any(is_covered);
            self.describe(input, frame, &rows[at], (bar, packed), !is_covered);
        }
        self.phases.draw(input, frame);

        frame.begin_layer(Layer::Highlights);
        let start = frame.count::<MarkerInstance>();
        for (marker, emphasis) in [(selected, Emphasis::Selected), (hovered, Emphasis::Hovered)] {
            marker.into_iter().for_each(|marker| push_bar(frame, &rows, marker, emphasis));
        }
        frame.draw_since::<MarkerInstance>(chart, start);
        // Their phases stay visible. The label of the hovered bar is there already.
        let hovered_bars = bars_on_screen(&rows, hovered);
        for (bars, is_named) in [(selected_bars, true), (hovered_bars, false)] {
            for (at, bar, packed) in bars.into_iter().filter(|(_, _, own)| own.end() - own.start() >= least) {
                self.describe(input, frame, &rows[at], (bar, packed), is_named);
            }
        }
        self.phases.draw(input, frame);
    }
}

impl NetworkPainter {
    /// Phases of a bar, and its label if it `is_named`.
    fn describe(
        &mut self,
        input: &SceneInput<'_>,
        frame: &mut Frame,
        row: &VisibleBars<'_>,
        (number, packed): (u32, Packed),
        is_named: bool,
    ) {
        let bar = &row.track.bars()[number as usize];
        let Some(request) = row.network.get(bar.request) else { return };
        let (room, url) = match bar.redirect.and_then(|redirect| request.redirects.get(redirect as usize)) {
            Some(redirect) => (LabelRoom { packed, is_pale: false }, &redirect.url),
            None => {
                let place = PhaseRect { slot: row.slot, packed, item: row.item };
                (self.phases.add(input, frame, place, request), &request.url)
            }
        };
        if !is_named {
            return;
        }
        if self.labels.len() > CACHE_LIMIT {
            self.labels.clear();
        }
        let labels = &mut self.labels;
        let is_failed = bar.redirect.is_none() && request.outcome == Outcome::Failed;
        let color = if room.is_pale { frame.palette.text } else { frame.palette.ink };
        let mut label = || Arc::clone(labels.entry(bar.marker).or_insert_with(|| label(url, is_failed)));
        if push_colored_label(input, frame, row.slot, room.packed, color, &mut label) {
            return;
        }
        // Beside a thin bar, if the row is free there.
        let next = row.bars.position(number).map(|at| at + 1).filter(|at| *at < row.bars.len());
        let until = next.map_or(u64::MAX, |at| row.bars.packed(at).start());
        if row.key.1.is_some() {
            push_label_beside(input, frame, row.slot, (packed, until), &mut label);
        }
    }
}

/// The rows on screen, with their positions in [`Frame::rows`].
fn visible<'a>(input: &SceneInput<'a>, frame: &mut Frame) -> Vec<VisibleBars<'a>> {
    let mut rows = Vec::new();
    let Some(network) = input.index.network_if_built() else { return rows };
    for item in input.visible_items() {
        let Some(key) = row_of(item) else { continue };
        let track = input.list.shown().network_track(input.index, ProcessId(key.0));
        let Some((track, bars)) = track.and_then(|track| Some((track, track.row(key.1.map(|row| row as usize))?)))
        else {
            continue;
        };
        let slot = frame.rows.len();
        if slot < MAX_ROWS {
            frame.rows.push(row_place(input, item));
            rows.push(VisibleBars { key, item: *item, slot, network, track, bars });
        }
    }
    rows
}

/// The bars of a marker: row on screen, number, ticks.
fn bars_on_screen(rows: &[VisibleBars<'_>], marker: Option<MarkerId>) -> Vec<(usize, u32, Packed)> {
    let Some(marker) = marker else { return Vec::new() };
    let bar_in = |(at, row): (usize, &VisibleBars<'_>)| {
        let bar = bar_of(row.network, row.track, marker)?;
        let is_here = row.key.1.is_none() || row.bars.position(bar).is_some();
        is_here.then(|| (at, bar, row.track.bars()[bar as usize].packed))
    };
    rows.iter().enumerate().filter_map(bar_in).collect()
}

/// Draws the bar of one marker over its row, even if the pyramid merged it.
fn push_bar(frame: &mut Frame, rows: &[VisibleBars<'_>], marker: MarkerId, emphasis: Emphasis) {
    for row in rows {
        let Some(bar) = bar_of(row.network, row.track, marker) else { continue };
        if row.key.1.is_none() || row.bars.position(bar).is_some() {
            let packed = row.track.bars()[bar as usize].packed;
            frame.instances.markers.push(MarkerInstance::new(packed, row.slot, emphasis));
        }
    }
}
