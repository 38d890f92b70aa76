//! The canvas: where overview, ruler and chart lie, and what the pointer does there. Drawing is the scene's.

use egui::{CursorIcon, Rect, Response, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::document::Document;
use super::marker_card::MarkerCard;
use crate::profile::{FlowId, MarkerId, Ns, TimeRange};
use crate::scene::{FlowHit, FlowTarget, Hit, PixelRect, Regions, hit};
use crate::view::Command;

/// Heights in points.
const OVERVIEW_HEIGHT: f32 = 50.0;
const RULER_HEIGHT: f32 = 22.0;
/// Pointer distance in points that grabs an edge of the overview's window.
const EDGE_REACH: f32 = 7.0;
/// Zoom factor of one notch of the wheel, for egui's zoom of 1.
const WHEEL_POWER: f32 = 1.4;

/// Parts of the canvas in points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    /// Overview.
    pub overview: Rect,
    /// Ruler, right of the label column.
    pub ruler: Rect,
    /// Label column.
    pub labels: Rect,
    /// Chart.
    pub chart: Rect,
    /// Header of the flow panel; like the panel's other parts without height while it is closed.
    pub flow_header: Rect,
    /// Label column of the flow rows.
    pub flow_labels: Rect,
    /// Flow rows.
    pub flows: Rect,
    /// Label column of the pinned rows.
    pub pinned_labels: Rect,
    /// Pinned rows.
    pub pinned: Rect,
}

/// Height of the flow panel's header in points.
pub(super) const FLOW_HEADER_HEIGHT: f32 = 26.0;
/// The chart keeps at least this height in points beside the flow panel.
pub(super) const LEAST_CHART: f32 = 60.0;

/// What the flow panel wants, in points.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlowHeights {
    /// All of it, header included.
    pub panel: f32,
    /// Height of all pinned rows.
    pub pinned: f32,
    /// Whether there is nothing but pinned rows.
    pub only_pinned: bool,
}

impl Parts {
    /// Divides an area; `label_width` points go to the label column, and to the flow panel what it wants if it is open.
    #[must_use]
    pub(super) fn divide(area: Rect, label_width: f32, scale: f32, flow: Option<FlowHeights>) -> Self {
        // Edges lie on whole device pixels, so that canvas and widgets meet without a seam.
        let snap = |value: f32| (value * scale).round() / scale;
        let left = snap(area.min.x + label_width);
        let top = snap(area.min.y + OVERVIEW_HEIGHT);
        let below = snap(top + RULER_HEIGHT);
        let area =
            Rect::from_min_max(pos2(snap(area.min.x), snap(area.min.y)), pos2(snap(area.max.x), snap(area.max.y)));
        let room = (area.max.y - below - LEAST_CHART).max(0.0);
        let panel = flow.map_or(0.0, |flow| flow.panel.min(room));
        let header_top = snap(area.max.y - panel);
        let rows_top = snap((header_top + if flow.is_some() { FLOW_HEADER_HEIGHT } else { 0.0 }).min(area.max.y));
        let rows = area.max.y - rows_top;
        let pinned = flow.map_or(0.0, |flow| {
            let most = if flow.only_pinned { rows } else { rows * 0.5 };
            flow.pinned.min(most)
        });
        let pinned_top = snap(area.max.y - pinned);
        let band = |top: f32, bottom: f32| {
            let labels = Rect::from_min_max(pos2(area.min.x, top), pos2(left, bottom));
            (labels, Rect::from_min_max(pos2(left, top), pos2(area.max.x, bottom)))
        };
        let (labels, chart) = band(below, header_top);
        let (flow_labels, flows) = band(rows_top, pinned_top);
        let (pinned_labels, pinned) = band(pinned_top, area.max.y);
        Self {
            overview: Rect::from_min_max(area.min, pos2(area.max.x, top)),
            ruler: Rect::from_min_max(pos2(left, top), pos2(area.max.x, below)),
            labels,
            chart,
            flow_header: Rect::from_min_max(pos2(area.min.x, header_top), pos2(area.max.x, rows_top)),
            flow_labels,
            flows,
            pinned_labels,
            pinned,
        }
    }

