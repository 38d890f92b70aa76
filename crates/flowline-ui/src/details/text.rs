//! Texts at fixed places of the details, each with its accessible name.

use std::sync::Arc;

use egui::{Align, Color32, FontId, Galley, Id, Rect, Response, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::metrics::SQUARE;
use crate::widgets::elide;
use crate::widgets::style::color;
use flowline_scene::Palette;

/// Draws a text on one line at the left edge of `rect`, vertically centered; returns its width.
pub(super) fn draw(ui: &Ui, rect: Rect, text: &str, size: f32, tint: Color32) -> f32 {
    let galley = elide(ui, text, rect.width(), FontId::proportional(size), tint);
    draw_galley(ui, rect, galley, Align::Min, tint)
}

/// Draws a text on one line at the right edge of `rect`, vertically centered; returns its width.
pub(super) fn draw_right(ui: &Ui, rect: Rect, text: &str, size: f32, tint: Color32) -> f32 {
    let galley = elide(ui, text, rect.width(), FontId::proportional(size), tint);
    draw_galley(ui, rect, galley, Align::Max, tint)
}

fn draw_galley(ui: &Ui, rect: Rect, galley: Arc<Galley>, align: Align, tint: Color32) -> f32 {
    let size = galley.size();
    let x = if align == Align::Max { rect.max.x - size.x } else { rect.min.x };
    ui.painter().galley(pos2(x, rect.center().y - size.y / 2.0), galley, tint);
    size.x
}

/// Adds a text for screen readers at a place where it is drawn.
pub(super) fn announce(ui: &Ui, id: Id, rect: Rect, text: &str) -> Response {
    let response = ui.interact(rect, id, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    response
}

/// Draws the square of a kind with its center at the left of `rect`; `entry` is the palette entry.
pub(super) fn square(ui: &Ui, rect: Rect, entry: u8, palette: &Palette) {
    let square = Rect::from_min_size(pos2(rect.min.x, rect.center().y - SQUARE / 2.0), vec2(SQUARE, SQUARE));
    ui.painter().rect_filled(square, 2.0, color(palette.fill(entry)));
    let edge = egui::Stroke::new(1.0, color(palette.edge(entry)));
    ui.painter().rect_stroke(square, 2.0, edge, egui::StrokeKind::Inside);
}
