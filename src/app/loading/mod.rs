//! Loading: the file behind a recording, the loading thread, and the beginning of a large recording that is shown first.

mod comparison;
mod decompression_question;
mod load_job;
mod partial_load;
mod workers;

pub use comparison::{AlignBy, CompareWith, SecondRecording};
pub(super) use decompression_question::decompression_question;
pub(super) use load_job::{LoadJob, LoadRequest, LoadResult, LoadState, Target};
pub use workers::lower_worker_priority;
