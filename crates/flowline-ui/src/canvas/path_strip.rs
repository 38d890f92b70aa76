//! The critical path below the ruler: its label, its menu, and its pointer input. The scene draws it.

use egui::{Align2, CursorIcon, PointerButton, Response, Role, Sense, TextStyle, Ui, WidgetInfo, vec2};

use crate::TableKind;
use crate::canvas::layout::{CanvasLayout, CanvasWidget};
use crate::canvas::state::{CanvasState, Drag};
use crate::commands::{SelectionAction, WindowAction, with_shortcut};
use crate::widget_requests::{WidgetRequest, post};
use crate::widgets::elide;
use crate::widgets::menu::{context_menu, entry};
use crate::widgets::style::color;
use flowline_scene::{Palette, path_label};
use flowline_session::Session;
use flowline_view::Command;

/// Menu entry that shows the table of the path.
const SHOW_TABLE: (&str, WindowAction) = ("Show segments as a table", WindowAction::Table(TableKind::CriticalPath));
/// Space in points left of the label's text.
const INDENT: f32 = 16.0;

/// Shows the label, and adds the widget that receives pointer input over the path. Without a path, shows nothing.
pub(crate) fn show(ui: &Ui, session: &Session, layout: &CanvasLayout, palette: &Palette) -> Option<Command> {
    let label = path_label(&session.scene_input()).filter(|_| layout.path.height() >= 1.0)?;
    let strip = CanvasWidget::PathStrip.of(session.canvas.pane).add(ui, layout.path);
    strip.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Segments of the critical path"));
    let area = layout.path_label;
    let heading = ui.interact(area, ui.scope_id().with("path label"), Sense::click());
    heading.widget_info(|| WidgetInfo::labeled(Role::Button, true, label.spoken.as_str()));
    let painter = ui.painter_at(area);
    painter.rect_filled(area, 0.0, color(palette.heading));
    if heading.hovered() || heading.has_focus() {
        painter.rect_filled(area, 0.0, ui.visuals().widgets.hovered.weak_bg_fill);
    }
    let line = (1.0, color(palette.grid));
    painter.hline(area.x_range(), area.max.y - 0.5, line);
    painter.vline(area.max.x - 0.5, area.y_range(), line);
    let small = TextStyle::Small.resolve(ui.style());
    let place = area.right_center() - vec2(8.0, 0.0);
    let right = painter.text(place, Align2::RIGHT_CENTER, &label.right, small, color(palette.text2));
    let room = (right.min.x - 8.0 - area.min.x - INDENT).max(0.0);
    let text = elide(ui, &label.text, room, TextStyle::Body.resolve(ui.style()), color(palette.text));
    let corner = area.left_center() + vec2(INDENT, -text.size().y / 2.0);
    painter.galley(corner, text, color(palette.text));
    if heading.clicked() {
        post(ui.ctx(), WidgetRequest::ShowTable(TableKind::CriticalPath));
    }
    let chosen = [&strip, &heading].map(menu).into_iter().flatten().next();
    heading.on_hover_text(with_shortcut(ui.ctx(), SHOW_TABLE.0, SHOW_TABLE.1));
    chosen
}

/// Context menu of strip and label.
fn menu(response: &Response) -> Option<Command> {
    let mut chosen = None;
    context_menu(response, |ui| {
        if entry(ui, SHOW_TABLE, true) {
            post(ui.ctx(), WidgetRequest::ShowTable(TableKind::CriticalPath));
        }
        if entry(ui, ("Hide critical path", SelectionAction::CriticalPath), true) {
            chosen = Some(Command::ShowPath(None));
        }
    });
    chosen
}

/// Pointer input over the strip: a drag pans, a click goes to the marker of a segment, a double click zooms to it.
pub(super) fn handle(session: &Session, state: &mut CanvasState, response: &Response, commands: &mut Vec<Command>) {
    if response.drag_started()
        && let Some(press) = response.ctx.input(|input| input.pointer.press_origin())
    {
        state.drag = Drag::Path(press);
    }
    if let Drag::Path(before) = state.drag {
        if let Some(pointer) = response.interact_pointer_pos() {
            let pixels = f64::from((before.x - pointer.x) * session.canvas.scale);
            commands.push(Command::Pan { pixels, animated: false });
            state.drag = Drag::Path(pointer);
        }
        response.ctx.set_cursor_icon(CursorIcon::Grabbing);
        if !response.dragged() {
            state.drag = Drag::None;
        }
        return;
    }
    let is_double = response.double_clicked();
    if !is_double && !response.clicked_by(PointerButton::Primary) {
        return;
    }
    let place = response.interact_pointer_pos().or(response.hover_pos());
    let (input, scale) = (session.scene_input(), session.canvas.scale);
    let hits = place.map(|place| input.hits(place.x * scale, place.y * scale));
    let marker = hits.and_then(|hits| hits.marker()).map(|(marker, _)| marker);
    commands.extend(marker.map(|marker| match is_double {
        true => Command::ZoomToMarker(marker),
        false => Command::Reveal(marker),
    }));
}
