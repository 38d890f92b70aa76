//! Serialization to a file whose columns are borrowed from its memory map when it is read.

mod format;
mod parts;

pub use format::{Persist, Reader, Writer, Written, persist};
