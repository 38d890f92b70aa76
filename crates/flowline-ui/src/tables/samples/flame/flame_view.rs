//! The flame graph: the call tree as boxes, with callers below their callees.

use std::sync::Arc;

use egui::{Key, Mesh, Rangef, Rect, Role, Sense, Shape, Ui, pos2, vec2};

use super::flame_graph::FlameGraph;
use crate::tables::samples::function_tree::{FunctionTree, path};
use crate::tables::samples::row;
use crate::tables::samples::sample_result::SampleResult;
use crate::tables::samples::sample_view::{SampleView, samples_id};
use crate::tables::samples::state::SampleTrees;
use crate::tables::samples::transforms::{self, TransformKind};
use crate::widgets::style::color;
use crate::widgets::table::{self, Body, ColumnKind};
use flowline_index::samples::flame::FlameBox;
use flowline_index::samples::{CallTree, NodeId};
use flowline_profile::Profile;
use flowline_scene::{Palette, with_alpha};
use flowline_session::Session;

/// Height of a box in points.
const HEIGHT: f32 = 17.0;
/// Minimum width of a labeled box in points.
const LABELLED: f32 = 24.0;
/// Shows the graph.
pub(crate) fn show(ui: &mut Ui, session: &Session, state: &mut SampleTrees, palette: &Palette) {
    let profile = session.index.profile();
    let Some(built) = &state.built else { return };
    let graph = &mut state.flame;
    let pass = ui.ctx().cumulative_pass_nr();
    let is_new = graph.pass.replace(pass).is_none_or(|before| before + 1 < pass);
    let mut body = Body::new(ui, samples_id(SampleView::Flame), Role::Tree, || {
        "Flame graph, arrow keys move, Enter zooms to a box, Backspace resets the zoom".to_owned()
    });
    let area = body.ui.available_rect_before_wrap();
    graph.update(profile, built, area.width());
    let response = body.ui.interact(area, samples_id(SampleView::Flame).with("boxes"), Sense::click_and_drag());
    let focused = body.focused;
    if focused {
        keys(&body.ui, profile, built, graph);
    }
    let rows = area.height() / HEIGHT;
    #[expect(clippy::cast_precision_loss, reason = "boxes")]
    let most = (graph.depth() as f32 - rows + 0.5).max(0.0);
    navigate(&body.ui, &response, area, graph);
    if let Some(depth) = graph.selected.filter(|_| focused).map(|node| depth(built, node)) {
        // In an area lower than a row, the minimum could exceed the maximum.
        let most = depth.max(0.0);
        graph.below = graph.below.clamp((depth - rows + 1.5).clamp(0.0, most), most);
    }
    graph.below = graph.below.clamp(0.0, most);
    graph.update(profile, built, area.width());
    let hovered = response.hover_pos().and_then(|pointer| hit(graph, area, pointer)).copied();
    if response.clicked() || response.secondary_clicked() {
        graph.selected = hovered.map(|found| found.node);
    }
    if response.double_clicked()
        && let Some(found) = hovered
    {
        graph.zoom_to(found.span);
        graph.update(profile, built, area.width());
    }
    paint(&mut body.ui, profile, built, graph, area, hovered, palette);
    if let Some(found) = hovered.filter(|_| !response.dragged()) {
        response.clone().on_hover_ui_at_pointer(|ui| tooltip(ui, profile, built, found.node));
    }
    let mut chosen = None;
    response.context_menu(|ui| {
        let Some(node) = graph.selected else { return };
        let path = path(&built.tree, node);
        let offers = |kind: TransformKind| {
            kind.of((profile, &built.tree), &path, node, false, built.request.implementation).is_some()
        };
        chosen = transforms::entries(ui, offers);
        row::copy_entries(ui, profile, built.tree.nodes.func[node as usize]);
    });
    let kind = if focused { chosen.or_else(|| transforms::pressed(&body.ui)) } else { chosen };
    let transform = kind.zip(graph.selected).and_then(|(kind, node)| {
        let path = path(&built.tree, node);
        kind.of((profile, &built.tree), &path, node, false, built.request.implementation)
    });
    if let Some(node) = graph.selected {
        let id = samples_id(SampleView::Flame).with("selected");
        let place = Rect::from_min_size(area.min, vec2(1.0, 1.0));
        let selected = body.ui.interact(place, id, Sense::hover());
        let costs = built.tree.costs(node);
        let cells = row::node_cells(profile, built, node, costs);
        let sentence = || row::sentence(built, &cells, costs);
        table::announce_row(&body.ui, &selected, Role::TreeItem, true, (0, 1), sentence);
        body.announce_cursor(id);
    }
    let lit = hovered.map(|found| found.node).or(graph.selected.filter(|_| focused));
    state.lit = lit.map(|node| built.tree.nodes.func[node as usize]).into_iter().collect();
    body.finish(response.clicked() || is_new);
    if let Some(transform) = transform {
        state.trail.add(transform);
        ui.ctx().request_repaint();
    }
}

