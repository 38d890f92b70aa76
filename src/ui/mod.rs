//! Panels, tables, tooltips, and keys and mouse to commands: egui around the canvas.
//!
//! Widgets never change the view themselves; they return [`crate::view::Command`]s that [`Shell::show`] applies, and
//! requests to the application (open a file, quit). The canvas parts only reserve space: the scene draws there.

mod actions;
mod canvas;
mod category_menu;
mod counter_card;
mod details;
mod document;
mod drawer;
mod file_chooser;
mod flow_cards;
mod flow_desk;
mod flow_header;
mod flow_panel;
mod flow_table;
mod flow_tree;
mod help;
mod keys;
mod label_column;
mod latest;
mod looks;
mod marker_card;
mod marker_order;
mod marker_table;
mod neighbours;
mod overview;
mod parts;
mod row_desk;
mod search_runner;
mod shell;
mod slice_desk;
mod slice_tree;
mod splitters;
pub mod style;
mod table;
mod toolbar;
mod tooltip;
mod tree;
mod value_tree;
mod virtual_list;

use std::sync::Arc;

pub use document::Document;
pub use drawer::Drawer;
pub use flow_desk::FlowDesk;
pub use keys::KeyMap;
pub use marker_card::{MarkerCard, time_text};
pub use marker_order::ordered;
pub use marker_table::Column;
pub use row_desk::RowDesk;
pub use shell::{Loading, Request, Shell};
pub use slice_desk::SliceDesk;
pub use slice_tree::SliceTree;
pub use value_tree::PayloadTree;

/// Lays text out on one line of at most `width` points; what does not fit ends in an ellipsis.
fn elide(ui: &egui::Ui, text: &str, width: f32, font: egui::FontId, color: egui::Color32) -> Arc<egui::Galley> {
    // Nothing longer can be seen, and layout is linear in the text.
    let end = text.char_indices().nth(400).map_or(text.len(), |(end, _)| end);
    let mut job = egui::text::LayoutJob::simple_singleline(text[..end].replace('\n', " "), font, color);
    job.wrap = egui::text::TextWrapping::truncate_at_width(width.max(0.0));
    ui.fonts_mut(|fonts| fonts.layout_job(job))
}

/// A count with thousands separated.
fn grouped(count: usize) -> String {
    crate::profile::text::format_count(count as u64)
}
