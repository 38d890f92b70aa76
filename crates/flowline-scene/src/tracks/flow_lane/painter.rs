//! Draws the flow lanes on screen: waits, then runs, then marks, then the selected and the hovered marker.

use super::on_screen::{BAR_INSET, MARK_INSET, highlighted, matching, on_screen, place};
use super::selected_lane;
use crate::frame::{
    Frame, LabelCache, Layer, TextRun, can_have_label, min_label_ticks, push_colored_label, shortened, shortened_to,
};
use crate::geometry::PixelRect;
use crate::layout::{Item, SceneInput};
use crate::painting::rule_box;
use crate::primitives::{BOX_PAD, Emphasis, FlowInstance, FlowShapeKind, MAX_ROWS, MarkerInstance, RectInstance};
use crate::theme::with_alpha;
use crate::tracks::TrackPainter;
use flowline_index::flows::LaneShape;
use flowline_index::{Packed, Style};
use flowline_profile::{FlowId, MarkerId, TimeRange};

/// Points between a lane and its title, the title's font size, and the minimum room for it.
const TITLE_GAP: f32 = 6.0;
const TITLE_SIZE: f32 = 11.0;
const LEAST_TITLE: f32 = 40.0;
/// Upper bound for the average width of a character in points.
const CHARACTER_WIDTH: f32 = 6.2;

/// A flow lane on screen.
struct Row<'a> {
    item: Item,
    flow: FlowId,
    shape: &'a LaneShape,
    /// Index of its bar in [`Frame::rows`]; the index of its marks follows.
    slot: usize,
    emphasis: Emphasis,
}

/// Draws the flow lanes on screen.
#[derive(Debug, Default)]
pub(crate) struct FlowLanePainter {
    labels: LabelCache,
}

impl TrackPainter for FlowLanePainter {
    fn paint(&mut self, input: &SceneInput<'_>, frame: &mut Frame) {
        if !input.view.flow_lanes.shown {
            return;
        }
        let rows = rows(input, frame);
        if rows.is_empty() {
            return;
        }
        frame.begin_layer(Layer::Backdrop);
        backdrop(input, frame, &rows);
        frame.begin_layer(Layer::Markers);
        boxes(input, frame, &rows);
        bars(input, frame, &rows, &mut self.labels);
        frame.begin_layer(Layer::SearchHits);
        hits(input, frame, &rows);
        frame.begin_layer(Layer::Highlights);
        highlights(input, frame, &rows);
        frame.begin_layer(Layer::FlowPaths);
        super::links::build(input, frame);
    }
}

fn rows<'a>(input: &SceneInput<'a>, frame: &mut Frame) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    for (item, flow) in on_screen(input) {
        let Some(shape) = input.lane(flow) else { continue };
        let slot = frame.rows.len();
        if slot + 2 > MAX_ROWS {
            break;
        }
        frame.rows.extend([place(input, item, BAR_INSET), place(input, item, MARK_INSET)]);
        let is_hovered = input.view.flows.hovered == Some(flow);
        let emphasis = if is_hovered { Emphasis::Hovered } else { Emphasis::Normal };
        rows.push(Row { item: *item, flow, shape, slot, emphasis });
    }
    rows
}

/// Highlights the rows of the selected flow and of the entered flows.
fn backdrop(input: &SceneInput<'_>, frame: &mut Frame, rows: &[Row<'_>]) {
    let (chart, accent, selected) = (input.regions.chart, frame.palette.accent, selected_lane(input));
    let marked = rows.iter().filter_map(|row| {
        let alpha = match row.flow {
            flow if Some(flow) == selected => 46,
            flow if input.view.flows.entered.contains(&flow) => 26,
            _ => return None,
        };
        let rect = PixelRect::new(chart.x, input.item_y(&row.item), chart.width, input.item_height(&row.item));
        Some(RectInstance::filled(rect, with_alpha(accent, alpha)))
    });
    let marked: Vec<RectInstance> = marked.collect();
    frame.draw(chart, marked);
}

/// Draws the boxes of rules behind the bars, as in the flow panel.
fn boxes(input: &SceneInput<'_>, frame: &mut Frame, rows: &[Row<'_>]) {
    let start = frame.count::<FlowInstance>();
    for row in rows {
        if let Some(shape) = &row.shape.boxed {
            rule_box::push(frame, shape, row.slot + 1, row.emphasis);
        }
    }
    frame.draw_since::<FlowInstance>(input.regions.chart, start);
}

