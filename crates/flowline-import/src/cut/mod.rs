//! Smaller recordings of the same format.

mod scope;
mod write_part;

pub use scope::{CutError, CutScope};
pub use write_part::{check_format, write_json_part, write_part};
