//! Output files: written atomically, never over a file that is being read, and never from a recording that has changed.

mod annotated_trace;
mod atomic_write;
mod guard;
mod input_files;
mod lock;
mod recording_part;
mod save_image;
mod save_stacks;
mod save_table;

pub use annotated_trace::AnnotatedTrace;
pub use atomic_write::atomic_write;
pub use guard::OutputGuard;
pub use input_files::{InputFile, InputFiles};
pub(super) use lock::locked;
pub use recording_part::{PartChoice, save_range};
pub use save_image::write_png;
pub use save_stacks::save_stacks;
pub use save_table::save_table;
