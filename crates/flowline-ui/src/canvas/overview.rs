//! The overview: the visible window, which can be dragged and resized, and links to earlier views.

use egui::{CursorIcon, Rect, Response, Ui, vec2};

use crate::canvas::layout::CanvasLayout;
use crate::canvas::state::{CanvasState, Drag};
use flowline_profile::{Ns, TimeRange};
use flowline_session::Session;
use flowline_view::Command;

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

/// True if the window covers the whole overview. It cannot move then, so a drag selects.
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

/// The duration of a range; if another range has the same duration to the shown digits, its start and end.
fn range_text(session: &Session, range: TimeRange, all: &[TimeRange]) -> String {
    let length = |range: TimeRange| session.view.clock().length(range.len());
    let own = length(range);
    if all.iter().all(|other| *other == range || length(*other) != own) {
        return own;
    }
    let time = |time: Ns| flowline_session::time_text(session.view.clock().show(time));
    format!("{} – {}", time(range.start), time(range.end))
}

/// Maximum number of committed ranges shown; with more, those in the middle are in a menu.
const MAX_SHOWN: usize = 4;
/// Minimum width in points of the corner left of the overview for wrapping ranges; in a narrower one, they overlap the
/// overview.
const MIN_WRAPPED: f32 = 140.0;

/// Shows the committed ranges in the corner left of the overview, each but the last as a link back to it, and the
/// duration of the visible range.
pub(crate) fn breadcrumbs(ui: &mut Ui, session: &Session, layout: &CanvasLayout) -> Option<Command> {
    if layout.overview.height() < 1.0 {
        return None;
    }
    let origin = layout.corner.min + vec2(6.0, 2.0);
    let is_wrapped = layout.corner.width() >= MIN_WRAPPED;
    let (width, height) = match is_wrapped {
        true => (layout.corner.width() - 8.0, layout.overview.height()),
        false => (layout.overview.max.x - layout.corner.min.x - 12.0, 18.0),
    };
    let place = Rect::from_min_size(origin, vec2(width, height));
    let direction = egui::Layout::left_to_right(if is_wrapped { egui::Align::Min } else { egui::Align::Center });
    let layout = egui::UiBuilder::new().max_rect(place).layout(direction.with_main_wrap(is_wrapped));
    let mut child = ui.new_child(layout);
    child.spacing_mut().item_spacing = vec2(3.0, 0.0);
    // Links are spaced like lines of text.
    child.spacing_mut().interact_size.y = 14.0;
    child.spacing_mut().button_padding = vec2(0.0, 0.0);
    let mut command = None;
    let ranges = session.view.breadcrumbs.ranges();
    let extent = session.view.bounds().extent;
    let outer = std::iter::once(extent).chain(ranges.iter().copied());
    let shown = ranges.last().copied().unwrap_or(extent);
    let visible = session.view.axis.visible().within(shown);
    let all: Vec<TimeRange> = outer.clone().chain([visible]).collect();
    let text = |range: TimeRange| range_text(session, range, &all);
    // Without `extend`, a label would break across lines instead of moving to the next line as a whole.
    let label = |ui: &mut Ui, text: egui::RichText| ui.add(egui::Label::new(text.small()).extend());
    let link = |ui: &mut Ui, number: usize, range: TimeRange| {
        let label = if number == 0 { format!("Full range {}", text(range)) } else { text(range) };
        let button = egui::Button::new(egui::RichText::new(label).small()).frame(false);
        let hint = if number == 0 { "Show the whole recording" } else { "Return to this range" };
        ui.add(button).on_hover_text(hint).clicked().then_some(Command::Breadcrumb(number))
    };
    let links: Vec<(usize, TimeRange)> = outer.take(ranges.len()).enumerate().collect();
    // The first range and the last ones are shown; the others are in a menu.
    let in_menu = 1..links.len().saturating_sub(MAX_SHOWN - 1).max(1);
    for (number, range) in &links {
        if *number == in_menu.start && !in_menu.is_empty() {
            let menu = egui::Button::new(egui::RichText::new("…").small()).frame(false);
            let menu = egui::containers::menu::MenuButton::from_button(menu);
            let (response, _) = menu.ui(&mut child, |ui| {
                let chosen = links[in_menu.clone()].iter().find_map(|(number, range)| link(ui, *number, *range));
                // While the menu is open, a link outside it may have been clicked.
                command = command.take().or(chosen);
            });
            response.on_hover_text("More ranges");
            label(&mut child, egui::RichText::new("›").weak());
        }
        if !in_menu.contains(number) {
            command = link(&mut child, *number, *range).or(command);
            label(&mut child, egui::RichText::new("›").weak());
        }
    }
    if !ranges.is_empty() {
        label(&mut child, egui::RichText::new(text(shown)).strong());
    }
    if ranges.is_empty() {
        label(&mut child, egui::RichText::new(text(visible)));
    } else if visible != shown {
        label(&mut child, egui::RichText::new(format!("({} in view)", text(visible))).weak());
    }
    command
}
