//! The dialog about the program: version, licenses, and where its data is kept.

use egui::{Context, RichText};

use crate::widgets::style::{SMALL, TITLE, color};
use crate::widgets::{Dialog, dialog_buttons, main_button, page_button, palette_of};

/// Version of the program.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Address of the project page; empty if there is none yet.
pub(crate) const PROJECT: &str = env!("CARGO_PKG_REPOSITORY");

/// Facts that only the application knows, each with its name.
pub type AboutFacts = Vec<(&'static str, String)>;

/// The user's choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    Close,
    /// Copy everything that a bug report needs.
    Copy,
    /// Show the project page.
    OpenProject,
}

/// Everything that the dialog says, as lines of a bug report.
pub(crate) fn report(facts: &AboutFacts) -> String {
    let known = [("Flowline", VERSION.to_owned())];
    let lines = known.iter().chain(facts).map(|(name, value)| format!("{name}: {value}\n"));
    lines.collect()
}

/// Shows the dialog.
pub(crate) fn show(context: &Context, facts: &AboutFacts) -> Option<Choice> {
    let palette = palette_of(context);
    let shown = Dialog::new("About Flowline", 480.0).show(context, |ui| {
        ui.label(RichText::new(format!("Flowline {VERSION}")).size(TITLE));
        ui.label("A timeline for huge performance recordings.");
        let licenses = "Free software under the MIT License or the Apache License 2.0. The fonts Ubuntu and Hack have \
            their own free licenses.";
        ui.label(RichText::new(licenses).color(color(palette.text2)));
        ui.add_space(4.0);
        egui::Grid::new("facts").num_columns(2).spacing([16.0, 4.0]).show(ui, |ui| {
            for (name, value) in facts {
                ui.label(RichText::new(*name).size(SMALL).color(color(palette.text2)));
                ui.add(egui::Label::new(RichText::new(value).size(SMALL)).truncate());
                ui.end_row();
            }
        });
        dialog_buttons(ui, |ui| {
            let close = ui.add(main_button(context, "Close")).clicked().then_some(Choice::Close);
            let copy = ui.add(page_button("Copy report")).clicked().then_some(Choice::Copy);
            let project = !PROJECT.is_empty() && ui.add(page_button("Project page")).clicked();
            close.or(copy).or(project.then_some(Choice::OpenProject))
        })
    });
    shown.inner.or(shown.is_closed.then_some(Choice::Close))
}
