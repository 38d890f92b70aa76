//! Splitters between panels, and the corner left of the ruler.

use egui::{Context, CursorIcon, Rect, Response, Role, Ui, Vec2, WidgetInfo, pos2, vec2};

use crate::canvas::flows::flow_lane_tools;
use crate::canvas::layout::{CanvasLayout, PaneWidget};
use crate::canvas::menus::hidden_menu;
use crate::canvas::ruler_label;
use crate::commands::{ViewAction, with_shortcut};
use crate::widgets::style::color;
use flowline_scene::Palette;
use flowline_session::Session;
use flowline_view::{Command, Pane};

/// Distance in points on either side of a horizontal edge that receives the pointer.
const REACH: f32 = 3.0;
/// Width in points of a vertical splitter. It is inside its panel, so that a click beside the panel selects what is there.
const INSIDE: f32 = 5.0;

/// Width in points of the list of hidden threads.
const HIDDEN_WIDTH: f32 = 84.0;

/// Shows the cell left of the ruler: the visible range, the list of hidden threads or the tools for flow lanes, and the
/// switch for empty rows.
pub(crate) fn corner(ui: &mut Ui, layout: &CanvasLayout, palette: &Palette, session: &Session) -> Vec<Command> {
    let rect = layout.ruler_label;
    if rect.width() < SWITCH_WIDTH {
        return Vec::new();
    }
    ui.painter().rect_filled(rect, 0.0, color(palette.panel));
    let line = egui::Stroke::new(1.0, color(palette.line));
    ui.painter().hline(rect.x_range(), rect.max.y - 0.5, line);
    let hides = session.view.tracks.hide_empty_rows;
    let (switched, is_switch_shown) = empty_rows_switch(ui, rect, palette, hides);
    let mut right = if is_switch_shown { rect.max.x - SWITCH_WIDTH } else { rect.max.x - 8.0 };
    if session.view.flow_lanes.shown {
        let place = Rect::from_min_max(rect.min, pos2(right, rect.max.y));
        let mut commands = flow_lane_tools::show(ui, session, place, palette);
        commands.extend(switched);
        return commands;
    }
    let mut commands: Vec<Command> = switched.into_iter().collect();
    let has_hidden = !session.view.tracks.hidden.is_empty() || session.list().shown().total() > 0;
    if has_hidden {
        let place = Rect::from_min_max(pos2(right - HIDDEN_WIDTH, rect.min.y), pos2(right, rect.max.y));
        commands.extend(hidden_menu::show(ui, place, session, palette));
        right = place.min.x;
    }
    // Both recordings have the same committed ranges, so only the first shows them.
    if session.canvas.pane == Pane::A {
        commands.extend(ruler_label::show(ui, session, layout, right));
    }
    commands
}

/// Width of the switch for empty rows in points.
const SWITCH_WIDTH: f32 = 84.0;

/// The switch for rows that are empty in the visible range, and true if it is written out: while it is on, or has the
/// focus or the pointer.
fn empty_rows_switch(ui: &Ui, corner: Rect, palette: &Palette, hides: bool) -> (Option<Command>, bool) {
    let rect = Rect::from_min_max(pos2(corner.max.x - SWITCH_WIDTH, corner.min.y), corner.max);
    let response = ui.interact(rect, ui.scope_id().with("empty rows"), egui::Sense::click());
    let name = "Hide rows that are empty in the visible range";
    let name = with_shortcut(ui.ctx(), name, ViewAction::EmptyRows);
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, hides, &name));
    let tint = match (hides, response.hovered() || response.has_focus()) {
        (true, _) => palette.accent,
        (false, true) => palette.text,
        (false, false) => palette.text2,
    };
    let font = egui::TextStyle::Small.resolve(ui.style());
    let text = if hides { "show empty" } else { "hide empty" };
    let is_shown = hides || response.hovered() || response.has_focus();
    if is_shown {
        ui.painter().text(rect.right_center() - vec2(8.0, 0.0), egui::Align2::RIGHT_CENTER, text, font, color(tint));
    }
    let clicked = response.clicked();
    response.on_hover_text(name);
    (clicked.then_some(Command::HideEmptyRows(!hides)), is_shown)
}

/// The distance a widget was dragged in this frame, in points. In a slow frame, the first movement arrives with the
/// press and the last one with the release.
pub(crate) fn dragged(response: &Response) -> Vec2 {
    response.ctx.input(|input| match input.pointer.press_origin().zip(response.interact_pointer_pos()) {
        Some((from, to)) if response.drag_started() => to - from,
        _ if response.dragged() || response.drag_stopped() => input.pointer.delta(),
        _ => Vec2::ZERO,
    })
}

/// The distance a splitter is dragged by this frame's input, in points.
pub(crate) fn drag_delta(context: &Context, splitter: PaneWidget) -> Vec2 {
    splitter.response(context).map_or(Vec2::ZERO, |response| dragged(&response))
}

/// Adds a vertical splitter inside the left or right edge of a panel, or at a hidden panel; returns true if it was
/// double-clicked.
pub(crate) fn vertical(ui: &Ui, splitter: PaneWidget, x: f32, panel: Rect, name: &str) -> bool {
    let range = if x > panel.min.x { x - INSIDE..=x } else { x..=x + INSIDE };
    let rect = Rect::from_x_y_ranges(range, panel.y_range());
    let response = splitter.add(ui, rect);
    response.widget_info(|| WidgetInfo::labeled(Role::Splitter, true, name));
    if response.hovered() || response.dragged() {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    response.double_clicked()
}

/// Adds a horizontal splitter with a grip at the upper edge of a panel; returns true if it was double-clicked.
pub(crate) fn horizontal(ui: &Ui, splitter: PaneWidget, y: f32, panel: Rect, name: &str, palette: &Palette) -> bool {
    let rect = Rect::from_x_y_ranges(panel.x_range(), y - REACH - 1.0..=y + REACH - 1.0);
    let response = splitter.add(ui, rect);
    response.widget_info(|| WidgetInfo::labeled(Role::Splitter, true, name));
    if response.hovered() || response.dragged() {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeVertical);
        ui.painter().hline(rect.x_range(), y, (2.0, color(palette.accent)));
    }
    let grip = Rect::from_center_size(pos2(rect.center().x, y + 1.0), vec2(32.0, 2.0));
    ui.painter().rect_filled(grip, 1.0, color(palette.text2));
    response.double_clicked()
}
