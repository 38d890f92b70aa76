//! The window: its layout, toolbar, menus and dialogs.

mod category_menu;
mod changed_file;
mod completion;
mod copy_notice;
mod file_chooser;
pub(crate) mod finder;
pub(crate) mod frame_runner;
mod help;
pub(crate) mod layout;
pub(crate) mod loading;
pub(crate) mod pane_heading;
pub(crate) mod panels;
pub(crate) mod question;
pub(crate) mod recent_file;
mod render_command;
pub(crate) mod save_dialog;
pub(crate) mod save_progress;
mod search_box;
pub(crate) mod shell;
pub(crate) mod state;
mod status_line;
mod toolbar;
mod toolbar_layout;
mod welcome;
pub(crate) mod window_command;