    /// The same in device pixels.
    #[must_use]
    pub(super) fn regions(&self, scale: f32) -> Regions {
        let pixels = |rect: Rect| {
            let (min, max) = ((rect.min.to_vec2() * scale).round(), (rect.max.to_vec2() * scale).round());
            PixelRect::new(min.x, min.y, (max.x - min.x).max(0.0), (max.y - min.y).max(0.0))
        };
        Regions {
            overview: pixels(self.overview),
            ruler: pixels(self.ruler),
            chart: pixels(self.chart),
            flows: pixels(self.flows),
            pinned: pixels(self.pinned),
        }
    }
}

/// A drag on the canvas that is under way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Drag {
    /// None.
    #[default]
    None,
    /// Chart: the content follows the pointer, which was here before.
    Pan(egui::Pos2),
    /// Chart or ruler: selects from this time on.
    Range(Ns),
    /// Overview: moves the window; nanoseconds from its start to the pointer.
    Window(Ns),
    /// Overview: moves the window's start; its end stays.
    WindowStart(Ns),
    /// Overview: moves the window's end; its start stays.
    WindowEnd(Ns),
}

/// What the canvas needs to remember between frames.
#[derive(Clone, Debug, Default)]
pub(super) struct CanvasState {
    drag: Drag,
    /// A tooltip made sticky by a click, and where it stands.
    pub sticky: Option<(crate::profile::MarkerId, egui::Pos2)>,
    /// What the pointer is over.
    pub hit: Option<Hit>,
    /// What of the flow panel the pointer is over.
    pub flow_hit: Option<FlowHit>,
    /// The flow whose label the pointer is over.
    pub label_flow: Option<FlowId>,
}

impl CanvasState {
    /// The marker the pointer is over, in the chart or in the flow panel, and how many it stands for.
    pub(super) fn marker(&self) -> Option<(MarkerId, u32)> {
        if let Some(FlowHit::Flow { target, .. }) = self.flow_hit {
            return match target {
                FlowTarget::Dot { marker, count } => Some((marker, count)),
                FlowTarget::Interval(marker) => Some((marker, 1)),
                FlowTarget::Box | FlowTarget::Row => None,
            };
        }
        self.hit.map(|hit| (hit.marker, hit.count))
    }
}

/// Handles overview, ruler and chart.
pub(super) fn interact(ui: &mut Ui, document: &mut Document, state: &mut CanvasState, parts: &Parts) -> Vec<Command> {
    let scale = ui.ctx().pixels_per_point();
    let mut commands = Vec::new();
    overview(ui, document, state, parts, &mut commands);
    let ruler = ui.interact(parts.ruler, ui.scope_id().with("ruler"), Sense::click_and_drag());
    ruler.widget_info(|| WidgetInfo::labeled(Role::Slider, true, "Time ruler: drag to select a range"));
    select_range(document, state, &ruler, parts, scale, &mut commands);
    if ruler.clicked() {
        commands.push(Command::SelectRange(None));
    }
    chart(ui, document, state, parts, &mut commands);
    commands
}

fn time_at(document: &Document, parts: &Parts, x: f32, scale: f32) -> Ns {
    document.view.axis.time(f64::from((x - parts.chart.min.x) * scale))
}

fn select_range(
    document: &Document,
    state: &mut CanvasState,
    response: &Response,
    parts: &Parts,
    scale: f32,
    commands: &mut Vec<Command>,
) {
    let Some(pointer) = response.interact_pointer_pos() else { return };
    let time = time_at(document, parts, pointer.x, scale);
    if response.drag_started() {
        let origin = response.ctx.input(|input| input.pointer.press_origin()).unwrap_or(pointer);
        state.drag = Drag::Range(time_at(document, parts, origin.x, scale));
    }
    // On a slow frame the last movement comes together with the release.
    if let (Drag::Range(start), true) = (state.drag, response.dragged() || response.drag_stopped()) {
        commands.push(Command::SelectRange(Some(TimeRange::new(start, time))));
    }
    if response.drag_stopped() {
        state.drag = Drag::None;
    }
}

/// The chart's widget; with the keyboard focus on it, all keys are the chart's.
pub(super) fn chart_id() -> egui::Id {
    egui::Id::unique("chart")
}