fn bars(input: &SceneInput<'_>, frame: &mut Frame, rows: &[Row<'_>], labels: &mut LabelCache) {
    let chart = input.regions.chart;
    let (span, scale) = (frame.axis.ticks(0.0, f64::from(chart.width)), frame.axis.ticks_per_pixel());
    let base = if input.is_dimmed() { Emphasis::Dimmed } else { Emphasis::Normal };
    let dims_others = input.view.dims_others();
    let emphasis = |marker| if dims_others && input.view.is_in_insight(marker) { Emphasis::Linked } else { base };
    let start = frame.count::<FlowInstance>();
    for row in rows {
        row.shape.visit_waits(scale, span, |packed, _, _| {
            frame.instances.flows.push(FlowInstance::new(packed, FlowShapeKind::Wait, row.slot, row.emphasis));
        });
    }
    frame.draw_since::<FlowInstance>(chart, start);
    let (least, mut labelled) = (min_label_ticks(input, frame), Vec::<(usize, MarkerId, Packed)>::new());
    let start = frame.count::<MarkerInstance>();
    for row in rows {
        row.shape.visit_runs(scale, span, |packed, marker, _| {
            frame.instances.markers.push(MarkerInstance::new(packed, row.slot, emphasis(marker)));
            if can_have_label(packed, least) {
                labelled.push((row.slot, marker, packed));
            }
        });
        row.shape.visit_marks(scale, span, |packed, marker, _| {
            frame.instances.markers.push(MarkerInstance::new(packed, row.slot + 1, emphasis(marker)));
        });
    }
    frame.draw_since::<MarkerInstance>(chart, start);
    for (slot, marker, packed) in labelled {
        // Lanes have the colors of kinds.
        let color = frame.palette.label_on(frame.rows[slot].entry(packed.style().color()));
        push_colored_label(input, frame, slot, packed, color, || labels.get(input, marker));
    }
    for row in rows {
        title_beside(input, frame, row);
    }
}

/// Writes a lane's title after its end or before its start, on the side with more room, since the label column is
/// narrow.
#[expect(clippy::cast_precision_loss, reason = "pixel columns")]
fn title_beside(input: &SceneInput<'_>, frame: &mut Frame, row: &Row<'_>) {
    let (chart, clock, scale) = (input.regions.chart, input.index.clock(), input.scale);
    let TimeRange { start, end } = row.shape.range;
    let (first, end) = frame.axis.columns(Packed::new(clock.tick(start), clock.tick(end), Style::default()));
    // A box reaches beyond its interval.
    let pad = if row.shape.boxed.is_some() { BOX_PAD } else { 0.0 };
    let (gap, size) = ((TITLE_GAP + pad) * scale, TITLE_SIZE * scale);
    let (before, after) = (first as f32 - gap, chart.width - end as f32 - gap);
    let place = frame.rows[row.slot];
    // A title without its lane in view would be ambiguous.
    if end < 0 || first as f32 > chart.width || before.max(after) < LEAST_TITLE * scale || place.height < size {
        return;
    }
    let text = shortened(&row.shape.title());
    let width = text.chars().count() as f32 * CHARACTER_WIDTH * scale;
    // After the lane, unless the title fits only before it.
    let x = if after >= width || after >= before { end as f32 + gap } else { (before - width).max(0.0) };
    let room = if x > end as f32 { chart.width - x } else { before - x };
    let text = shortened_to(text, room, size);
    frame.texts.push(TextRun {
        text,
        x: chart.x + x,
        y: (place.y + (place.height - size * 1.3) / 2.0).round(),
        size,
        color: frame.palette.text2,
        clip: PixelRect::new(chart.x + x, place.y, room, place.height).intersect(chart),
    });
}

/// Draws the selected and the hovered marker over their lanes, even if the pyramid merged them.
fn highlights(input: &SceneInput<'_>, frame: &mut Frame, rows: &[Row<'_>]) {
    let start = frame.count::<MarkerInstance>();
    for row in rows {
        for marker in highlighted(input, row.flow) {
            let is_selected = input.view.selected == Some(marker);
            push_marker(input, frame, row, marker, if is_selected { Emphasis::Selected } else { Emphasis::Hovered });
        }
    }
    frame.draw_since::<MarkerInstance>(input.regions.chart, start);
}

/// Draws search hits over the lanes.
fn hits(input: &SceneInput<'_>, frame: &mut Frame, rows: &[Row<'_>]) {
    let start = frame.count::<MarkerInstance>();
    for row in rows {
        matching(input, row.flow).for_each(|marker| push_marker(input, frame, row, marker, Emphasis::Match));
    }
    frame.draw_since::<MarkerInstance>(input.regions.chart, start);
}

/// Draws one marker over its lane. A mark that is an interval is drawn with its duration.
fn push_marker(input: &SceneInput<'_>, frame: &mut Frame, row: &Row<'_>, marker: MarkerId, emphasis: Emphasis) {
    let Some(packed) = input.packed_marker(marker) else { return };
    let is_run = input.setup.rules.is_run(input.index.profile(), input.index.flows(), row.flow, marker);
    let slot = if is_run { row.slot } else { row.slot + 1 };
    frame.instances.markers.push(MarkerInstance::new(packed, slot, emphasis));
}
