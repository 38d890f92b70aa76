//! The markers of rows and summaries: spans of the pyramid, and over them search hits, the hovered and the selected
//! marker.

use std::sync::Arc;

use super::marks::{mark, marks_exist, marks_of};
use crate::frame::{
    Candidate, Frame, LabelCache, Layer, build_labels, can_have_label, min_label_ticks, min_mark_ticks,
};
use crate::layout::{CollapsedGroup, Item, ItemKind, MarkerRow, SceneInput, SearchView, ThreadHeading};
use crate::primitives::{Emphasis, MAX_ROWS, MarkerInstance};
use crate::tracks::TrackPainter;
use crate::tracks::network::{PhasePainter, PhaseRect};
use crate::tracks::registered::lit_by;
use crate::tracks::row_spans::{DrawnSpan, Neighbors, SpanRow, around, lit_ticks};
use crate::tracks::samples::stacked_calls;
use crate::tracks::track_item::row_place;
use crate::tracks::visible_span_cache::VisibleSpanCache;
use flowline_index::{Packed, ThreadLayout};
use flowline_profile::{LocalMarker, MarkerFlags, MarkerId, ThreadId};
use flowline_view::Arrangement;

/// If a thread has more markers of an insight than this, only those that are not merged are outlined: then the cost
/// depends on the pixels.
const MANY_OUTLINED: usize = 256;

/// A row of markers in the span cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct RowKey {
    thread: ThreadId,
    rows: CachedRows,
    /// Number of the row among the cached rows.
    row: usize,
    /// Revision of the rows.
    version: u64,
}

/// A set of rows of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum CachedRows {
    /// The rows of an arrangement.
    Arrangement(Arrangement),
    /// The summary rows of a collapsed thread.
    Summary,
    /// The summary rows of a collapsed group.
    Group(CollapsedGroup),
}

/// A row of markers on screen.
pub(super) struct VisibleRow<'a> {
    pub(super) item: Item,
    /// Index in [`Frame::rows`].
    pub(super) slot: usize,
    pub(super) thread: ThreadId,
    pub(super) layout: &'a ThreadLayout,
    /// Row number in the layout.
    pub(super) row: usize,
    pub(super) kind: RowKind,
}

/// The part of an item that a row draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowKind {
    /// A row of an expanded thread.
    Row,
    /// Long intervals of a collapsed thread.
    Backdrop,
    /// All other markers of a collapsed thread, drawn over the backdrop.
    Summary,
    /// Long intervals of a collapsed group.
    GroupBackdrop(CollapsedGroup),
    /// All other markers of a collapsed group.
    Group(CollapsedGroup),
}

impl RowKind {
    fn is_backdrop(self) -> bool {
        matches!(self, Self::Backdrop | Self::GroupBackdrop(_))
    }
}

impl VisibleRow<'_> {
    fn candidate(&self, drawn: DrawnSpan) -> Candidate {
        let DrawnSpan { marker, packed, instance, alone_until } = drawn;
        Candidate { slot: self.slot, instance, alone_until, thread: self.thread, marker, packed, is_pale: false }
    }

    /// True if a marker may be drawn on this row: any marker of the thread on a summary, else those of the row or the
    /// group.
    pub(super) fn has(&self, input: &SceneInput<'_>, marker: LocalMarker) -> bool {
        let thread = input.index.profile().thread(self.thread);
        match self.kind {
            RowKind::Backdrop | RowKind::Summary => !input.list.shown().hides(self.thread, marker),
            RowKind::Row => self.layout.position(thread, self.row, marker).is_some(),
            RowKind::GroupBackdrop(collapsed) | RowKind::Group(collapsed) => {
                let layout = input.list.shown().layout(input.index, collapsed.arrangement, self.thread);
                let found = layout.and_then(|layout| Some((layout, layout.find(thread, marker)?.0)));
                found
                    .and_then(|(layout, row)| layout.rows.group_of(row))
                    .is_some_and(|group| group.kind == collapsed.kind)
            }
        }
    }

    /// Finds the calls of the row before and after a tick, if there are any: instants stand beside them, too.
    fn calls<'s>(&self, input: &SceneInput<'s>) -> Option<impl Fn(u64) -> [Option<Packed>; 2] + use<'s>> {
        let ItemKind::Row(row) = self.item.kind else { return None };
        let calls = stacked_calls(input, row)?;
        Some(move |tick| around(&calls, tick))
    }

    /// The row of search hits that is drawn over this row.
    pub(super) fn hits<'h>(&self, input: &SceneInput<'h>, search: &'h SearchView) -> Option<&'h ThreadLayout> {
        let layout = match self.kind {
            // A search that started before calls were stacked with markers has other rows.
            RowKind::Row => {
                let same = |found: &&ThreadLayout| found.rows.len() == self.layout.rows.len();
                search.layout.thread(self.thread).filter(same)
            }
            RowKind::Backdrop | RowKind::Summary => search.layout.summary(self.thread),
            RowKind::GroupBackdrop(collapsed) | RowKind::Group(collapsed) => {
                input.list.collapsed(&collapsed).and_then(|rows| rows.hits.as_ref()).map(|(_, hits)| hits)
            }
        };
        layout.filter(|layout| self.row < layout.rows.len())
    }
}

