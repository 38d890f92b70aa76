//! An open recording and what its tables share.

mod names;
mod nesting_cache;
mod open_recording;

pub(crate) use names::constant;
pub use open_recording::{OpenOptions, Recording, open_recording, recording_id};
