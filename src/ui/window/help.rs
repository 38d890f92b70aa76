//! The help window: keys, mouse, search language.

use egui::{Grid, RichText, ScrollArea, Window};

use crate::ui::input::keys::{KeyMap, bindings};

/// Shows the help while `open`.
pub(crate) fn show(context: &egui::Context, map: KeyMap, open: &mut bool) {
    Window::new("Keys and search")
        .open(open)
        .collapsible(false)
        .resizable(false)
        .anchor(egui::Align2::CENTER_CENTER, egui::Vec2::ZERO)
        .show(context, |ui| {
            ScrollArea::vertical().max_height(context.content_rect().height() - 120.0).show(ui, |ui| {
                table(ui, "keys", &bindings(map));
                ui.add_space(8.0);
                ui.label(RichText::new("Search").strong());
                table(
                    ui,
                    "search",
                    &[
                        ("paint, load", "name, category or any field holds one of these"),
                        ("name:dom  cat:network  type:text", "looks in one field"),
                        ("thread:gecko  URI:png", "the thread's name, or any payload field"),
                        ("-name:dom", "leaves these out"),
                        ("dur:>5ms  dur:<1s  -dur:<1ms", "by length"),
                    ],
                );
            });
        });
}

fn table(ui: &mut egui::Ui, name: &str, rows: &[(&str, &str)]) {
    Grid::new(name).num_columns(2).spacing([24.0, 4.0]).striped(true).show(ui, |ui| {
        for (left, right) in rows {
            ui.label(RichText::new(*left).monospace());
            ui.label(*right);
            ui.end_row();
        }
    });
}
