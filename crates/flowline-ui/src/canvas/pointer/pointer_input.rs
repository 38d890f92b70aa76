//! Pointer input over the canvas: chart, ruler, overview and flow rows, at their positions in the last frame. It is
//! handled before the view is laid out, so a drag or a turn of the wheel shows in the same frame.

use egui::{Context, CursorIcon, PointerButton, Pos2, Rect, Response};

use crate::canvas::layout::{CanvasLayout, CanvasWidget, FlowArea, is_over};
use crate::canvas::pointer::{box_selection, measure};
use crate::canvas::splitters::dragged;
use crate::canvas::state::{CanvasState, ClickTarget, Drag};
use crate::canvas::{overview, path_strip, scroll_bar};
use flowline_profile::{Ns, ThreadId, TimeRange};
use flowline_scene::{FlowHit, FlowTarget, PointerHits, counter_time, track_kind};
use flowline_session::{HoverSource, Session, with_margin};
use flowline_view::{Command, FlowCommand, FlowLaneCommand, Pane, QUERY_TRACKS};

/// Zoom factor of one notch of the wheel, for egui's zoom of 1.
const WHEEL_POWER: f32 = 1.4;

/// Applies this frame's pointer input to the session.
pub(crate) fn handle(context: &Context, session: &mut Session, state: &mut CanvasState) {
    let scale = session.canvas.scale;
    let layout = CanvasLayout::new(&session.canvas.regions, scale);
    let (pane, mut commands) = (session.canvas.pane, Vec::new());
    if let Some(response) = CanvasWidget::Overview.of(pane).response(context) {
        overview::handle(session, state, &response, layout.overview, &mut commands);
    }
    if let Some(response) = CanvasWidget::Ruler.of(pane).response(context) {
        select_range(session, state, &response, &layout, &mut commands);
        if response.drag_started() {
            session.range_thread = None;
        }
        if response.clicked() {
            commands.push(Command::SelectRange(None));
        }
    }
    if let Some(response) = CanvasWidget::Chart.of(pane).response(context) {
        chart(session, state, &response, &layout, &mut commands);
        if response.drag_started() {
            let origin = context.input(|input| input.pointer.press_origin());
            session.range_thread = origin.and_then(|place| thread_at(session, &layout, place));
        }
    }
    if let Some(response) = CanvasWidget::PathStrip.of(pane).response(context) {
        path_strip::handle(session, state, &response, &mut commands);
    }
    for area in FlowArea::BOTH {
        if let Some(response) = CanvasWidget::flow_rows(area).of(pane).response(context) {
            flow_rows(session, &response, area, &mut commands);
        }
    }
    take_focus(context, pane);
    scroll_bar::handle(context, session, state, &layout, &mut commands);
    wheel(context, &layout, scale, &mut commands);
    commands.into_iter().for_each(|command| session.apply(command));
    point(context, session, state, &layout);
}

/// Moves the keyboard focus to the chart when a drag or a click begins on the canvas, so that a table does not take
/// keys meant for the new selection.
fn take_focus(context: &Context, pane: Pane) {
    let rows = FlowArea::BOTH.map(CanvasWidget::flow_rows);
    let parts = [CanvasWidget::Overview, CanvasWidget::Ruler, CanvasWidget::Chart, CanvasWidget::PathStrip]
        .into_iter()
        .chain(rows);
    let mut responses = parts.filter_map(|part| part.of(pane).response(context));
    if responses.any(|response| response.drag_started() || response.clicked_by(PointerButton::Primary)) {
        context.memory_mut(|memory| memory.request_focus(CanvasWidget::Chart.of(pane).id()));
    }
}

/// Sets the session's pointer position and its hover state.
fn point(context: &Context, session: &mut Session, state: &CanvasState, layout: &CanvasLayout) {
    let pointer = context.pointer_hover_pos();
    let timed = [layout.chart, layout.ruler, layout.lane, layout.path, layout.flows, layout.pinned, layout.overview];
    let hoverable = [layout.chart, layout.path, layout.flows, layout.pinned, layout.flow_labels, layout.pinned_labels];
    let over = |part: &Rect| part.height() >= 1.0 && is_over(context, *part);
    let hovers = state.drag == Drag::None && hoverable.iter().any(over);
    let is_timed = pointer.is_some_and(|pointer| timed.iter().any(|part| part.contains(pointer)));
    session.hovering = if hovers { HoverSource::Pointer } else { HoverSource::Nothing };
    let pixels = |pointer: Pos2| (pointer.x * session.canvas.scale, pointer.y * session.canvas.scale);
    let at = pointer.map(pixels).filter(|_| hovers || is_timed);
    session.canvas.pointer = at;
    session.canvas.shows_ruler = context.input(|input| input.modifiers == egui::Modifiers::SHIFT);
    let chart = session.canvas.regions.chart;
    if let Some((x, _)) = at.filter(|(x, _)| *x >= chart.x && *x <= chart.right()) {
        session.view.held.set_anchor(f64::from(x - chart.x));
    }
}

