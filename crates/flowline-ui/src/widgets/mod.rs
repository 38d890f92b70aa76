//! Building blocks of panels and tables, and their style.

mod elide;
mod indent;
pub(crate) mod menu;
pub mod style;
pub(crate) mod table;
mod text_cursor;
pub(crate) mod tree;
pub(crate) mod virtual_list;

pub(crate) use elide::{differences, elide, elide_common};
pub(crate) use indent::Indent;
pub(crate) use text_cursor::{cursor_to_end, select_all};

use egui::vec2;

use flowline_format::{format_count, format_counted};

/// A movable dialog that opens in the center of the window, clear of the search field in the toolbar.
pub(crate) fn dialog<'open>(context: &egui::Context, title: &str) -> egui::Window<'open> {
    let middle = context.content_rect().center();
    egui::Window::new(title).pivot(egui::Align2::CENTER_CENTER).default_pos(middle).collapsible(false)
}

/// Marks a dialog as open in this pass, so that no chart tooltip covers it.
pub(crate) fn suppress_tooltips(context: &egui::Context) {
    let pass = context.cumulative_pass_nr();
    context.data_mut(|data| data.insert_temp(egui::Id::unique(DIALOG), pass));
}

/// True if a dialog was marked with [`suppress_tooltips`] in this pass or the previous one.
pub(crate) fn has_dialog(context: &egui::Context) -> bool {
    let last: Option<u64> = context.data(|data| data.get_temp(egui::Id::unique(DIALOG)));
    last.is_some_and(|last| last + 1 >= context.cumulative_pass_nr())
}

/// Memory key for the pass that last showed a dialog.
const DIALOG: &str = "pass of the last dialog";

/// Shortens a source location for a narrow column: a URL becomes its last path segment, with line and column.
pub(crate) fn short_location(place: &str) -> &str {
    let last = place.rsplit('/').next().filter(|last| place.contains("://") && !last.is_empty());
    last.unwrap_or(place)
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
