//! Draws the strips and lanes on screen: long markers, the others over them, search hits, the hovered and the selected one.

use std::collections::HashMap;

use super::strip::{strip_lane, strip_place};
use crate::frame::{Frame, LabelCache, Layer, min_label_ticks, push_label};
use crate::layout::{Item, ItemKind, SceneInput, THREAD_TRACKS};
use crate::primitives::{Emphasis, MAX_ROWS, MarkerInstance, RowBounds};
use crate::tracks::TrackPainter;
use crate::tracks::row_spans::SpanRow;
use crate::tracks::track_item::row_place;
use crate::tracks::visible_span_cache::VisibleSpanCache;
use flowline_index::{Derived as _, MarkerSurfaces, Packed, SurfaceLane, ThreadLayout};
use flowline_profile::{LocalMarker, MarkerId};

/// A lane on screen.
struct VisibleLane<'a> {
    number: u32,
    lane: &'a SurfaceLane,
    /// Index in [`Frame::rows`].
    slot: usize,
    /// False for a strip, which has no room for labels.
    has_labels: bool,
}

/// The search hits of lanes, as rows to draw over the others.
#[derive(Debug, Default)]
struct LaneHits {
    /// Number of the result.
    number: Option<u64>,
    lanes: HashMap<u32, ThreadLayout>,
}

impl LaneHits {
    fn lane(
        &mut self,
        input: &SceneInput<'_>,
        surfaces: &MarkerSurfaces,
        shown: &VisibleLane<'_>,
    ) -> Option<&ThreadLayout> {
        let search = input.search?;
        if self.number != Some(search.number) {
            *self = Self { number: Some(search.number), lanes: HashMap::new() };
        }
        let layout = self.lanes.entry(shown.number).or_insert_with(|| {
            let (id, thread) = (shown.lane.thread, input.index.profile().thread(shown.lane.thread));
            let found = search.hits.thread(id).iter().copied();
            let found: Vec<LocalMarker> = found.filter(|marker| surfaces.has(shown.lane, thread, *marker)).collect();
            input.index.summary_of(id, &found)
        });
        Some(layout)
    }
}

/// Draws strips and lanes.
#[derive(Debug, Default)]
pub(super) struct SurfacePainter {
    span_cache: VisibleSpanCache<(u32, usize)>,
    labels: LabelCache,
    found: LaneHits,
}

impl TrackPainter for SurfacePainter {
    fn paint(&mut self, input: &SceneInput<'_>, frame: &mut Frame) {
        let Some(surfaces) = MarkerSurfaces::if_built(input.index).filter(|surfaces| !surfaces.is_empty()) else {
            return;
        };
        self.span_cache.begin_frame();
        let lanes = visible(input, frame, surfaces);
        if lanes.is_empty() {
            return;
        }
        let (chart, index) = (input.regions.chart, input.index);
        let shown = frame.axis.ticks(0.0, f64::from(chart.width));
        let label_ticks = min_label_ticks(input, frame);
        let mut wide: Vec<Labeled> = Vec::new();
        frame.begin_layer(Layer::Markers);
        let start = frame.count::<MarkerInstance>();
        let emphasis = if input.search.is_some() { Emphasis::Dimmed } else { Emphasis::Normal };
        for VisibleLane { number, lane, slot, has_labels } in &lanes {
            let thread = index.profile().thread(lane.thread);
            let least = (*has_labels && input.search.is_none()).then_some(label_ticks);
            for row in 0..lane.layout().rows.len() {
                let (items, pyramid) = (&lane.items(index, row), lane.layout().pyramid(row));
                let spans = SpanRow { items, pyramid, slot: *slot, emphasis, least, neighbors: None };
                spans.draw_each(frame, (&mut self.span_cache, (*number, row)), shown, false, |drawn| {
                    wide.push(Labeled { slot: *slot, row, marker: thread.global(drawn.marker), packed: drawn.packed });
                });
            }
        }
        frame.draw_since::<MarkerInstance>(chart, start);

        if input.search.is_some() {
            frame.begin_layer(Layer::SearchHits);
            let start = frame.count::<MarkerInstance>();
            for shown_lane in &lanes {
                let thread = index.profile().thread(shown_lane.lane.thread);
                let least = shown_lane.has_labels.then_some(label_ticks);
                let Some(found) = self.found.lane(input, surfaces, shown_lane) else { continue };
                for row in 0..found.rows.len() {
                    let (items, pyramid) = (&found.items(index.source(), thread, row), found.pyramid(row));
                    let (slot, emphasis) = (shown_lane.slot, Emphasis::Match);
                    let spans = SpanRow { items, pyramid, slot, emphasis, least, neighbors: None };
                    spans.draw_each_uncached(frame, shown, false, |drawn| {
                        wide.push(Labeled { slot, row, marker: thread.global(drawn.marker), packed: drawn.packed });
                    });
                }
            }
            frame.draw_since::<MarkerInstance>(chart, start);
        }
        for label in &wide {
            if let Some(packed) = room(label, &wide) {
                push_label(input, frame, label.slot, packed, || self.labels.get(input, label.marker));
            }
        }
        draw_emphasized(input, frame, surfaces, &lanes);
    }
}