/// The objects drawn at a position of the canvas.
fn hits_at(session: &Session, place: Pos2) -> PointerHits {
    let scale = session.canvas.scale;
    session.scene_input().hits(place.x * scale, place.y * scale)
}

/// The thread whose heading or row is at a position of the canvas.
fn thread_at(session: &Session, layout: &CanvasLayout, place: Pos2) -> Option<ThreadId> {
    let y = f64::from(place.y - layout.chart.min.y) + session.view.scroll;
    session.scene_input().owners(&session.list().at(y)?.kind).0
}

fn time_at(session: &Session, layout: &CanvasLayout, x: f32) -> Ns {
    session.view.axis.time(f64::from((x - layout.chart.min.x) * session.canvas.scale))
}

fn select_range(
    session: &Session,
    state: &mut CanvasState,
    response: &Response,
    layout: &CanvasLayout,
    commands: &mut Vec<Command>,
) {
    let Some(pointer) = response.interact_pointer_pos() else { return };
    let time = time_at(session, layout, pointer.x);
    if response.drag_started() {
        let origin = response.ctx.input(|input| input.pointer.press_origin()).unwrap_or(pointer);
        state.drag = Drag::Range(time_at(session, layout, origin.x));
        state.range_before = session.view.range;
    }
    // In a slow frame, the last movement and the release arrive together.
    if let (Drag::Range(start), true) = (state.drag, response.dragged() || response.drag_stopped()) {
        commands.push(Command::SelectRange(Some(TimeRange::new(start, time))));
    }
    if response.drag_stopped() {
        state.drag = Drag::None;
    }
}

/// Ends a selecting drag and restores the earlier selection; `None` if there is no such drag.
pub(crate) fn cancel_selection(state: &mut CanvasState) -> Option<Command> {
    let command = match state.drag {
        Drag::Range(_) => Command::SelectRange(state.range_before.take()),
        Drag::Box => state.boxed.take().map(|drag| Command::SelectBox(drag.range, drag.rows))?,
        _ => return None,
    };
    state.drag = Drag::None;
    Some(command)
}

/// Starts the drag on the chart that matches position and modifiers: it moves an edge of the measuring tool, selects a
/// box, or pans. With Shift it selects a range.
fn start_drag(session: &Session, state: &mut CanvasState, response: &Response, layout: &CanvasLayout) {
    let (press, modifiers) = response.ctx.input(|input| (input.pointer.press_origin(), input.modifiers));
    let Some(press) = press.or(response.interact_pointer_pos()) else { return };
    if let Some(edge) = measure::edge_at(session, layout, press) {
        state.drag = Drag::Measure(edge);
    } else if modifiers.alt || state.box_mode {
        state.boxed = Some(box_selection::start(&response.ctx, session, layout, press));
        state.drag = Drag::Box;
    } else if !modifiers.shift {
        state.drag = Drag::Pan(press);
    }
}