#[expect(clippy::cast_precision_loss, reason = "a depth")]
fn depth(built: &SampleResult, node: NodeId) -> f32 {
    built.tree.nodes.walk(node).count() as f32 - 1.0
}

/// The box at a point.
fn hit(graph: &FlameGraph, area: Rect, pointer: egui::Pos2) -> Option<&FlameBox> {
    let part = f64::from((pointer.x - area.min.x) / area.width());
    let x = graph.zoom[0] + part * (graph.zoom[1] - graph.zoom[0]);
    let row = (area.max.y - pointer.y) / HEIGHT + graph.below;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "boxes on screen")]
    let depth = row.max(0.0) as u32;
    graph.at(depth, x)
}

/// Handles wheel and drag: Ctrl+wheel zooms at the pointer, other input scrolls.
fn navigate(ui: &Ui, response: &egui::Response, area: Rect, graph: &mut FlameGraph) {
    let span = graph.zoom[1] - graph.zoom[0];
    let per_point = span / f64::from(area.width().max(1.0));
    let drag = response.drag_delta();
    let (mut dx, mut dy) = (f64::from(drag.x), drag.y);
    if let Some(pointer) = response.hover_pos() {
        let (wheel, zoom) = ui.input(|input| (input.smooth_scroll_delta, input.zoom_delta()));
        (dx, dy) = (dx + f64::from(wheel.x), dy + wheel.y);
        if (zoom - 1.0).abs() > f32::EPSILON {
            let at = graph.zoom[0] + f64::from(pointer.x - area.min.x) * per_point;
            let zoom = f64::from(zoom);
            graph.zoom_to([at - (at - graph.zoom[0]) / zoom, at + (graph.zoom[1] - at) / zoom]);
            return;
        }
    }
    if dx != 0.0 {
        graph.zoom_to([graph.zoom[0] - dx * per_point, graph.zoom[1] - dx * per_point]);
    }
    graph.below += dy / HEIGHT;
}

/// Handles keys: arrow keys move the selection, Enter zooms to it, Backspace resets the zoom.
fn keys(ui: &Ui, profile: &Profile, built: &SampleResult, graph: &mut FlameGraph) {
    let mut tree = Arc::clone(&built.tree);
    let by_name = |mut nodes: Vec<NodeId>| {
        nodes.sort_by_key(|node| row::node_name(profile, built, *node));
        nodes
    };
    let heaviest = |tree: &mut Arc<CallTree>, node| FunctionTree::children(tree, node).first().copied();
    for _ in 0..table::key(ui, Key::ArrowUp) {
        graph.selected = heaviest(&mut tree, graph.selected).or(graph.selected);
    }
    for _ in 0..table::key(ui, Key::ArrowDown) {
        graph.selected = graph.selected.and_then(|node| built.tree.nodes.parent(node)).or(graph.selected);
    }
    for (key, step) in [(Key::ArrowLeft, -1), (Key::ArrowRight, 1)] {
        for _ in 0..table::key(ui, key) {
            let Some(node) = graph.selected else { continue };
            let siblings = by_name(FunctionTree::children(&mut tree, built.tree.nodes.parent(node)));
            let at = siblings.iter().position(|other| *other == node).unwrap_or(0);
            graph.selected = siblings.get(at.saturating_add_signed(step)).copied().or(Some(node));
        }
    }
    if table::key(ui, Key::H) > 0 {
        while let Some(child) = heaviest(&mut tree, graph.selected) {
            graph.selected = Some(child);
        }
    }
    if table::key(ui, Key::Enter) > 0
        && let Some(span) = graph.selected.and_then(|node| graph.span_of(profile, built, node))
    {
        graph.zoom_to(span);
    }
    if table::key(ui, Key::Backspace) > 0 {
        graph.zoom = [0.0, 1.0];
    }
}

