//! Flows as tracks of the chart: rectangles with labels on their own rows, drawn and hit-tested like markers. Lines
//! lead to the parts of a flow before and after its main interval.

use std::collections::HashMap;
use std::sync::Arc;

use super::track_item::{expansion_text, row_place};
use super::{Background, LabelStyle, TrackItem, TrackLabel, TrackPainter};
use crate::frame::{Frame, Layer, can_have_label, min_label_ticks, push_colored_label, with_both_ends};
use crate::layout::{
    FlowHit, FlowTarget, FlowTrackHeading, FlowTrackItem, Item, ItemKind, PointerHits, ROW_HEIGHT, SceneInput,
    THREAD_HEIGHT,
};
use crate::primitives::{Emphasis, FlowInstance, FlowShapeKind, MAX_ROWS, MarkerInstance};
use crate::theme::Rgba;
use flowline_format::format_count_short;
use flowline_index::Packed;
use flowline_index::flows::{FlowTrack, FlowTrackRow, FlowTrackShapes};
use flowline_profile::FlowId;
use flowline_view::Command;

impl TrackItem for FlowTrackHeading {
    fn height(&self) -> f64 {
        THREAD_HEIGHT
    }

    fn identity(&self) -> [u32; 2] {
        [self.track, 0]
    }

    fn background(&self) -> Background {
        Background::TrackHeading { expanded: self.expanded }
    }

    fn label(&self, input: &SceneInput<'_>) -> TrackLabel {
        let track = input.setup.tracks.get(self.track as usize);
        let (name, all) = track.map_or(("", 0), |track| (track.name.as_str(), track.flows().len()));
        let count = input.scope.counted_tracks().and_then(|counts| counts.flows(self.track)).unwrap_or(all);
        TrackLabel {
            text: name.to_owned(),
            right: format_count_short(count as u64),
            spoken: format!("Flows: {name}, {count}, {}", expansion_text(self.expanded)),
            style: LabelStyle::Track,
            indent: crate::tracks::thread::LEVEL_INDENT,
            expanded: Some(self.expanded),
            ..TrackLabel::default()
        }
    }

    fn toggle(&self) -> Option<Command> {
        Some(Command::ToggleFlowTrack(self.track))
    }

    fn hits(&self, input: &SceneInput<'_>, item: &Item, x: f32, _y: f32) -> PointerHits {
        hits(input, item, x)
    }
}

impl TrackItem for FlowTrackItem {
    fn height(&self) -> f64 {
        ROW_HEIGHT
    }

    fn identity(&self) -> [u32; 2] {
        [self.track, self.row]
    }

    fn background(&self) -> Background {
        if self.row % 2 == 1 { Background::Stripe } else { Background::Plain }
    }

    fn label(&self, _input: &SceneInput<'_>) -> TrackLabel {
        TrackLabel::default()
    }

    fn hits(&self, input: &SceneInput<'_>, item: &Item, x: f32, _y: f32) -> PointerHits {
        hits(input, item, x)
    }
}

/// A flow on a track has the same hit as its box in the flow panel.
fn hits(input: &SceneInput<'_>, item: &Item, x: f32) -> PointerHits {
    let flow = flow_at(input, item, x).map(|flow| FlowHit::Flow { flow, target: FlowTarget::Box });
    PointerHits { flow, ..PointerHits::default() }
}

/// Cached labels.
#[derive(Debug, Default)]
struct FlowLabels(HashMap<FlowId, Arc<str>>);

/// The cache is cleared at this many labels.
const CACHE_LIMIT: usize = 10_000;

impl FlowLabels {
    fn get(&mut self, input: &SceneInput<'_>, flow: FlowId) -> Arc<str> {
        if self.0.len() > CACHE_LIMIT {
            self.0.clear();
        }
        let make = || {
            let index = input.index;
            Arc::from(input.setup.rules.appearance(index.profile(), index.flows(), index.source().styles, flow).label)
        };
        Arc::clone(self.0.entry(flow).or_insert_with(make))
    }
}

/// The row of a flow track that an item shows.
fn row_of<'a>(input: &SceneInput<'a>, item: &Item) -> Option<(&'a FlowTrack, FlowTrackRow)> {
    match item.kind {
        ItemKind::FlowTrack(FlowTrackHeading { track, expanded: false }) => {
            Some((input.setup.tracks.get(track as usize)?, FlowTrackRow::Summary))
        }
        ItemKind::FlowRow(FlowTrackItem { track, row }) => {
            Some((input.setup.tracks.get(track as usize)?, FlowTrackRow::Row(row as usize)))
        }
        _ => None,
    }
}

/// Draws the tracks on screen.
#[derive(Debug, Default)]
pub(crate) struct FlowTrackPainter {
    labels: FlowLabels,
}

impl TrackPainter for FlowTrackPainter {
    fn paint(&mut self, input: &SceneInput<'_>, frame: &mut Frame) {
        frame.begin_layer(Layer::FlowTracks);
        build(input, frame, &mut self.labels);
    }
}

