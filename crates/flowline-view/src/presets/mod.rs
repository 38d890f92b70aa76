//! Presets: a search and a set of threads under a name, for all recordings of a format.

mod preset;
mod preset_format;
mod preset_list;
mod thread_pattern;
mod view_preset;

pub use preset::{Preset, PresetThreads};
pub use preset_format::PresetFormat;
pub use preset_list::Presets;
pub use thread_pattern::ThreadPattern;
