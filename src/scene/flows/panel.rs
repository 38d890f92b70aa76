//! The rows of the flow panel: backgrounds, boxes, tints and dots, then the connections, then the selected and the hovered
//! marker once more on top.

use super::hit::DOT_REACH;
use super::links;
use super::list::{FlowItem, FlowItemKind};
use super::{Area, FlowScene, ShapeKey, packed_marker};
use crate::index::flows::{FlowShape, ShapeSpan};
use crate::index::{Packed, Style};
use crate::profile::{FlowId, MarkerId};
use crate::scene::SceneInput;
use crate::scene::frame::Frame;
use crate::scene::pixel_rect::PixelRect;
use crate::scene::primitives::{Emphasis, FlowInstance, FlowShapeKind, MAX_ROWS, RectInstance};
use crate::scene::theme::with_alpha;
use crate::view::FlowSection;

/// Builds both parts.
pub(in crate::scene) fn build(input: &SceneInput<'_>, frame: &mut Frame) {
    let Some((scene, areas)) = input.flows.zip(input.flow_areas()) else { return };
    for area in areas.iter().filter(|area| area.rect.height >= 1.0) {
        backdrop(input, frame, area);
        crate::scene::ruler::build_grid(input, frame, area.rect);
        let start = frame.count::<FlowInstance>();
        for item in area.visible() {
            row(input, frame, scene, area, item);
        }
        frame.draw_since::<FlowInstance>(area.rect, start);
        links::build(input, frame, &areas, area);
        let start = frame.count::<FlowInstance>();
        for (marker, emphasis) in highlighted(input) {
            highlight(input, frame, area, marker, emphasis);
        }
        frame.draw_since::<FlowInstance>(area.rect, start);
        pointer_line(input, frame, area.rect);
    }
}

/// The markers whose dots stand out: the selected one, then the hovered one.
fn highlighted(input: &SceneInput<'_>) -> Vec<(MarkerId, Emphasis)> {
    let selected = input.view.selected.map(|marker| (marker, Emphasis::Selected));
    let hovered = input.view.hovered.filter(|hovered| Some(*hovered) != input.view.selected);
    selected.into_iter().chain(hovered.map(|marker| (marker, Emphasis::Hovered))).collect()
}

fn backdrop(input: &SceneInput<'_>, frame: &mut Frame, area: &Area<'_>) {
    let palette = frame.palette;
    let line = frame.line_width();
    let mut rects = vec![RectInstance::filled(area.rect, palette.background)];
    for item in area.visible() {
        let rect = PixelRect::new(area.rect.x, area.y(item), area.rect.width, area.height(item));
        match item.kind {
            FlowItemKind::Heading { .. } => {
                rects.push(RectInstance::filled(rect, palette.stripe));
                let top = PixelRect { height: line, ..rect };
                rects.push(RectInstance::filled(top, palette.grid));
            }
            FlowItemKind::Flow { section: FlowSection::Entered, .. } => {
                rects.push(RectInstance::filled(rect, with_alpha(palette.accent, 34)));
            }
            FlowItemKind::Flow { flow, .. } if input.view.flows.hovered == Some(flow) => {
                rects.push(RectInstance::filled(rect, with_alpha(palette.accent, 16)));
            }
            FlowItemKind::Flow { .. } | FlowItemKind::Group { .. } => {}
        }
    }
    frame.draw(area.rect, rects);
}

fn pointer_line(input: &SceneInput<'_>, frame: &mut Frame, rect: PixelRect) {
    let regions = &input.regions;
    let inside =
        |x, y| [regions.chart, regions.ruler, regions.flows, regions.pinned].iter().any(|region| region.contains(x, y));
    if let Some((x, _)) = input.pointer.filter(|(x, y)| inside(*x, *y)) {
        let line = PixelRect::new(x.floor(), rect.y, frame.line_width(), rect.height);
        let color = with_alpha(frame.palette.accent, 150);
        frame.draw(rect, [RectInstance::filled(line, color)]);
    }
}

/// The slot of the frame for a row, if there is one left.
fn slot(frame: &mut Frame, area: &Area<'_>, item: &FlowItem) -> Option<usize> {
    let slot = frame.rows.len();
    if slot >= MAX_ROWS {
        return None;
    }
    frame.rows.push(area.place(item));
    Some(slot)
}

