//! The application: window and event loop, the loading thread, the passes of a frame, off-screen rendering.

mod annotated_trace;
mod changed_areas;
mod comparison;
#[cfg(feature = "window")]
mod file_watch;
#[cfg(feature = "window")]
mod growth_question;
mod headless;
mod kept_notes;
mod load;
#[cfg(feature = "window")]
mod load_job;
#[cfg(feature = "window")]
mod local_path;
#[cfg(feature = "window")]
mod native_window;
mod notes_files;
mod output;
#[cfg(feature = "window")]
mod partial_load;
mod passes;
mod picture_options;
mod pixels;
mod plain_fills;
#[cfg(feature = "window")]
mod recent_files;
#[cfg(feature = "window")]
mod save_picture;
mod save_stacks;
mod save_table;
#[cfg(feature = "window")]
mod saved_view;
#[cfg(feature = "window")]
mod settings;
#[cfg(feature = "window")]
mod settings_file;
mod svg_picture;
mod user_files;
mod widget_meshes;
#[cfg(feature = "window")]
mod window;
mod workers;

pub use annotated_trace::AnnotatedTrace;
pub use comparison::{AlignBy, CompareWith, SecondRecording};
pub use headless::Headless;
pub use kept_notes::KeptNotes;
pub use load::{CacheUse, LoadReport, Loaded, Origin, load, open};
pub use notes_files::{ReadNotes, RecordingId, read_notes, write_notes};
pub use output::{InputFile, InputFiles, OutputGuard, atomic_write};
pub use passes::{FramePainter, FrameTimes};
pub use picture_options::PictureOptions;
#[cfg(feature = "window")]
pub use save_picture::write_png;
pub use save_stacks::save_stacks;
pub use save_table::save_table;
#[cfg(feature = "window")]
pub use settings::Settings;
pub use svg_picture::svg_picture;
pub use user_files::UserRules;
#[cfg(feature = "window")]
pub use window::{Appeared, WindowOptions, run};
pub use workers::give_way_to_window;