/// The rows of markers on screen in draw order, including those of collapsed threads.
pub(super) fn visible_rows<'a>(input: &SceneInput<'a>) -> Vec<VisibleRow<'a>> {
    let shown = input.list.shown();
    let mut rows = Vec::new();
    let mut push = |item: &Item, thread, layout, row, kind| {
        let slot = rows.len();
        if slot < MAX_ROWS {
            rows.push(VisibleRow { item: *item, slot, thread, layout, row, kind });
        }
    };
    for item in input.visible_items() {
        match item.kind {
            ItemKind::Row(MarkerRow { thread, row, .. }) => {
                // Rows are listed only after they have been built.
                let Some(layout) = shown.layout(input.index, input.view.arrangement, thread) else { continue };
                push(item, thread, layout, row as usize, RowKind::Row);
            }
            ItemKind::CollapsedGroup(collapsed) => {
                let Some(rows) = input.list.collapsed(&collapsed) else { continue };
                push(item, collapsed.thread, &rows.all, 0, RowKind::GroupBackdrop(collapsed));
                push(item, collapsed.thread, &rows.all, 1, RowKind::Group(collapsed));
            }
            ItemKind::Thread(ThreadHeading { thread, expanded: false }) => {
                let summary = shown.summary(input.index, thread);
                push(item, thread, summary, 0, RowKind::Backdrop);
                push(item, thread, summary, 1, RowKind::Summary);
            }
            _ => {}
        }
    }
    rows
}

/// Draws the markers on screen.
#[derive(Debug, Default)]
pub(crate) struct MarkerPainter {
    labels: LabelCache,
    candidates: Vec<Candidate>,
    span_cache: VisibleSpanCache<RowKey>,
}

impl TrackPainter for MarkerPainter {
    fn paint(&mut self, input: &SceneInput<'_>, frame: &mut Frame) {
        build(input, frame, &mut self.candidates, &mut self.span_cache);
        build_labels(input, frame, &self.candidates, &mut self.labels);
    }
}

