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

/// A dialog that opens in the middle of the window, away from the toolbar with the search field; it can be moved.
pub(crate) fn dialog<'open>(context: &egui::Context, title: &str) -> egui::Window<'open> {
    let middle = context.content_rect().center();
    egui::Window::new(title).pivot(egui::Align2::CENTER_CENTER).default_pos(middle).collapsible(false)
}

/// Says that a dialog is open that wants an answer before anything else: no tooltip lies on it.
pub(crate) fn covers_tooltips(context: &egui::Context) {
    let pass = context.cumulative_pass_nr();
    context.data_mut(|data| data.insert_temp(egui::Id::unique(DIALOG), pass));
}

/// Whether such a dialog is open, as of this frame or the last one.
pub(crate) fn has_dialog(context: &egui::Context) -> bool {
    let last: Option<u64> = context.data(|data| data.get_temp(egui::Id::unique(DIALOG)));
    last.is_some_and(|last| last + 1 >= context.cumulative_pass_nr())
}

/// Where the pass is kept in which a dialog was shown.
const DIALOG: &str = "pass of the last dialog";

/// A place in a file for a narrow column: of an address its last part, with line and column.
pub(crate) fn short_place(place: &str) -> &str {
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
