//! The overview: the visible window, which can be dragged and resized.

use egui::{CursorIcon, Rect, Response};

use crate::canvas::state::{CanvasState, Drag};
use flowline_profile::{Ns, TimeRange};
use flowline_session::Session;
use flowline_view::Command;

/// Distance in points within which the pointer grabs an edge of the visible window.
const EDGE_REACH: f32 = 7.0;

/// The time at horizontal position `x` of the overview.
#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "screen coordinates")]
pub(crate) fn overview_time(session: &Session, rect: Rect, x: f32) -> Ns {
    let extent = session.scope().overview(&session.index);
    let part = f64::from(((x - rect.min.x) / rect.width().max(1.0)).clamp(0.0, 1.0));
    extent.start + Ns((part * extent.len() as f64) as i64)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "screen coordinates")]
pub(crate) fn overview_x(session: &Session, rect: Rect, time: Ns) -> f32 {
    let extent = session.scope().overview(&session.index);
    let part = (time - extent.start).0 as f64 / extent.len().max(1) as f64;
    rect.min.x + (part as f32 * rect.width())
}

/// True if the window covers the whole overview. It cannot move then, so a drag between its edges selects.
fn shows_all(rect: Rect, left: f32, right: f32) -> bool {
    left <= rect.min.x + 1.0 && right >= rect.max.x - 2.0
}

/// Handles this frame's pointer input over the overview at `rect`.
pub(crate) fn handle(
    session: &Session,
    state: &mut CanvasState,
    response: &Response,
    rect: Rect,
    commands: &mut Vec<Command>,
) {
    let context = &response.ctx;
    let visible = session.view.axis.visible();
    let (left, right) = (overview_x(session, rect, visible.start), overview_x(session, rect, visible.end));
    let (near_left, near_right) = match response.hover_pos() {
        Some(pointer) => ((pointer.x - left).abs() < EDGE_REACH, (pointer.x - right).abs() < EDGE_REACH),
        None => (false, false),
    };
    if near_left || near_right {
        context.set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    let Some(pointer) = response.interact_pointer_pos() else { return };
    let time = overview_time(session, rect, pointer.x);
    if response.drag_started() {
        let press = context.input(|input| input.pointer.press_origin()).unwrap_or(pointer);
        let press_time = overview_time(session, rect, press.x);
        let is_edge = |edge: f32| (press.x - edge).abs() < EDGE_REACH;
        let (at_left, at_right) = (is_edge(left), is_edge(right));
        // Where the edges of a short window are close to each other, the nearer one moves.
        let is_right_nearer = (press.x - right).abs() < (press.x - left).abs();
        state.drag = if at_right && (!at_left || is_right_nearer) {
            Drag::WindowEnd(visible.start)
        } else if at_left {
            Drag::WindowStart(visible.end)
        } else if press.x > left && press.x < right && !shows_all(rect, left, right) {
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
    } else if response.clicked() && !shows_all(rect, left, right) {
        // The window keeps its length and stays within the overview.
        let (length, all) = (Ns(visible.len()), session.scope().overview(&session.index));
        let start = (time - Ns(length.0 / 2)).min(all.end - length).max(all.start);
        commands.push(Command::Show(TimeRange { start, end: start + length }));
    }
    if response.drag_stopped() {
        state.drag = Drag::None;
    }
}
