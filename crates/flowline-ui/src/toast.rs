//! Toasts: short reports at the bottom of the chart, each a sentence and at most one action. A report disappears after a
//! few seconds; a failure stays until the user closes it.

use std::path::{Path, PathBuf};

use crate::commands::UiCommand;

/// The lifetime and the look of a toast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToastKind {
    /// The result of an action.
    Report,
    /// An action that failed.
    Failure,
}

/// The effect of a toast's button.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ToastAction {
    /// Runs a command of the registry.
    Run(UiCommand),
    /// Copies a text.
    Copy(String),
    /// Opens a recording.
    Open(PathBuf),
    /// Shows a text in a dialog with a title.
    Explain {
        /// The title.
        title: String,
        /// The text.
        text: String,
    },
}

/// A toast.
#[derive(Clone, Debug, PartialEq)]
pub struct Toast {
    /// One sentence.
    pub text: String,
    /// Its lifetime.
    pub kind: ToastKind,
    /// The label of its button, and the effect.
    pub(crate) action: Option<(String, ToastAction)>,
}

impl Toast {
    /// The result of an action.
    #[must_use]
    pub fn report(text: impl Into<String>) -> Self {
        Self { text: text.into(), kind: ToastKind::Report, action: None }
    }

    /// A file that was written. The button of the toast copies its path.
    #[must_use]
    pub fn saved(text: impl Into<String>, path: &Path) -> Self {
        Self::report(text).with_action("Copy path", ToastAction::Copy(path.display().to_string()))
    }

    /// A recording that was written. The button of the toast opens it.
    #[must_use]
    pub fn saved_recording(text: impl Into<String>, path: &Path) -> Self {
        Self::report(text).with_action("Open", ToastAction::Open(path.to_owned()))
    }

    /// An action that failed. The button of the toast shows the `explanation`, which may be long.
    #[must_use]
    pub fn failure(text: impl Into<String>, explanation: impl Into<String>) -> Self {
        let title = text.into();
        let action = ToastAction::Explain { title: title.clone(), text: explanation.into() };
        Self { text: title, kind: ToastKind::Failure, action: Some(("Show details".to_owned(), action)) }
    }

    /// The same toast with a button.
    pub(crate) fn with_action(self, label: &str, action: ToastAction) -> Self {
        Self { action: Some((label.to_owned(), action)), ..self }
    }

    /// The same toast with a button that runs a command of the registry.
    pub(crate) fn with_command(self, label: &str, command: impl Into<UiCommand>) -> Self {
        self.with_action(label, ToastAction::Run(command.into()))
    }
}
