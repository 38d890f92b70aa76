//! The triangle of a collapsible row.

use egui::vec2;

/// Draws the triangle of a collapsible row.
pub(crate) fn arrow(painter: &egui::Painter, center: egui::Pos2, open: bool, fill: egui::Color32) {
    let size = 3.2;
    let points = if open {
        [vec2(-size, -size * 0.6), vec2(size, -size * 0.6), vec2(0.0, size * 0.9)]
    } else {
        [vec2(-size * 0.6, -size), vec2(size * 0.9, 0.0), vec2(-size * 0.6, size)]
    };
    let points = points.map(|offset| center + offset).to_vec();
    painter.add(egui::Shape::convex_polygon(points, fill, egui::Stroke::NONE));
}
