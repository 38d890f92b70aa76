//! A modal question with two answers.

use egui::{Id, Modal, RichText};

/// The question to open a refused file anyway.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The file's name.
    pub name: String,
    /// Reason for the question.
    pub reason: String,
}

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Open,
    Cancel,
}

/// Shows a question. A click outside cancels; the shell handles Escape.
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
