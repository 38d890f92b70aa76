//! The canvas: where overview, ruler and chart lie, and what the pointer does there. Drawing is the scene's.

use egui::{CursorIcon, Response, Role, Sense, Ui, WidgetInfo};

use super::document::Document;
use super::parts::Parts;
use crate::profile::{CounterId, FlowId, MarkerId, Ns, TimeRange};
use crate::scene::{FlowHit, FlowTarget, Hit, counter_hit, flow_track_hit, hit};
use crate::view::{Command, FlowCommand};

/// Zoom factor of one notch of the wheel, for egui's zoom of 1.
const WHEEL_POWER: f32 = 1.4;

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
    pub(super) drag: Drag,
    /// A tooltip made sticky by a click, and where it stands.
    pub sticky: Option<(crate::profile::MarkerId, egui::Pos2)>,
    /// What the tooltip says of the marker the pointer is, or was, over.
    pub(super) card: Option<(MarkerId, std::sync::Arc<super::MarkerCard>)>,
    /// What the pointer is over.
    pub hit: Option<Hit>,
    /// What of the flow panel the pointer is over.
    pub flow_hit: Option<FlowHit>,
    /// The counter the pointer is over.
    pub counter: Option<CounterId>,
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
    super::overview::overview(ui, document, state, parts, &mut commands);
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
    state.counter = response
        .hover_pos()
        .filter(|_| hovering)
        .and_then(|pointer| counter_hit(&document.scene_input(), pointer.x * scale, pointer.y * scale));
    // Tracks of flows answer like rows of the flow panel.
    let over_track = response
        .hover_pos()
        .filter(|_| hovering)
        .and_then(|pointer| flow_track_hit(&document.scene_input(), pointer.x * scale, pointer.y * scale));
    if let Some(flow) = over_track {
        state.flow_hit = Some(FlowHit::Flow { flow, target: FlowTarget::Box });
    }
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
        if let Some(flow) = over_track {
            commands.push(Command::Flow(FlowCommand::Enter(vec![flow])));
            return;
        }
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
        let selected = document.selected_card();
        let text = match selected {
            Some(card) => format!("{range}. Selected: {}", card.to_text().replace('\n', "; ")),
            None => format!("{range}. No marker selected"),
        };
        WidgetInfo::labeled(Role::GraphicsDocument, enabled, text)
    });
}