fn chart(
    session: &Session,
    state: &mut CanvasState,
    response: &Response,
    layout: &CanvasLayout,
    commands: &mut Vec<Command>,
) {
    let context = &response.ctx;
    if response.drag_started() {
        start_drag(session, state, response, layout);
    }
    let over = response.hover_pos().filter(|_| state.drag == Drag::None);
    if over.is_some_and(|place| measure::edge_at(session, layout, place).is_some()) {
        context.set_cursor_icon(CursorIcon::ResizeHorizontal);
    } else if over.is_some() && (state.box_mode || context.input(|input| input.modifiers.alt)) {
        context.set_cursor_icon(CursorIcon::Crosshair);
    }
    match state.drag {
        Drag::Box => commands.extend(box_selection::follow(session, state, response, layout)),
        Drag::Measure(edge) => commands.extend(measure::follow(session, state, response, layout, edge)),
        Drag::Pan(before) => {
            // Positions instead of deltas: they include the distance before the drag started and the last movement.
            if let Some(pointer) = response.interact_pointer_pos() {
                let delta = pointer - before;
                let pixels = f64::from(-delta.x * session.canvas.scale);
                commands.push(Command::Pan { pixels, animated: false });
                commands.push(Command::Scroll(f64::from(-delta.y)));
                state.drag = Drag::Pan(pointer);
            }
            context.set_cursor_icon(CursorIcon::Grabbing);
            if !response.dragged() {
                state.drag = Drag::None;
            }
        }
        _ => select_range(session, state, response, layout, commands),
    }
    let place = response.interact_pointer_pos().or(response.hover_pos());
    let hits = || place.map(|place| hits_at(session, place)).unwrap_or_default();
    if response.double_clicked() {
        // The first click may have opened the details and narrowed the chart, so its marker counts.
        let clicked = state.clicked.take();
        let hits = hits();
        if let Some(range) = lane_range(session, &hits).filter(|_| clicked.is_none()) {
            commands.push(Command::ZoomTo(range));
            return;
        }
        if let Some(range) = entry_range(session, &hits).filter(|_| clicked.is_none()) {
            commands.push(Command::ZoomTo(with_margin(range)));
            return;
        }
        let marker = || hits.marker().map(|(marker, _)| ClickTarget::Marker(marker));
        let call = || Some(ClickTarget::Call(session.call_at(hits.call?.call)?));
        commands.extend(clicked.or_else(marker).or_else(call).map(|target| match target {
            ClickTarget::Marker(marker) => Command::ZoomToMarker(marker),
            ClickTarget::Call(call) => Command::ZoomToCall(call),
        }));
    } else if response.clicked_by(PointerButton::Primary) {
        // `clicked` would include Enter and Space.
        let hits = hits();
        if let Some(command) = lane_click(session, &hits) {
            commands.push(command);
            state.clicked = hits.marker().map(|(marker, _)| ClickTarget::Marker(marker));
            return;
        }
        // Flow tracks react like rows of the flow panel.
        if let Some(flow) = hits.flow() {
            commands.push(Command::Flow(FlowCommand::Enter(vec![flow])));
            return;
        }
        if let Some(call) = hits.call {
            let call = session.call_at(call.call);
            commands.push(Command::SelectCall(call));
            state.clicked = call.map(ClickTarget::Call);
            return;
        }
        if let Some((counter, place)) = hits.counter.zip(place) {
            let time = counter_time(&session.scene_input(), (place.x * session.canvas.scale).floor());
            commands.extend([Command::SelectCounter(counter, time), Command::SelectRange(None), Command::ClearRows]);
            state.clicked = None;
            return;
        }
        if let Some(range) = entry_range(session, &hits) {
            commands.extend([Command::Select(None), Command::SelectRange(Some(range)), Command::ClearRows]);
            state.clicked = None;
            return;
        }
        let marker = hits.marker().map(|(marker, _)| marker);
        commands.push(Command::Select(marker));
        if marker.is_none() {
            commands.extend([Command::SelectRange(None), Command::ClearRows]);
        }
        state.clicked = marker.map(ClickTarget::Marker);
    }
}

/// The command for a click on a flow lane: it activates the flow and selects the marker at the pointer, else the marker
/// that ends the wait there, else the first of the flow.
fn lane_click(session: &Session, hits: &PointerHits) -> Option<Command> {
    let Some(FlowHit::Flow { flow, target }) = hits.flow.filter(|_| session.view.flow_lanes.shown) else { return None };
    let marker = match target {
        FlowTarget::Wait { marker, .. } => Some(marker),
        _ => hits.marker().map(|(marker, _)| marker),
    };
    let marker = marker.or_else(|| session.index.flows().members(flow).first().copied())?;
    Some(Command::FlowLane(FlowLaneCommand::Select(flow, marker)))
}