fn chart(ui: &mut Ui, document: &mut Document, state: &mut CanvasState, parts: &Parts, commands: &mut Vec<Command>) {
    let scale = ui.ctx().pixels_per_point();
    let id = chart_id();
    let response = ui.interact(parts.chart, id, Sense::click_and_drag());
    if response.has_focus() {
        // Arrow keys go from marker to marker here, not from widget to widget.
        let arrows =
            egui::EventFilter { horizontal_arrows: true, vertical_arrows: true, ..egui::EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(id, arrows));
    }
    describe(ui, document, &response);
    document.pointer = response
        .hover_pos()
        .or(ui
            .ctx()
            .pointer_hover_pos()
            .filter(|pointer| [parts.ruler, parts.flows, parts.pinned].iter().any(|part| part.contains(*pointer))))
        .map(|pointer| (pointer.x * scale, pointer.y * scale));

    let hovering = response.contains_pointer() && state.drag == Drag::None;
    state.hit = response
        .hover_pos()
        .filter(|_| hovering)
        .and_then(|pointer| hit(&document.scene_input(), pointer.x * scale, pointer.y * scale));
    let hovered = state.marker().map(|(marker, _)| marker);
    if document.view.hovered != hovered {
        commands.push(Command::Hover(hovered));
    }

    if response.drag_started() {
        let shift = ui.input(|input| input.modifiers.shift);
        if !shift {
            let press = ui.input(|input| input.pointer.press_origin());
            state.drag = press.or(response.interact_pointer_pos()).map_or(Drag::None, Drag::Pan);
        }
    }
    match state.drag {
        Drag::Pan(before) => {
            // Positions, not movements: nothing is lost to the distance that makes a drag, nor to the last frame's.
            if let Some(pointer) = response.interact_pointer_pos() {
                let delta = pointer - before;
                commands.push(Command::Pan { pixels: f64::from(-delta.x * scale), animated: false });
                commands.push(Command::Scroll(f64::from(-delta.y)));
                state.drag = Drag::Pan(pointer);
            }
            ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
            if !response.dragged() {
                state.drag = Drag::None;
            }
        }
        _ => select_range(document, state, &response, parts, scale, commands),
    }
    if response.double_clicked() {
        // The first click may have opened the details, which makes the chart narrower: what it hit counts.
        let clicked = state.sticky.take().map(|(marker, _)| marker);
        commands.extend(clicked.or(hovered).map(Command::ZoomToMarker));
    } else if response.clicked_by(egui::PointerButton::Primary) {
        // Not `clicked`: Enter and Space are no clicks here.
        response.request_focus();
        commands.push(Command::Select(hovered));
        if hovered.is_none() {
            commands.push(Command::SelectRange(None));
        }
        state.sticky = hovered.zip(response.interact_pointer_pos());
    }
    if response.contains_pointer() || ui.rect_contains_pointer(parts.ruler) {
        wheel(ui, parts.chart.min.x, Command::Scroll, commands);
    } else if ui.rect_contains_pointer(parts.labels) {
        let scroll = ui.input(|input| input.smooth_scroll_delta.y);
        commands.extend((scroll != 0.0).then(|| Command::Scroll(f64::from(-scroll))));
    }
}

/// The wheel over a part of the canvas whose axis begins at `left`: zoom, pan, and what scrolls its rows.
pub(super) fn wheel(ui: &Ui, left: f32, vertical: impl Fn(f64) -> Command, commands: &mut Vec<Command>) {
    let scale = ui.ctx().pixels_per_point();
    let (zoom, scroll) = ui.input(|input| (input.zoom_delta(), input.smooth_scroll_delta));
    let Some(pointer) = ui.ctx().pointer_hover_pos() else { return };
    if zoom != 1.0 {
        let pixel = f64::from((pointer.x - left) * scale);
        commands.push(Command::Zoom { pixel, factor: f64::from(zoom.powf(WHEEL_POWER)), animated: false });
    }
    if scroll.x != 0.0 {
        commands.push(Command::Pan { pixels: f64::from(-scroll.x * scale), animated: false });
    }
    if scroll.y != 0.0 {
        commands.push(vertical(f64::from(-scroll.y)));
    }
}

/// What a screen reader says of the chart: its range, and the selected marker in full.
fn describe(ui: &Ui, document: &Document, response: &Response) {
    let enabled = ui.is_enabled();
    response.widget_info(|| {
        let visible = document.view.axis.visible();
        let profile = document.index.profile();
        let range = format!(
            "Timeline from {} to {}",
            super::marker_card::time_text(profile.displayed(visible.start)),
            super::marker_card::time_text(profile.displayed(visible.end)),
        );
        let selected = document.view.selected.and_then(|marker| MarkerCard::new(&document.index, marker));
        let text = match selected {
            Some(card) => format!("{range}. Selected: {}", card.to_text().replace('\n', "; ")),
            None => format!("{range}. No marker selected"),
        };
        WidgetInfo::labeled(Role::GraphicsDocument, enabled, text)
    });
}