fn paint(
    ui: &mut Ui,
    profile: &Profile,
    built: &SampleResult,
    graph: &FlameGraph,
    area: Rect,
    hovered: Option<FlameBox>,
    palette: &Palette,
) {
    let painter = ui.painter().with_clip_rect(area.intersect(ui.clip_rect()));
    let span = graph.zoom[1] - graph.zoom[0];
    #[expect(clippy::cast_possible_truncation, reason = "points")]
    let x = |part: f64| area.min.x + ((part - graph.zoom[0]) / span * f64::from(area.width())) as f32;
    let mut mesh = Mesh::default();
    let mut labels = Vec::new();
    for shown in &graph.boxes {
        #[expect(clippy::cast_precision_loss, reason = "boxes")]
        let bottom = area.max.y - (shown.depth as f32 - graph.below) * HEIGHT;
        if bottom < area.min.y || bottom - HEIGHT > area.max.y {
            continue;
        }
        let (left, right) = (x(shown.span[0]).max(area.min.x - 2.0), x(shown.span[1]).min(area.max.x + 2.0));
        let gap = if right - left > 3.0 { 1.0 } else { 0.0 };
        let rect = Rect::from_min_max(pos2(left, bottom - HEIGHT + 1.0), pos2((right - gap).max(left + 1.0), bottom));
        let mut fill = row::fill(profile, built, shown.node, palette);
        if shown.is_narrow {
            fill = with_alpha(fill, 150);
        }
        mesh.add_colored_rect(rect, color(fill));
        if right - left >= LABELLED {
            labels.push((rect, shown.node, palette.label_on_fill(fill)));
        }
    }
    painter.add(Shape::mesh(mesh));
    let outline = |node: NodeId, width: f32, tint| {
        for shown in graph.boxes.iter().filter(|shown| shown.node == node) {
            #[expect(clippy::cast_precision_loss, reason = "boxes")]
            let bottom = area.max.y - (shown.depth as f32 - graph.below) * HEIGHT;
            let rect =
                Rect::from_min_max(pos2(x(shown.span[0]), bottom - HEIGHT + 1.0), pos2(x(shown.span[1]), bottom));
            painter.rect_stroke(rect, 0.0, (width, color(tint)), egui::StrokeKind::Inside);
        }
    };
    let clipped = {
        let mut child = ui.new_child(egui::UiBuilder::new().max_rect(area));
        child.shrink_clip_rect(area);
        child
    };
    for (rect, node, tint) in labels {
        let span = Rangef::new(rect.min.x.max(area.min.x) + 3.0, rect.max.x.min(area.max.x) - 2.0);
        let name = row::node_name(profile, built, node);
        table::cell(&clipped, rect, span, ColumnKind::Text, name, tint);
    }
    if let Some(found) = hovered {
        outline(found.node, 1.0, palette.text);
    }
    if let Some(node) = graph.selected {
        outline(node, 2.0, palette.select);
    }
}

/// Tooltip of a box.
fn tooltip(ui: &mut Ui, profile: &Profile, built: &SampleResult, node: NodeId) {
    let costs = built.tree.costs(node);
    let cells = row::node_cells(profile, built, node, costs);
    let [_, share, _, _, name, place] = cells.each_ref().map(table::Cell::shown);
    let [total, own] = row::costs_with_units(built, costs);
    let other = row::other_text(built, &cells);
    ui.strong(name.as_ref());
    if !place.is_empty() {
        ui.weak(place.as_ref());
    }
    let own = if own.is_empty() { "0" } else { own.as_str() };
    let other = if other.is_empty() { String::new() } else { format!(", {other}") };
    ui.label(format!("{total} ({share} %), self {own}{other}"));
    let category = built.tree.nodes.category[node as usize];
    let known = profile.categories.get(usize::from(category[0]));
    if let Some(known) = known {
        let sub = known.subcategories.get(usize::from(category[1])).filter(|sub| *sub != "Other");
        ui.weak(sub.map_or_else(|| known.name.clone(), |sub| format!("{}: {sub}", known.name)));
    }
}
