//! A modal question with two answers.

use egui::Context;

use crate::widgets::{Dialog, dialog_buttons, main_button, page_button};

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
pub(crate) fn show(context: &Context, question: &Question) -> Option<Answer> {
    let title = format!("Open {} anyway?", question.name);
    let shown = Dialog::new(&title, 480.0).modal().show(context, |ui| {
        ui.label(&question.reason);
        dialog_buttons(ui, |ui| {
            let open = ui.add(main_button(context, "Open anyway")).clicked().then_some(Answer::Open);
            let cancel = ui.add(page_button("Cancel")).clicked().then_some(Answer::Cancel);
            open.or(cancel)
        })
    });
    shown.inner.or(shown.is_closed.then_some(Answer::Cancel))
}
