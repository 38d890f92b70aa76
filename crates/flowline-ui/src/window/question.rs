//! A question with two answers, over the window.

use egui::{Id, Modal, RichText};

/// Whether to open a file that was refused for the time being.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The file's name.
    pub name: String,
    /// Why it is asked.
    pub reason: String,
}

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Open,
    Cancel,
}

/// Shows a question; a click beside it cancels, as Escape does in the shell.
pub(crate) fn show(context: &egui::Context, question: &Question) -> Option<Answer> {
    let shown = Modal::new(Id::unique("question")).show(context, |ui| {
        ui.set_max_width(460.0);
        ui.label(RichText::new(format!("Open {} anyway?", question.name)).strong());
        ui.add_space(6.0);
        ui.label(&question.reason);
        ui.add_space(10.0);
        ui.horizontal(|ui| {
            let open = ui.button("Open anyway").clicked().then_some(Answer::Open);
            let cancel = ui.button("Cancel").clicked().then_some(Answer::Cancel);
            open.or(cancel)
        })
        .inner
    });
    shown.inner.or(shown.backdrop_response.clicked().then_some(Answer::Cancel))
}
