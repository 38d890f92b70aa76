//! The table of all flows.

use egui::Ui;

use super::document::Document;
use crate::scene::Palette;
use crate::view::Command;

/// State of the table.
#[derive(Default)]
pub struct FlowTable {}

pub(super) fn show(ui: &mut Ui, _document: &mut Document, _palette: &Palette) -> Vec<Command> {
    ui.set_min_height(ui.available_height());
    Vec::new()
}
