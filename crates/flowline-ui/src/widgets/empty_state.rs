//! An empty place: what is missing, why, and the actions that help.

use egui::{Align, Button, Layout, RichText, Ui, vec2};

use super::style::{BODY, SMALL, color};
use super::surface::palette_of;

/// Maximum width of the texts in points.
const WIDTH: f32 = 460.0;
/// Height of the button in points.
const BUTTON: f32 = 24.0;

/// Shows an empty state in the middle of the available width; returns true if the action was chosen.
pub(crate) fn empty_state(ui: &mut Ui, what: &str, why: &str, action: Option<&str>) -> bool {
    empty_state_with(ui, what, why, action.as_slice()).is_some()
}

/// Shows an empty state with several actions below each other; returns the number of the chosen one.
pub(crate) fn empty_state_with(ui: &mut Ui, what: &str, why: &str, actions: &[&str]) -> Option<usize> {
    let palette = palette_of(ui.ctx());
    let width = ui.available_width().min(WIDTH);
    let margin = ((ui.available_width() - width) / 2.0).max(0.0);
    let mut chosen = None;
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
            for (number, action) in actions.iter().enumerate() {
                ui.add_space(if number == 0 { 8.0 } else { 0.0 });
                let button = Button::new(RichText::new(*action).size(SMALL)).min_size(vec2(0.0, BUTTON)).truncate();
                if ui.add(button).clicked() {
                    chosen = Some(number);
                }
            }
        });
    });
    chosen
}