/// A marker that is wide enough for a label.
struct Labeled {
    slot: usize,
    /// Row of the lane; later rows are drawn over earlier ones.
    row: usize,
    marker: MarkerId,
    packed: Packed,
}

/// The part of a marker that has room for its label: until a marker of a later row begins that is drawn over it. `None` if
/// one covers its start.
fn room(label: &Labeled, all: &[Labeled]) -> Option<Packed> {
    let (start, end) = (label.packed.start(), label.packed.end());
    let is_over = |other: &&Labeled| {
        let (from, to) = (other.packed.start(), other.packed.end());
        other.slot == label.slot && other.row > label.row && from < end && to > start
    };
    let first = all.iter().filter(is_over).map(|other| other.packed.start()).min().unwrap_or(end);
    (first > start).then(|| Packed::new(start, first, label.packed.style()))
}

/// Draws the selected and the hovered marker over the others.
fn draw_emphasized(input: &SceneInput<'_>, frame: &mut Frame, surfaces: &MarkerSurfaces, lanes: &[VisibleLane<'_>]) {
    frame.begin_layer(Layer::Highlights);
    let start = frame.count::<MarkerInstance>();
    let selected = input.view.selected;
    let hovered = input.view.hovered.filter(|hovered| Some(*hovered) != selected);
    for (marker, emphasis) in [(selected, Emphasis::Selected), (hovered, Emphasis::Hovered)] {
        let Some((id, local)) = marker.and_then(|marker| input.index.profile().locate(marker)) else { continue };
        let thread = input.index.profile().thread(id);
        for shown in lanes.iter().filter(|shown| shown.lane.thread == id && surfaces.has(shown.lane, thread, local)) {
            let packed = shown.lane.items(input.index, 0).packed_marker(local).colored(frame.color_by);
            frame.instances.markers.push(MarkerInstance::new(packed, shown.slot, emphasis));
        }
    }
    frame.draw_since::<MarkerInstance>(input.regions.chart, start);
}

/// The lanes on screen.
fn visible<'a>(input: &SceneInput<'_>, frame: &mut Frame, surfaces: &'a MarkerSurfaces) -> Vec<VisibleLane<'a>> {
    let mut lanes = Vec::new();
    for item in input.visible_items() {
        let Some((number, place, has_labels)) = lane_at(input, surfaces, item) else { continue };
        let (Some(lane), slot) = (surfaces.lane(number), frame.rows.len()) else { continue };
        if slot < MAX_ROWS {
            frame.rows.push(place);
            lanes.push(VisibleLane { number, lane, slot, has_labels });
        }
    }
    lanes
}

/// The lane of an item, its position, and true if it has labels.
fn lane_at(input: &SceneInput<'_>, surfaces: &MarkerSurfaces, item: &Item) -> Option<(u32, RowBounds, bool)> {
    match item.kind {
        ItemKind::Track(heading) if heading.track.kind == THREAD_TRACKS => {
            Some((heading.track.number, row_place(input, item), true))
        }
        _ => strip_lane(surfaces, item).map(|lane| (lane, strip_place(input, item), false)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Labeled, room};
    use flowline_index::{Packed, Style};
    use flowline_profile::MarkerId;

    #[test]
    fn labels_end_where_another_marker_is_drawn_over_theirs() {
        let marker = |slot, row, start, end| Labeled {
            slot,
            row,
            marker: MarkerId(0),
            packed: Packed::new(start, end, Style::new(0)),
        };
        let all = [
            marker(3, 0, 0, 100),
            marker(3, 0, 100, 200),
            marker(3, 0, 200, 300),
            marker(3, 1, 40, 60),
            marker(3, 1, 70, 120),
            // Another lane.
            marker(4, 1, 200, 300),
        ];
        let rooms: Vec<Option<(u64, u64)>> =
            all.iter().map(|label| room(label, &all).map(|packed| (packed.start(), packed.end()))).collect();
        let expected = [Some((0, 40)), None, Some((200, 300)), Some((40, 60)), Some((70, 120)), Some((200, 300))];
        assert_eq!(rooms, expected);
    }
}
