//! The menu of flow kinds. It excludes unchecked kinds through the filter text, so the field shows them.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{PopupCloseBehavior, RichText, ScrollArea, Ui};

use super::facts::FlowKind;
use super::filter::{excludes, with_kind};

/// Shows the menu button and, while open, the menu.
pub(super) fn show(ui: &mut Ui, kinds: &[FlowKind], filter: &mut String) {
    // The menu stays open while kinds are checked.
    let stays = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let (response, _) = MenuButton::new("Kinds").config(stays).ui(ui, |ui| {
        ui.set_min_width(240.0);
        let all = |filter: &str, is_shown: bool| {
            kinds.iter().fold(filter.to_owned(), |filter, kind| with_kind(&filter, &kind.name, is_shown))
        };
        ui.horizontal(|ui| {
            if ui.button("Show all").clicked() {
                *filter = all(filter, true);
            }
            if ui.button("Hide all").clicked() {
                *filter = all(filter, false);
            }
        });
        ui.separator();
        let mut sorted: Vec<&FlowKind> = kinds.iter().collect();
        sorted.sort_by(|a, b| b.flows.cmp(&a.flows).then_with(|| a.name.cmp(&b.name)));
        ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
            for kind in sorted {
                let mut is_shown = !excludes(filter, &kind.name);
                ui.horizontal(|ui| {
                    if ui.checkbox(&mut is_shown, &kind.name).changed() {
                        *filter = with_kind(filter, &kind.name, is_shown);
                    }
                    ui.label(RichText::new(crate::widgets::grouped(kind.flows)).small().weak());
                });
            }
        });
    });
    response.on_hover_text("Show or hide kinds of flows");
}
