//! The window: its layout, toolbar, menus and dialogs.

pub(crate) mod bars;
pub(crate) mod dialogs;
pub(crate) mod file_formats;
pub(crate) mod frame_runner;
pub(crate) mod layout;
pub(crate) mod panels;
pub(crate) mod recent_activity;
pub(crate) mod recent_file;
pub(crate) mod render_command;
pub(crate) mod shell;
pub(crate) mod state;
mod welcome;
pub(crate) mod window_command;