fn build(input: &SceneInput<'_>, frame: &mut Frame, labels: &mut FlowLabels) {
    let chart = input.regions.chart;
    let span = frame.axis.ticks(0.0, f64::from(chart.width));
    let ticks_per_pixel = frame.axis.ticks_per_pixel();
    let least = min_label_ticks(input, frame);
    let mut rows: Vec<(usize, &FlowTrack, FlowTrackRow)> = Vec::new();
    for item in input.visible_items() {
        let Some((track, row)) = row_of(input, item) else { continue };
        let slot = frame.rows.len();
        if slot >= MAX_ROWS {
            break;
        }
        frame.rows.push(row_place(input, item));
        rows.push((slot, track, row));
    }
    let shapes = |frame: &mut Frame, part, kind| {
        let start = frame.count::<FlowInstance>();
        for (slot, track, row) in &rows {
            track.visit((*row, part), ticks_per_pixel, span, |found| {
                let emphasis = emphasis(input, track.flows()[found.member]);
                frame.instances.flows.push(FlowInstance::new(found.packed, kind, *slot, emphasis));
            });
        }
        frame.draw_since::<FlowInstance>(chart, start);
    };
    shapes(frame, FlowTrackShapes::Lines, FlowShapeKind::Line);
    let start = frame.count::<MarkerInstance>();
    let mut found: Vec<(usize, FlowId, Packed)> = Vec::new();
    let mut starts: Vec<(usize, u64)> = Vec::new();
    for (slot, track, row) in &rows {
        track.visit((*row, FlowTrackShapes::Boxes), ticks_per_pixel, span, |span| {
            let flow = track.flows()[span.member];
            frame.instances.markers.push(MarkerInstance::new(span.packed, *slot, emphasis(input, flow)));
            starts.push((*slot, span.packed.start()));
            if can_have_label(span.packed, least) {
                found.push((*slot, flow, span.packed));
            }
        });
    }
    frame.draw_since::<MarkerInstance>(chart, start);
    shapes(frame, FlowTrackShapes::Fades, FlowShapeKind::Fade);
    let faded = faded(&rows, ticks_per_pixel, span);
    starts.sort_unstable();
    for (slot, flow, packed) in found {
        let (packed, color) = label_part(frame, packed, faded.get(&(slot, flow)).map_or(&[], Vec::as_slice));
        let packed = before_next(&starts, slot, packed);
        // Addresses often differ only at one end, so both ends are kept.
        let text = with_both_ends(input, frame, packed, labels.get(input, flow));
        push_colored_label(input, frame, slot, packed, color, || text);
    }
}

/// The part of a box before the next one on its row, which is drawn over it. `starts` is sorted.
fn before_next(starts: &[(usize, u64)], slot: usize, packed: Packed) -> Packed {
    let next = starts.partition_point(|start| *start <= (slot, packed.start()));
    let next = starts.get(next).filter(|(row, _)| *row == slot);
    let end = next.map_or(packed.end(), |(_, start)| packed.end().min(*start));
    Packed::new(packed.start(), end, packed.style())
}

/// Faded parts of the boxes on screen, by row of the frame and flow.
fn faded(
    rows: &[(usize, &FlowTrack, FlowTrackRow)],
    ticks_per_pixel: f64,
    shown: (u64, u64),
) -> HashMap<(usize, FlowId), Vec<Packed>> {
    let mut faded: HashMap<_, Vec<Packed>> = HashMap::new();
    for (slot, track, row) in rows {
        track.visit((*row, FlowTrackShapes::Fades), ticks_per_pixel, shown, |span| {
            faded.entry((*slot, track.flows()[span.member])).or_default().push(span.packed);
        });
    }
    faded
}

/// Faded parts with less of the background over them than this, out of 255, have dark labels like full boxes.
const FULL: u8 = 100;

/// The part of a box for its label, and the label's color: the whole box, or its part with the most room on screen.
fn label_part(frame: &Frame, packed: Packed, faded: &[Packed]) -> (Packed, Rgba) {
    #[expect(clippy::cast_possible_truncation, reason = "pixels of a window")]
    let edge = frame.axis.width as i32;
    let shown = |part: &Packed| {
        let (first, end) = frame.axis.columns(*part);
        end.min(edge) - first.max(0)
    };
    let on_full = frame.palette.ink;
    let Some(widest) = faded.iter().max_by_key(|part| shown(part)) else { return (packed, on_full) };
    let part = Packed::new(
        widest.start().clamp(packed.start(), packed.end()),
        widest.end().clamp(packed.start(), packed.end()),
        packed.style(),
    );
    (part, if widest.style().opacity() < FULL { on_full } else { frame.palette.text })
}

fn emphasis(input: &SceneInput<'_>, flow: FlowId) -> Emphasis {
    let view = &input.view.flows;
    if view.entered.contains(&flow) {
        Emphasis::Selected
    } else if view.hovered == Some(flow) {
        Emphasis::Hovered
    } else {
        Emphasis::Normal
    }
}

/// The flow drawn at an x coordinate of an item.
fn flow_at(input: &SceneInput<'_>, item: &Item, x: f32) -> Option<FlowId> {
    let (track, row) = row_of(input, item)?;
    let map = input.axis_map();
    let along = x - input.regions.chart.x;
    let (from, to) = map.ticks(f64::from(along) - 3.0, f64::from(along) + 3.0);
    let mut best: Option<(f32, FlowId)> = None;
    // A box takes precedence over the line of another flow.
    for part in [FlowTrackShapes::Lines, FlowTrackShapes::Boxes] {
        #[expect(clippy::cast_precision_loss, reason = "pixel columns")]
        track.visit((row, part), map.ticks_per_pixel(), (from, to), |span| {
            let (first, end) = map.columns(span.packed);
            let distance = (first as f32 - along).max(along - end as f32).max(0.0);
            if distance <= 3.0 * input.scale && best.is_none_or(|(least, _)| distance <= least) {
                best = Some((distance, track.flows()[span.member]));
            }
        });
    }
    best.map(|(_, flow)| flow)
}
