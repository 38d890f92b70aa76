//! Building blocks of panels and tables, and their style.

pub mod style;
pub(crate) mod table;
pub(crate) mod tree;
pub(crate) mod virtual_list;

use std::sync::Arc;

use egui::vec2;

use crate::profile::text::{format_count, format_counted};

/// Lays text out on one line of at most `width` points; longer text ends in an ellipsis.
pub(crate) fn elide(
    ui: &egui::Ui,
    text: &str,
    width: f32,
    font: egui::FontId,
    color: egui::Color32,
) -> Arc<egui::Galley> {
    // Longer text is never visible, and layout is linear in its length.
    let end = text.char_indices().nth(400).map_or(text.len(), |(end, _)| end);
    let mut job = egui::text::LayoutJob::simple_singleline(text[..end].replace('\n', " "), font, color);
    job.wrap = egui::text::TextWrapping::truncate_at_width(width.max(0.0));
    ui.fonts_mut(|fonts| fonts.layout_job(job))
}

/// A count with thousands separators.
pub(crate) fn grouped(count: usize) -> String {
    format_count(count as u64)
}

/// A count with its noun, singular or plural.
pub(crate) fn counted(count: usize, one: &str) -> String {
    format_counted(count as u64, one)
}

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