/// A time at a horizontal place of the overview.
#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "screen coordinates")]
fn overview_time(document: &Document, rect: Rect, x: f32) -> Ns {
    let extent = document.index.extent();
    let part = f64::from(((x - rect.min.x) / rect.width().max(1.0)).clamp(0.0, 1.0));
    extent.start + Ns((part * extent.len() as f64) as i64)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "screen coordinates")]
fn overview_x(document: &Document, rect: Rect, time: Ns) -> f32 {
    let extent = document.index.extent();
    let part = (time - extent.start).0 as f64 / extent.len().max(1) as f64;
    rect.min.x + (part as f32 * rect.width())
}

fn overview(ui: &mut Ui, document: &Document, state: &mut CanvasState, parts: &Parts, commands: &mut Vec<Command>) {
    let rect = parts.overview;
    let response = ui.interact(rect, ui.scope_id().with("overview"), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Overview of the whole recording"));
    let visible = document.view.axis.visible();
    let (left, right) = (overview_x(document, rect, visible.start), overview_x(document, rect, visible.end));
    let (near_left, near_right) = match response.hover_pos() {
        Some(pointer) => ((pointer.x - left).abs() < EDGE_REACH, (pointer.x - right).abs() < EDGE_REACH),
        None => (false, false),
    };
    if near_left || near_right {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    let Some(pointer) = response.interact_pointer_pos() else { return };
    let time = overview_time(document, rect, pointer.x);
    if response.drag_started() {
        let press = ui.input(|input| input.pointer.press_origin()).unwrap_or(pointer);
        let press_time = overview_time(document, rect, press.x);
        let (at_left, at_right) = ((press.x - left).abs() < EDGE_REACH, (press.x - right).abs() < EDGE_REACH);
        state.drag = if at_right && (!at_left || press.x >= right) {
            Drag::WindowEnd(visible.start)
        } else if at_left {
            Drag::WindowStart(visible.end)
        } else if press.x > left && press.x < right {
            Drag::Window(press_time - visible.start)
        } else {
            Drag::WindowEnd(press_time)
        };
    }
    if response.dragged() || response.drag_stopped() {
        let shown = match state.drag {
            Drag::Window(grip) => {
                let start = time - grip;
                Some(TimeRange { start, end: start + Ns(visible.len()) })
            }
            Drag::WindowStart(fixed) | Drag::WindowEnd(fixed) => Some(TimeRange::new(fixed, time)),
            _ => None,
        };
        commands.extend(shown.filter(|range| !range.is_empty()).map(Command::Show));
    } else if response.clicked() {
        let half = Ns(visible.len() / 2);
        commands.push(Command::Show(TimeRange { start: time - half, end: time + half }));
    }
    if response.drag_stopped() {
        state.drag = Drag::None;
    }
}

/// Shows the links back to earlier views over the overview.
pub(super) fn breadcrumbs(ui: &mut Ui, document: &Document, parts: &Parts) -> Option<Command> {
    let text = |range: TimeRange| crate::profile::quantity::format_duration_ns(range.len());
    let area = Rect::from_min_size(parts.overview.min + vec2(6.0, 2.0), vec2(parts.overview.width() - 12.0, 18.0));
    let mut child =
        ui.new_child(egui::UiBuilder::new().max_rect(area).layout(egui::Layout::left_to_right(egui::Align::Center)));
    child.spacing_mut().item_spacing.x = 3.0;
    let mut command = None;
    let crumbs = &document.view.breadcrumbs;
    for (number, range) in crumbs.iter().enumerate() {
        let label = if number == 0 { format!("Full range {}", text(*range)) } else { text(*range) };
        let button = egui::Button::new(egui::RichText::new(label).small()).frame(false);
        if child.add(button).on_hover_text("Back to this range").clicked() {
            command = Some(Command::Breadcrumb(number));
        }
        child.label(egui::RichText::new("›").small().weak());
    }
    let visible = document.view.axis.visible();
    let shown =
        TimeRange::new(visible.start.max(document.index.extent().start), visible.end.min(document.index.extent().end));
    child.label(egui::RichText::new(text(shown)).small());
    command
}
