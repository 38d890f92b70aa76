//! The window: its frame, toolbar, menus and dialogs, and how it is divided.

mod category_menu;
pub(crate) mod command;
mod file_chooser;
mod help;
pub(crate) mod layout;
pub(crate) mod panels;
pub(crate) mod runner;
pub(crate) mod shell;
pub(crate) mod state;
mod toolbar;
