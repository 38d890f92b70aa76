//! Grouping keys, and the group number of each marker.
//!
//! Names, categories, threads, and processes are already numbers, so their groups come from a table. Fields are in
//! payloads: their values are read once, on all cores, and each marker stores its group number in 4 bytes.

mod field;
mod field_path;
mod key;
mod numbers;
mod table;

pub use key::{Grouping, Key, KeyValue};
pub(crate) use numbers::Numbers;
