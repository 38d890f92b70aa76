//! The window: keys, commands, panels, dialogs, frames, saved views, and two recordings.

mod app_requests;
mod arrangement;
mod changed_file;
mod comparing;
mod counts;
mod decompression_question;
mod features_by_keys;
mod finder;
mod frames;
mod frames_input;
mod keys;
mod keys_doc;
mod kinds;
mod panels;
mod presets;
mod save_range;
mod saved_views;
mod settings;
mod shell;
mod table_focus;
mod tables_and_links;
mod tabs;
mod welcome;