/// The range of an entry without a marker.
fn entry_range(session: &Session, hits: &PointerHits) -> Option<TimeRange> {
    let hit = hits.entry.filter(|_| hits.chart.is_none())?;
    let of_kind = || Some(track_kind(hit.kind)?.entry_card(&session.index, hit.track, hit.entry)?.times);
    let of_query = || Some(session.index.query_track(hit.track)?.entry(hit.entry)?.times());
    let times = if hit.kind == QUERY_TRACKS { of_query() } else { of_kind() }?;
    Some(times).filter(|times| !times.is_empty())
}

/// The time range of the flow whose lane was clicked outside its markers.
fn lane_range(session: &Session, hits: &PointerHits) -> Option<TimeRange> {
    let flow = hits.flow().filter(|_| session.view.flow_lanes.shown && hits.marker().is_none())?;
    Some(with_margin(session.index.flows().range(session.index.profile(), flow)))
}

fn scroll_command(area: FlowArea, points: f64) -> Command {
    Command::Flow(match area {
        FlowArea::Main => FlowCommand::Scroll(points),
        FlowArea::Pinned => FlowCommand::ScrollPinned(points),
    })
}

/// Handles clicks and drags on flow rows.
fn flow_rows(session: &Session, response: &Response, area: FlowArea, commands: &mut Vec<Command>) {
    if response.dragged() || response.drag_stopped() {
        let delta = dragged(response);
        commands.push(Command::Pan { pixels: f64::from(-delta.x * session.canvas.scale), animated: false });
        commands.push(scroll_command(area, f64::from(-delta.y)));
    }
    let double = response.double_clicked();
    if !double && !response.clicked_by(PointerButton::Primary) {
        return;
    }
    let place = response.interact_pointer_pos().or(response.hover_pos());
    let hit = place.and_then(|place| hits_at(session, place).flow);
    match hit {
        Some(FlowHit::Flow { flow, .. }) if double => {
            let range = session.index.flows().range(session.index.profile(), flow);
            commands.push(Command::ZoomTo(with_margin(range)));
        }
        Some(FlowHit::Flow { flow, target }) => match target {
            FlowTarget::Dot { marker, .. }
            | FlowTarget::Interval(marker)
            | FlowTarget::Run { marker, .. }
            | FlowTarget::Wait { marker, .. } => {
                commands.push(Command::Flow(FlowCommand::Choose(flow)));
                commands.push(Command::Reveal(marker));
            }
            FlowTarget::Box | FlowTarget::Row => commands.push(Command::Flow(FlowCommand::Enter(vec![flow]))),
        },
        Some(FlowHit::Group(section, name)) if !double => {
            commands.push(Command::Flow(FlowCommand::ToggleGroup(section, name)));
        }
        Some(FlowHit::Group(..)) | None => {}
    }
}

/// Handles the wheel: zoom and pan over regions with the time axis, and scrolling of the rows under the pointer.
fn wheel(context: &Context, layout: &CanvasLayout, scale: f32, commands: &mut Vec<Command>) {
    let (zoom, scroll) = context.input(|input| (input.zoom_delta(), input.smooth_scroll_delta));
    if zoom == 1.0 && scroll == egui::Vec2::ZERO {
        return;
    }
    let Some(pointer) = context.pointer_hover_pos() else { return };
    let over = |part: Rect| part.height() >= 1.0 && is_over(context, part);
    let around_chart =
        [layout.chart, layout.ruler, layout.lane, layout.lane_label, layout.labels, layout.path, layout.path_label];
    let rows: fn(f64) -> Command = if around_chart.into_iter().any(over) {
        Command::Scroll
    } else if over(layout.flows) || over(layout.flow_labels) {
        |points| scroll_command(FlowArea::Main, points)
    } else if over(layout.pinned) || over(layout.pinned_labels) {
        |points| scroll_command(FlowArea::Pinned, points)
    } else if let Some(rows) = scroll_bar::scrolled(context, layout) {
        rows
    } else {
        return;
    };
    let has_axis = pointer.x >= layout.chart.min.x && pointer.x <= layout.chart.max.x;
    if has_axis && zoom != 1.0 {
        let pixel = f64::from((pointer.x - layout.chart.min.x) * scale);
        commands.push(Command::Zoom { pixel, factor: f64::from(zoom.powf(WHEEL_POWER)), animated: false });
    }
    if has_axis && scroll.x != 0.0 {
        commands.push(Command::Pan { pixels: f64::from(-scroll.x * scale), animated: false });
    }
    if scroll.y != 0.0 {
        commands.push(rows(f64::from(-scroll.y)));
    }
}