fn build(
    input: &SceneInput<'_>,
    frame: &mut Frame,
    candidates: &mut Vec<Candidate>,
    span_cache: &mut VisibleSpanCache<RowKey>,
) {
    span_cache.begin_frame();
    let chart = input.regions.chart;
    frame.begin_layer(Layer::Markers);
    let mut rows = visible_rows(input);
    let first_slot = frame.rows.len();
    rows.iter_mut().for_each(|row| row.slot += first_slot);
    rows.retain(|row| row.slot < MAX_ROWS);
    frame.rows.extend(rows.iter().map(|row| row_place(input, &row.item)));
    let shown = frame.axis.ticks(0.0, f64::from(chart.width));
    let source = input.index.source();

    let least = if marks_exist(input) { min_mark_ticks(input, frame) } else { min_label_ticks(input, frame) };
    candidates.clear();
    let base = if input.is_dimmed() { Emphasis::Dimmed } else { Emphasis::Normal };
    let start = frame.count::<MarkerInstance>();
    for row in rows.iter().filter(|row| !is_replaced(input, row)) {
        let items = row.layout.items(source, input.index.profile().thread(row.thread), row.row);
        let emphasis = match (row.kind, base) {
            (kind, Emphasis::Normal) if kind.is_backdrop() => Emphasis::Faint,
            _ => base,
        };
        let rows = match row.kind {
            RowKind::Row => CachedRows::Arrangement(input.view.arrangement),
            RowKind::Backdrop | RowKind::Summary => CachedRows::Summary,
            RowKind::GroupBackdrop(collapsed) | RowKind::Group(collapsed) => CachedRows::Group(collapsed),
        };
        let version = input.list.shown().version(row.thread);
        let key = RowKey { thread: row.thread, rows, row: row.row, version };
        let least = (!row.kind.is_backdrop() && !input.is_dimmed()).then_some(least);
        let calls = row.calls(input);
        let neighbors = calls.as_ref().map(|find| find as Neighbors<'_>);
        let spans =
            SpanRow { items: &items, pyramid: row.layout.pyramid(row.row), slot: row.slot, emphasis, least, neighbors };
        let has_diamonds = row.kind == RowKind::Row;
        spans.draw_each(frame, (&mut *span_cache, key), shown, has_diamonds, |drawn| {
            candidates.push(row.candidate(drawn));
        });
    }
    frame.draw_since::<MarkerInstance>(chart, start);

    if let Some(search) = input.search {
        frame.begin_layer(Layer::SearchHits);
        let start = frame.count::<MarkerInstance>();
        for row in &rows {
            let Some(found) = row.hits(input, search) else { continue };
            let items = found.items(source, input.index.profile().thread(row.thread), row.row);
            let (pyramid, slot, emphasis) = (found.pyramid(row.row), row.slot, Emphasis::Match);
            let calls = row.calls(input);
            let neighbors = calls.as_ref().map(|find| find as Neighbors<'_>);
            let spans = SpanRow { items: &items, pyramid, slot, emphasis, least: Some(least), neighbors };
            let has_diamonds = row.kind == RowKind::Row;
            spans.draw_each_uncached(frame, shown, has_diamonds, |drawn| candidates.push(row.candidate(drawn)));
        }
        frame.draw_since::<MarkerInstance>(chart, start);
        drop_covered(&rows, candidates);
    }
    if input.view.dims_others() {
        frame.begin_layer(Layer::SearchHits);
        let start = frame.count::<MarkerInstance>();
        push_insight(input, frame, &rows, (shown, least), candidates);
        frame.draw_since::<MarkerInstance>(chart, start);
    }

    mark(input, frame, candidates);
    frame.begin_layer(Layer::SearchHits);
    build_phases(input, frame, &rows, candidates);

    frame.begin_layer(Layer::Highlights);
    let start = frame.count::<MarkerInstance>();
    push_lit(input, frame, &rows, shown);
    if let Some(selected) = input.view.selected {
        push_marker(input, frame, &rows, selected, Emphasis::Selected);
    }
    if let Some(hovered) = input.view.hovered.filter(|hovered| Some(*hovered) != input.view.selected) {
        push_marker(input, frame, &rows, hovered, Emphasis::Hovered);
    }
    frame.draw_since::<MarkerInstance>(chart, start);
}

/// True if a graph shows the markers of a collapsed thread. Markers stay where a search or an insight dims them.
fn is_replaced(input: &SceneInput<'_>, row: &VisibleRow<'_>) -> bool {
    let is_summary = matches!(row.kind, RowKind::Backdrop | RowKind::Summary);
    is_summary && !input.is_dimmed() && input.index.activity_of(row.thread).is_some()
}

/// Removes the markers of backdrops over which others with room for a label are drawn: both labels would overlap.
fn drop_covered(rows: &[VisibleRow<'_>], candidates: &mut Vec<Candidate>) {
    let Some(first) = rows.first().map(|row| row.slot) else { return };
    let is_backdrop = |own: &Candidate| rows.get(own.slot - first).is_some_and(|row| row.kind.is_backdrop());
    // The row over a backdrop follows it.
    let over: Vec<(usize, u64, u64)> = candidates
        .iter()
        .filter(|own| !is_backdrop(own))
        .map(|own| (own.slot, own.packed.start(), own.packed.end()))
        .collect();
    candidates.retain(|own| {
        let is_over = |(slot, start, end): &(usize, u64, u64)| {
            *slot == own.slot + 1 && *start < own.packed.end() && own.packed.start() < *end
        };
        !is_backdrop(own) || !over.iter().any(is_over)
    });
}

/// Draws the phases of network requests inside their bars. Their labels move beside thin phases.
fn build_phases(input: &SceneInput<'_>, frame: &mut Frame, rows: &[VisibleRow<'_>], candidates: &mut [Candidate]) {
    // The events of a request in a trace are no bars.
    let network = input.index.network_if_built().filter(|network| network.are_markers() && !network.is_empty());
    let (Some(network), Some(first)) = (network, rows.first().map(|row| row.slot)) else { return };
    let mut phases = PhasePainter::default();
    for candidate in candidates.iter_mut().filter(|candidate| candidate.alone_until.is_none()) {
        let marker = input.index.profile().thread(candidate.thread).global(candidate.marker);
        let Some(request) = network.request_of(marker).and_then(|id| network.get(id)) else { continue };
        let Some(row) = rows.get(candidate.slot - first) else { continue };
        let place = PhaseRect { slot: candidate.slot, packed: candidate.packed, item: row.item };
        let room = phases.add(input, frame, place, request);
        (candidate.packed, candidate.is_pale) = (room.packed, room.is_pale);
    }
    phases.draw(input, frame);
}

/// Draws the slices with the lit names over their rows, or those that belong to the selected entry of a track.
fn push_lit(input: &SceneInput<'_>, frame: &mut Frame, rows: &[VisibleRow<'_>], shown: (u64, u64)) {
    let by_selection = || input.view.selected.and_then(|marker| lit_by(input.index, marker)).map(Arc::new);
    let Some(lit) = input.view.lit.clone().or_else(by_selection) else { return };
    let lit = lit.as_ref();
    let shown = lit_ticks(input, lit, shown);
    for row in rows.iter().filter(|row| lit.has_slices_of(row.thread)) {
        let thread = input.index.profile().thread(row.thread);
        let items = row.layout.items(input.index.source(), thread, row.row);
        let (pyramid, slot) = (row.layout.pyramid(row.row), row.slot);
        let spans = SpanRow { items: &items, pyramid, slot, emphasis: Emphasis::Linked, least: None, neighbors: None };
        // Trees contain slices with a length only; other markers may have the same name.
        let is_slice = |marker: LocalMarker| {
            thread.markers.flags(marker).has(MarkerFlags::STACK_BASED) && !thread.markers.range(marker).is_empty()
        };
        let is_lit = |marker: LocalMarker| lit.names.contains(&thread.markers.name(marker)) && is_slice(marker);
        spans.draw_lit(frame, shown, is_lit, |_| {});
    }
}

/// Draws the markers of the emphasized insight over the dimmed ones, with outlines. Those of at least `least` ticks may have
/// labels and marks.
fn push_insight(
    input: &SceneInput<'_>,
    frame: &mut Frame,
    rows: &[VisibleRow<'_>],
    (shown, least): ((u64, u64), u64),
    candidates: &mut Vec<Candidate>,
) {
    let Some(focus) = input.view.insight.as_deref() else { return };
    for row in rows.iter().filter(|row| !row.kind.is_backdrop()) {
        let thread = input.index.profile().thread(row.thread);
        let count = u32::try_from(thread.markers.len()).unwrap_or(u32::MAX);
        let end = MarkerId(thread.first_marker.0.saturating_add(count));
        let own = focus.markers_between(thread.first_marker, end);
        let items = row.layout.items(input.index.source(), thread, row.row);
        if own.len() > MANY_OUTLINED {
            let (pyramid, slot, emphasis) = (row.layout.pyramid(row.row), row.slot, Emphasis::Linked);
            let spans = SpanRow { items: &items, pyramid, slot, emphasis, least: Some(least), neighbors: None };
            let is_own = |marker: LocalMarker| own.binary_search(&thread.global(marker)).is_ok();
            spans.draw_lit(frame, shown, is_own, |drawn| candidates.push(row.candidate(drawn)));
            continue;
        }
        for marker in own {
            let Some((_, local)) = input.index.profile().locate(*marker) else { continue };
            let packed = items.packed_marker(local);
            if packed.start() <= shown.1 && shown.0 <= packed.end() && row.has(input, local) {
                let instance = frame.instances.markers.len();
                let colored = packed.colored(frame.color_by);
                frame.instances.markers.push(MarkerInstance::new(colored, row.slot, Emphasis::Linked));
                if can_have_label(packed, least) {
                    candidates.push(row.candidate(DrawnSpan { marker: local, packed, instance, alone_until: None }));
                }
            }
        }
    }
}

/// Draws one marker over its row, even if the pyramid merged it.
fn push_marker(
    input: &SceneInput<'_>,
    frame: &mut Frame,
    rows: &[VisibleRow<'_>],
    marker: MarkerId,
    emphasis: Emphasis,
) {
    let Some((thread, local)) = input.index.profile().locate(marker) else { return };
    for row in rows.iter().filter(|row| row.thread == thread && !row.kind.is_backdrop()) {
        let data = input.index.profile().thread(thread);
        let items = row.layout.items(input.index.source(), data, row.row);
        if !row.has(input, local) {
            continue;
        }
        let (pyramid, slot) = (row.layout.pyramid(row.row), row.slot);
        let calls = row.calls(input);
        let neighbors = calls.as_ref().map(|find| find as Neighbors<'_>);
        let spans = SpanRow { items: &items, pyramid, slot, emphasis, least: None, neighbors };
        let position = row.layout.position(data, row.row, local).filter(|_| row.kind == RowKind::Row);
        let is_alone = position.is_some_and(|position| spans.is_alone(frame, position));
        let marks = marks_of(input, marker) | if is_alone { MarkerInstance::ALONE } else { 0 };
        let packed = items.packed_marker(local).colored(frame.color_by);
        frame.instances.markers.push(MarkerInstance::new(packed, slot, emphasis).marked(marks));
    }
}
