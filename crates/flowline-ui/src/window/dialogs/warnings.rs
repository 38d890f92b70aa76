//! The dialog with the import warnings of a recording.

use egui::{Context, RichText, ScrollArea};

use crate::widgets::style::color;
use crate::widgets::{Dialog, body_height, grouped, palette_of};
use flowline_session::Session;

/// Shows the warnings; returns true if the user closes the dialog.
pub(crate) fn show(context: &Context, session: &Session) -> bool {
    let palette = palette_of(context);
    let shown = Dialog::new("Import warnings", 640.0).show(context, |ui| {
        let height = body_height(context).min(480.0);
        ScrollArea::vertical().max_height(height).min_scrolled_height(height).show(ui, |ui| {
            for message in &session.flows.setup.messages {
                ui.label("Flow rules");
                ui.label(RichText::new(message).color(color(palette.text2)));
                ui.add_space(8.0);
            }
            for warning in session.warnings().list() {
                let count = grouped(usize::try_from(warning.count).unwrap_or(usize::MAX));
                ui.label(format!("{count} × {}", warning.kind.explain()));
                ui.label(RichText::new(format!("first: {}", warning.first)).color(color(palette.text2)));
                ui.add_space(8.0);
            }
        });
    });
    shown.is_closed
}
