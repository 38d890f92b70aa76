//! Output files: written atomically, never over a file that is being read, and never from a recording that has changed.

mod atomic_write;
mod guard;
mod input_files;
mod lock;

pub use atomic_write::atomic_write;
pub use guard::OutputGuard;
pub use input_files::{InputFile, InputFiles};
pub(super) use lock::locked;
