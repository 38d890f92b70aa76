//! What lies between the parts of the canvas: the edges that are dragged, and the corner beside the ruler.

use egui::Ui;

use super::document::Document;
use super::parts::{FLOW_HEADER_HEIGHT, FlowHeights, Parts};
use super::style::color;
use crate::scene::Palette;
use crate::view::Command;

/// The corner above the label column, left of the ruler: brings hidden threads back.
pub(super) fn corner(ui: &Ui, parts: &Parts, palette: &Palette, document: &Document) -> Option<Command> {
    let rect = egui::Rect::from_min_max(
        egui::pos2(parts.labels.min.x, parts.ruler.min.y),
        egui::pos2(parts.labels.max.x, parts.ruler.max.y),
    );
    ui.painter().rect_filled(rect, 0.0, color(palette.panel));
    let hidden = document.view.tracks.hidden.len();
    if hidden == 0 {
        return None;
    }
    let text = format!("{hidden} hidden – show all");
    let response = ui.interact(rect, ui.scope_id().with("hidden threads"), egui::Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, text.as_str()));
    let tint = color(if response.hovered() || response.has_focus() { palette.text } else { palette.faint_text });
    let font = egui::TextStyle::Small.resolve(ui.style());
    let place = rect.left_center() + egui::vec2(8.0, 0.0);
    ui.painter().text(place, egui::Align2::LEFT_CENTER, &text, font, tint);
    response.clicked().then_some(Command::ShowAll)
}

/// What the flow panel takes of a canvas of some height; `None` while it is closed.
pub(super) fn flow_heights(document: &Document, wanted: &mut f32, room: f32) -> Option<FlowHeights> {
    if !document.view.flows.is_open() {
        return None;
    }
    *wanted = wanted.clamp(FLOW_HEADER_HEIGHT + 40.0, (room * 0.8).max(FLOW_HEADER_HEIGHT + 40.0));
    #[expect(clippy::cast_possible_truncation, reason = "a few rows; more are scrolled")]
    let pinned = document.flows.list.pinned.height().min(10_000.0) as f32;
    let only_pinned = document.view.flows.entered.is_empty();
    let panel = if only_pinned { wanted.min(FLOW_HEADER_HEIGHT + pinned) } else { *wanted };
    Some(FlowHeights { panel, pinned, only_pinned })
}

/// How far a widget was dragged in this frame. On a slow one the first movement comes together with the press, and the last
/// one with the release.
pub(super) fn dragged(ui: &Ui, response: &egui::Response) -> egui::Vec2 {
    ui.input(|input| match input.pointer.press_origin().zip(response.interact_pointer_pos()) {
        Some((from, to)) if response.drag_started() => to - from,
        _ if response.dragged() || response.drag_stopped() => input.pointer.delta(),
        _ => egui::Vec2::ZERO,
    })
}

/// The upper edge of the flow panel; returns how far it was dragged down.
pub(super) fn flow_splitter(ui: &Ui, parts: &Parts, palette: &Palette) -> f32 {
    if parts.flow_header.height() < 1.0 {
        return 0.0;
    }
    let y = parts.flow_header.min.y;
    let rect = egui::Rect::from_x_y_ranges(parts.flow_header.x_range(), y - 4.0..=y + 2.0);
    let response = ui.interact(rect, ui.scope_id().with("flow splitter"), egui::Sense::drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Splitter, true, "Height of the flow panel"));
    if response.hovered() || response.dragged() {
        ui.ctx().set_cursor_icon(egui::CursorIcon::ResizeVertical);
        ui.painter().hline(rect.x_range(), y, (2.0, color(palette.accent)));
    }
    let grip = egui::Rect::from_center_size(egui::pos2(rect.center().x, y + 1.0), egui::vec2(32.0, 2.0));
    ui.painter().rect_filled(grip, 1.0, color(palette.faint_text));
    dragged(ui, &response).y
}

/// The edge between labels and chart; returns how far it was dragged.
pub(super) fn splitter(ui: &Ui, parts: &Parts) -> f32 {
    let rect = egui::Rect::from_x_y_ranges(parts.labels.max.x - 3.0..=parts.labels.max.x + 3.0, parts.labels.y_range());
    let response = ui.interact(rect, ui.scope_id().with("label splitter"), egui::Sense::drag());
    if response.hovered() || response.dragged() {
        ui.ctx().set_cursor_icon(egui::CursorIcon::ResizeHorizontal);
    }
    dragged(ui, &response).x
}
