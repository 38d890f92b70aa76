//! Rows: the arrangement of a thread's markers. The markers of a row do not overlap and are sorted by both start and
//! end.

mod operations;
mod packing;
mod thread_rows;

pub use thread_rows::{Group, ThreadRows, depths};
