//! The overview: the visible window, which can be dragged and resized, and links to earlier views.

use egui::{CursorIcon, Rect, Response, Ui, vec2};

use super::layout::CanvasLayout;
use super::state::{CanvasState, Drag};
use crate::profile::{Ns, TimeRange};
use crate::session::Session;
use crate::view::Command;

/// Distance in points within which the pointer grabs an edge of the visible window.
const EDGE_REACH: f32 = 7.0;

/// The time at horizontal position `x` of the overview.
#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "screen coordinates")]
pub(super) fn overview_time(session: &Session, rect: Rect, x: f32) -> Ns {
    let extent = session.scope().overview(&session.index);
    let part = f64::from(((x - rect.min.x) / rect.width().max(1.0)).clamp(0.0, 1.0));
    extent.start + Ns((part * extent.len() as f64) as i64)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "screen coordinates")]
fn overview_x(session: &Session, rect: Rect, time: Ns) -> f32 {
    let extent = session.scope().overview(&session.index);
    let part = (time - extent.start).0 as f64 / extent.len().max(1) as f64;
    rect.min.x + (part as f32 * rect.width())
}

/// Whether the window covers all of the overview: then there is nothing to move, and a drag selects.
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
    let (near_left, near_right) = if shows_all(rect, left, right) { (false, false) } else { (near_left, near_right) };
    if near_left || near_right {
        context.set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    let Some(pointer) = response.interact_pointer_pos() else { return };
    let time = overview_time(session, rect, pointer.x);
    if response.drag_started() {
        let press = context.input(|input| input.pointer.press_origin()).unwrap_or(pointer);
        let press_time = overview_time(session, rect, press.x);
        let is_edge = |edge: f32| (press.x - edge).abs() < EDGE_REACH && !shows_all(rect, left, right);
        let (at_left, at_right) = (is_edge(left), is_edge(right));
        state.drag = if at_right && (!at_left || press.x >= right) {
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
    } else if response.clicked() {
        let half = Ns(visible.len() / 2);
        commands.push(Command::Show(TimeRange { start: time - half, end: time + half }));
    }
    if response.drag_stopped() {
        state.drag = Drag::None;
    }
}

/// The length of a range; where another one has the same to the digits shown, its start and end.
fn range_text(session: &Session, range: TimeRange, all: &[TimeRange]) -> String {
    let length = |range: TimeRange| crate::profile::text::format_duration_ns(range.len());
    let own = length(range);
    if all.iter().all(|other| *other == range || length(*other) != own) {
        return own;
    }
    let time = |time: Ns| crate::session::time_text(session.index.profile().displayed(time));
    format!("{} – {}", time(range.start), time(range.end))
}

/// Shows the committed ranges over the overview, each but the last as a link back to it, and how much is in view.
pub(crate) fn breadcrumbs(ui: &mut Ui, session: &Session, layout: &CanvasLayout) -> Option<Command> {
    if layout.overview.height() < 1.0 {
        return None;
    }
    // They begin in the corner left of the overview, and cover no more of it than they need.
    let width = layout.overview.max.x - layout.corner.min.x - 12.0;
    let area = Rect::from_min_size(layout.corner.min + vec2(6.0, 2.0), vec2(width, 18.0));
    let mut child =
        ui.new_child(egui::UiBuilder::new().max_rect(area).layout(egui::Layout::left_to_right(egui::Align::Center)));
    child.spacing_mut().item_spacing.x = 3.0;
    let mut command = None;
    let ranges = session.view.breadcrumbs.ranges();
    let extent = session.view.bounds().extent;
    let outer = std::iter::once(extent).chain(ranges.iter().copied());
    let shown = ranges.last().copied().unwrap_or(extent);
    let visible = session.view.axis.visible().within(shown);
    let all: Vec<TimeRange> = outer.clone().chain([visible]).collect();
    let text = |range: TimeRange| range_text(session, range, &all);
    for (number, range) in outer.take(ranges.len()).enumerate() {
        let label = if number == 0 { format!("Full range {}", text(range)) } else { text(range) };
        let button = egui::Button::new(egui::RichText::new(label).small()).frame(false);
        let hint = if number == 0 { "Show the whole recording again" } else { "Back to this range" };
        if child.add(button).on_hover_text(hint).clicked() {
            command = Some(Command::Breadcrumb(number));
        }
        child.label(egui::RichText::new("›").small().weak());
    }
    if !ranges.is_empty() {
        child.label(egui::RichText::new(text(shown)).small().strong());
    }
    if ranges.is_empty() {
        child.label(egui::RichText::new(text(visible)).small());
    } else if visible != shown {
        child.label(egui::RichText::new(format!("({} in view)", text(visible))).small().weak());
    }
    command
}