fn row(input: &SceneInput<'_>, frame: &mut Frame, scene: FlowScene<'_>, area: &Area<'_>, item: &FlowItem) {
    let (key, flow) = match item.kind {
        FlowItemKind::Heading { .. } => return,
        FlowItemKind::Flow { flow, .. } => (ShapeKey::Flow(flow), Some(flow)),
        FlowItemKind::Group { section, name, .. } => (ShapeKey::Group(section, name), None),
    };
    let Some(shape) = scene.shapes.get(key) else { return };
    let Some(slot) = slot(frame, area, item) else { return };
    // A dot beyond the edge of the view reaches into it.
    let reach = f64::from(DOT_REACH * input.scale);
    let (from, to) = frame.axis.ticks(-reach, f64::from(area.rect.width) + reach);
    let ticks_per_pixel = frame.axis.ticks_per_pixel();
    let is_hovered = flow.is_some() && input.view.flows.hovered == flow;
    let emphasis = if is_hovered { Emphasis::Hovered } else { Emphasis::Normal };
    outline(frame, shape, slot, emphasis, flow.is_some());
    let mut push = |span: ShapeSpan, kind| {
        frame.instances.flows.push(FlowInstance::new(span.packed, kind, slot, Emphasis::Normal));
    };
    shape.visit_tints(ticks_per_pixel, from, to, |span| push(span, FlowShapeKind::Tint));
    if let Some((range, opacity)) = shape.fade {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a part of 255")]
        let veil = Style::new(((1.0 - opacity.clamp(0.0, 1.0)) * 255.0) as u8);
        let range = Packed::new(range.start(), range.end(), veil);
        frame.instances.flows.push(FlowInstance::new(range, FlowShapeKind::Fade, slot, Emphasis::Normal));
    }
    shape.visit_dots(ticks_per_pixel, from, to, |span| {
        frame.instances.flows.push(FlowInstance::new(span.packed, FlowShapeKind::Dot, slot, Emphasis::Normal));
    });
}

/// The box around the main interval, and the line to what lies outside it.
fn outline(frame: &mut Frame, shape: &FlowShape, slot: usize, emphasis: Emphasis, boxed: bool) {
    let mut line = |start: u64, end: u64| {
        let packed = Packed::new(start, end, shape.whole.style());
        frame.instances.flows.push(FlowInstance::new(packed, FlowShapeKind::Line, slot, emphasis));
    };
    if !boxed {
        line(shape.whole.start(), shape.whole.end());
    } else {
        if shape.whole.start() < shape.main.start() {
            line(shape.whole.start(), shape.main.start());
        }
        if shape.whole.end() > shape.main.end() {
            line(shape.main.end(), shape.whole.end());
        }
    }
    if boxed {
        frame.instances.flows.push(FlowInstance::new(shape.main, FlowShapeKind::Box, slot, emphasis));
    }
}

/// Draws one marker's dot and interval again on every row that has it, whatever the pyramid merged it into.
fn highlight(input: &SceneInput<'_>, frame: &mut Frame, area: &Area<'_>, marker: MarkerId, emphasis: Emphasis) {
    let Some(packed) = packed_marker(input, marker) else { return };
    let flows = input.index.flows().flows_of(marker);
    let mut rows: Vec<&FlowItem> = flows.iter().filter_map(|flow| visible_row(area, *flow)).collect();
    // The flows of a folded group share a row, and slots are few.
    rows.sort_by(|a, b| a.y.total_cmp(&b.y));
    rows.dedup_by(|a, b| a.y == b.y);
    for item in rows {
        let Some(slot) = slot(frame, area, item) else { return };
        if packed.end() > packed.start() {
            frame.instances.flows.push(FlowInstance::new(packed, FlowShapeKind::Tint, slot, emphasis));
        }
        let dot = Packed::new(packed.start(), packed.start(), packed.style());
        frame.instances.flows.push(FlowInstance::new(dot, FlowShapeKind::Dot, slot, emphasis));
    }
}

fn visible_row<'a>(area: &'a Area<'_>, flow: FlowId) -> Option<&'a FlowItem> {
    let item = area.part.row(flow)?;
    let (top, bottom) = (area.scroll, area.scroll + f64::from(area.rect.height / area.scale));
    (item.y < bottom && item.y + item.height > top).then_some(item)
}
