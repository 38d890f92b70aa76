//! The user's files: settings, flow rules, notes, saved views and recent recordings.

#[cfg(test)]
mod faults;
mod file_watch;
mod local_path;
mod local_time;
mod notes_files;
mod notes_store;
mod part_state;
mod presets_file;
mod recent_files;
mod saved_view;
mod settings;
mod settings_file;
mod settings_format;

pub(super) use file_watch::{FileWatch, PathStamp};
pub(super) use local_time::local_offset;
pub(super) use notes_files::carried;
pub use notes_files::{ReadNotes, RecordingId, read_notes, write_notes};
pub use notes_store::NotesStore;
pub(super) use part_state::store_part_state;
pub(crate) use presets_file::PresetsFile;
pub(super) use recent_files::RecentFiles;
pub(super) use saved_view::SavedViewFile;
pub use saved_view::arrangement_of;
pub use settings::Settings;
pub(super) use settings::settings_file;
pub(super) use settings_file::{SettingsFile, WindowSettings};
