//! Columns of plain data, which take little memory and can be mapped from a file.

mod column;
mod dictionary;
mod offsets;

pub use column::{Column, SharedBytes};
pub(crate) use dictionary::DictionaryBuilder;
pub use dictionary::{Dictionary, DictionaryView};
pub(crate) use offsets::{Offsets, OffsetsBuilder, OffsetsView};
