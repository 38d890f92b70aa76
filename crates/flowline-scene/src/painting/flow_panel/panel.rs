//! Drawing of the flow panel's rows: backgrounds, a line over the whole flow, hatched waits, solid runs, the intervals of
//! the selected and the hovered marker, then dots, connections, and highlighted dots.

use super::hit::DOT_REACH;
use super::{hatching, links};
use crate::frame::Frame;
use crate::geometry::PixelRect;
use crate::layout::{Area, FlowItem, FlowItemKind, FlowScene, SceneInput, ShapeKey};
use crate::painting::rule_box;
use crate::primitives::{Emphasis, FlowInstance, FlowShapeKind, MAX_ROWS, RectInstance};
use crate::theme::with_alpha;
use flowline_index::Packed;
use flowline_index::flows::FlowShape;
use flowline_profile::{FlowId, MarkerId};
use flowline_view::FlowSection;

/// Builds both parts.
pub(crate) fn build(input: &SceneInput<'_>, frame: &mut Frame) {
    let Some((scene, areas)) = input.flows.zip(input.flow_areas()) else { return };
    for area in areas.iter().filter(|area| area.rect.height >= 1.0) {
        backdrop(input, frame, area);
        crate::painting::ruler::build_grid(input, frame, area.rect);
        let start = frame.count::<FlowInstance>();
        let rows: Vec<Row<'_>> =
            area.visible().iter().filter_map(|item| row(input, frame, scene, area, item)).collect();
        let marked = highlighted(input);
        let links = links::find(input, frame, &areas);
        // Markers connected to the hovered marker are highlighted with it.
        let linked: Vec<(MarkerId, Emphasis)> = links.lit.iter().map(|marker| (*marker, Emphasis::Linked)).collect();
        // In other rows, where a single marker is of interest.
        for (flow, marker) in links::associated(input, &areas) {
            let is_other = |row: &&Row<'_>| row.item.flow() != Some(flow);
            let others: Vec<Row<'_>> = rows.iter().filter(is_other).copied().collect();
            highlight_interval(input, frame, &others, marker, Emphasis::Linked);
        }
        for (marker, emphasis) in linked.iter().chain(&marked) {
            highlight_interval(input, frame, &rows, *marker, *emphasis);
        }
        rows.iter().for_each(|row| dots(input, frame, area, row));
        frame.draw_since::<FlowInstance>(area.rect, start);
        links.draw(frame, area.rect);
        let start = frame.count::<FlowInstance>();
        for (marker, emphasis) in linked.into_iter().chain(marked) {
            highlight_dot(input, frame, &rows, marker, emphasis);
        }
        frame.draw_since::<FlowInstance>(area.rect, start);
        pointer_line(input, frame, area.rect);
    }
}

/// The markers whose dots are highlighted: the selected one, then the hovered one.
fn highlighted(input: &SceneInput<'_>) -> Vec<(MarkerId, Emphasis)> {
    let selected = input.view.selected.map(|marker| (marker, Emphasis::Selected));
    let hovered = input.view.hovered.filter(|hovered| Some(*hovered) != input.view.selected);
    selected.into_iter().chain(hovered.map(|marker| (marker, Emphasis::Hovered))).collect()
}

