//! Dialogs, the command palette, the help, and notices.

pub(crate) mod about;
pub(crate) mod changed_file;
pub(crate) mod copied;
pub(crate) mod file_chooser;
pub(crate) mod finder;
mod finder_row;
pub(crate) mod help;
pub(crate) mod loading;
pub(crate) mod opening_part;
pub(crate) mod presets;
pub(crate) mod question;
pub(crate) mod save_dialog;
pub(crate) mod save_progress;
pub(crate) mod settings;
pub(crate) mod toasts;
pub(crate) mod warnings;
