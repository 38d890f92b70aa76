//! The name of a key in a frame, as on a keyboard.

use egui::{Frame, Label, Margin, RichText, Stroke, Ui};

use crate::widgets::palette_of;
use crate::widgets::style::{SMALL, color};

/// Adds the name of a key or a gesture.
pub(crate) fn key_cap(ui: &mut Ui, name: &str) {
    let palette = palette_of(ui.ctx());
    let frame = Frame::new().stroke(Stroke::new(1.0, color(palette.line_strong))).corner_radius(4);
    frame.inner_margin(Margin::symmetric(6, 1)).show(ui, |ui| {
        let text = RichText::new(name).size(SMALL).color(color(palette.text));
        ui.add(Label::new(text).selectable(false));
    });
}