fn backdrop(input: &SceneInput<'_>, frame: &mut Frame, area: &Area<'_>) {
    let palette = frame.palette;
    let line = frame.line_width();
    let mut rects = vec![RectInstance::filled(area.rect, palette.canvas)];
    for item in area.visible() {
        let rect = PixelRect::new(area.rect.x, area.y(item), area.rect.width, area.height(item));
        match item.kind {
            FlowItemKind::Flow { section: FlowSection::Entered, .. } => {
                rects.push(RectInstance::filled(rect, palette.stripe));
            }
            FlowItemKind::Flow { flow, .. } if input.view.flows.hovered == Some(flow) => {
                rects.push(RectInstance::filled(rect, palette.stripe));
            }
            FlowItemKind::Flow { .. } | FlowItemKind::Group { .. } => {}
        }
        rects.push(RectInstance::filled(PixelRect { y: rect.bottom() - line, height: line, ..rect }, palette.line));
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

/// The slot of the frame for a row, if one is left.
fn slot(frame: &mut Frame, area: &Area<'_>, item: &FlowItem) -> Option<usize> {
    let slot = frame.rows.len();
    if slot >= MAX_ROWS {
        return None;
    }
    frame.rows.push(area.place(item));
    Some(slot)
}

/// A row on screen whose shape has been built.
#[derive(Clone, Copy)]
struct Row<'a> {
    item: &'a FlowItem,
    slot: usize,
    shape: &'a FlowShape,
}

/// Draws line, waits and runs of a row.
fn row<'a>(
    input: &SceneInput<'_>,
    frame: &mut Frame,
    scene: FlowScene<'a>,
    area: &Area<'a>,
    item: &'a FlowItem,
) -> Option<Row<'a>> {
    let (key, flow) = match item.kind {
        FlowItemKind::Flow { flow, .. } => (ShapeKey::Flow(flow), Some(flow)),
        FlowItemKind::Group { section, name, .. } => (ShapeKey::Group(section, name), None),
    };
    let shape = scene.shapes.get(key)?;
    let slot = slot(frame, area, item)?;
    let (from, to) = ticks_in_reach(input, frame, area);
    let is_hovered = flow.is_some() && input.view.flows.hovered == flow;
    let emphasis = if is_hovered { Emphasis::Hovered } else { Emphasis::Normal };
    match &shape.boxed {
        Some(boxed) => rule_box::push(frame, boxed, slot, emphasis),
        None => frame.instances.flows.push(FlowInstance::new(shape.whole, FlowShapeKind::Line, slot, emphasis)),
    }
    // Waits are drawn behind the runs of the markers that announce them.
    for (first, end, style) in hatching::columns(shape, &frame.axis, from, to) {
        frame.instances.flows.push(FlowInstance::hatch(first, end, style, slot, emphasis));
    }
    shape.visit_tints(frame.axis.ticks_per_pixel(), from, to, |span| {
        frame.instances.flows.push(FlowInstance::new(span.packed, FlowShapeKind::Tint, slot, Emphasis::Normal));
    });
    Some(Row { item, slot, shape })
}

/// Draws the dots of a row.
fn dots(input: &SceneInput<'_>, frame: &mut Frame, area: &Area<'_>, row: &Row<'_>) {
    let (from, to) = ticks_in_reach(input, frame, area);
    row.shape.visit_dots(frame.axis.ticks_per_pixel(), from, to, |span| {
        frame.instances.flows.push(FlowInstance::new(span.packed, FlowShapeKind::Dot, row.slot, Emphasis::Normal));
    });
}

/// The ticks on screen, widened because a dot beyond the edge of the view reaches into it.
fn ticks_in_reach(input: &SceneInput<'_>, frame: &Frame, area: &Area<'_>) -> (u64, u64) {
    let reach = f64::from(DOT_REACH * input.scale);
    frame.axis.ticks(-reach, f64::from(area.rect.width) + reach)
}

/// Redraws one marker's interval on every row that contains it, even if the pyramid merged it. Dots are drawn over it.
fn highlight_interval(
    input: &SceneInput<'_>,
    frame: &mut Frame,
    rows: &[Row<'_>],
    marker: MarkerId,
    emphasis: Emphasis,
) {
    let Some(packed) = input.packed_marker(marker).filter(|packed| packed.end() > packed.start()) else { return };
    for slot in slots_of(input, rows, marker) {
        frame.instances.flows.push(FlowInstance::new(packed, FlowShapeKind::Tint, slot, emphasis));
    }
}

/// Redraws one marker's dot on every row that contains it.
fn highlight_dot(input: &SceneInput<'_>, frame: &mut Frame, rows: &[Row<'_>], marker: MarkerId, emphasis: Emphasis) {
    let Some(packed) = input.packed_marker(marker) else { return };
    let dot = Packed::new(packed.start(), packed.start(), packed.style());
    for slot in slots_of(input, rows, marker) {
        frame.instances.flows.push(FlowInstance::new(dot, FlowShapeKind::Dot, slot, emphasis));
    }
}

/// The slots of the rows on screen that show a marker: rows of its flows, and collapsed groups with one of them.
fn slots_of(input: &SceneInput<'_>, rows: &[Row<'_>], marker: MarkerId) -> Vec<usize> {
    let flows = input.index.flows().flows_of(marker);
    let sections = input.flows.map(|scene| scene.list);
    let shows = |row: &&Row<'_>| match row.item.kind {
        FlowItemKind::Flow { flow, .. } => flows.binary_search(&flow).is_ok(),
        FlowItemKind::Group { .. } => {
            let stands_for = |flow: &FlowId| sections.and_then(|list| list.main.row(*flow)) == Some(row.item);
            flows.iter().any(stands_for)
        }
    };
    rows.iter().filter(shows).map(|row| row.slot).collect()
}
