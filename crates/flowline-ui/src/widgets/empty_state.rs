//! An empty place: what is missing, why, and one action that helps.

use egui::{Align, Button, Layout, RichText, Ui, vec2};

use super::style::{BODY, SMALL, color};
use super::surface::palette_of;

/// Maximum width of the texts in points.
const WIDTH: f32 = 460.0;
/// Height of the button in points.
const BUTTON: f32 = 24.0;

/// Shows an empty state in the middle of the available width; returns true if the action was chosen.
pub(crate) fn empty_state(ui: &mut Ui, what: &str, why: &str, action: Option<&str>) -> bool {
    let palette = palette_of(ui.ctx());
    let width = ui.available_width().min(WIDTH);
    let margin = ((ui.available_width() - width) / 2.0).max(0.0);
    let mut is_chosen = false;
    // Little height leaves no room for more than the texts.
    ui.add_space((ui.available_height() * 0.12).clamp(4.0, 24.0));
    ui.horizontal(|ui| {
        ui.add_space(margin);
        ui.allocate_ui_with_layout(vec2(width, 0.0), Layout::top_down(Align::Center), |ui| {
            ui.set_width(width);
            ui.spacing_mut().item_spacing.y = 4.0;
            ui.label(RichText::new(what).size(BODY).color(color(palette.text)));
            if !why.is_empty() {
                ui.label(RichText::new(why).size(SMALL).color(color(palette.text2)));
            }
            if let Some(action) = action {
                ui.add_space(8.0);
                let button = Button::new(RichText::new(action).size(SMALL)).min_size(vec2(0.0, BUTTON));
                is_chosen = ui.add(button).clicked();
            }
        });
    });
    is_chosen
}
