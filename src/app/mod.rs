//! The application: window and event loop, the loading thread, the passes of a frame, off-screen rendering.

mod file_formats;
mod files;
mod loading;
mod output;
mod query_engine;
mod query_program;
mod render;
mod self_profile;
mod window;

pub use file_formats::file_formats;
pub(crate) use files::PresetsFile;
pub use files::{NotesStore, ReadNotes, RecordingId, Settings, arrangement_of, read_notes, write_notes};
pub use loading::{AlignBy, CompareWith, SecondRecording, lower_worker_priority};
pub use output::{
    AnnotatedTrace, InputFile, InputFiles, OutputGuard, PartChoice, atomic_write, save_range, save_stacks, save_table,
    write_png,
};
pub use query_engine::QueryProgram;
pub use query_program::{QUERY_PROGRAM, missing_engine, query_program};
pub use render::{FramePainter, FrameTimes, Headless, RenderOptions, Unpainted, svg_picture};
pub use self_profile::SelfProfile;
pub use window::{LoadTimes, WindowOptions, run};
