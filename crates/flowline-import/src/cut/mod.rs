//! Smaller recordings of the same format.

mod json_filter;
mod readable;
mod removal;
mod scope;
mod urls;
mod write_part;

pub use removal::Removal;
pub(crate) use removal::TextFilter;
pub use scope::{CutError, CutScope};
pub use write_part::{check_format, write_json_part, write_part};
