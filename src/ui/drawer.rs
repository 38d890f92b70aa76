//! The drawer at the bottom: tables of markers, of the entered flow as a tree, and of all flows; one at a time.

use egui::{Button, Frame, Margin, Panel, RichText, Ui};

use super::document::Document;
use super::style::color;
use super::{flow_table, flow_tree, marker_table};
use crate::scene::Palette;
use crate::view::Command;

/// What the drawer shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Drawer {
    /// All markers, or those of the search or the selected range.
    #[default]
    Markers,
    /// The selected marker or the entered flow, its markers, their flows, and so on.
    FlowTree,
    /// All flows of the recording.
    AllFlows,
}

impl Drawer {
    /// All of them from left to right, with title and hint.
    const ALL: [(Self, &'static str, &'static str); 3] = [
        (Self::Markers, "Markers", "All markers, or those found (T)"),
        (Self::FlowTree, "Flow tree", "A marker, its flows, their markers (Shift+T)"),
        (Self::AllFlows, "All flows", "Every flow of the recording (Ctrl+T)"),
    ];
}

/// Shows the drawer; `open` says which table, and is emptied when it is closed.
pub(super) fn show(ui: &mut Ui, document: &mut Document, open: &mut Option<Drawer>, palette: &Palette) -> Vec<Command> {
    let Some(shown) = *open else { return Vec::new() };
    let mut commands = Vec::new();
    let frame = Frame::new().fill(color(palette.panel)).inner_margin(Margin::symmetric(4, 4));
    let table = Panel::bottom("table").resizable(true).default_size(250.0).size_range(90.0..=900.0).frame(frame);
    table.show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            for (drawer, title, hint) in Drawer::ALL {
                let button = Button::new(RichText::new(title).small()).selected(drawer == shown).small();
                if ui.add(button).on_hover_text(hint).clicked() {
                    *open = Some(drawer);
                }
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if ui.add(Button::new("✖").frame(false)).on_hover_text("Close the table").clicked() {
                    *open = None;
                }
            });
        });
        commands = match shown {
            Drawer::Markers => marker_table::show(ui, document, palette),
            Drawer::FlowTree => flow_tree::show(ui, document, palette),
            Drawer::AllFlows => flow_table::show(ui, document, palette),
        };
    });
    commands
}
