//! The flow tree.

use egui::Ui;

use super::document::Document;
use crate::scene::Palette;
use crate::view::Command;

/// State of the tree.
#[derive(Default)]
pub struct FlowTree {}

pub(super) fn show(ui: &mut Ui, _document: &mut Document, _palette: &Palette) -> Vec<Command> {
    ui.set_min_height(ui.available_height());
    Vec::new()
}
