//! Nesting of slices: ancestors, direct children, and self time, computed for one marker on demand, without per-marker
//! memory.
//!
//! Slices are ordered by start. Among equal starts the longer slice comes first; among equal extents the earlier marker
//! comes first. The *parent* of a slice is the last slice before it in this order that contains it, ends included, so a
//! zero-length slice at the edge of another slice is its child. Rows of nested slices (see [`ThreadRows`](crate::ThreadRows)) place a
//! parent on a row above its children. Partly overlapping slices can be on any row, so containment is always tested.
//!
//! Two facts make the search cheap. First, only the last slice of a row that starts before a slice can enclose it, so
//! all ancestors cost one binary search per row. Second, a slice is a child of `m` if and only if it ends later than
//! every slice between `m` and it, but not later than `m`. Ends ascend within a row, so a binary search finds the next
//! such slice of the row and skips deeper slices. The first slice that ends after `m` ends the search, because it
//! contains all later slices.

mod contents;
mod parents;
mod self_time;
mod slices;
#[cfg(test)]
mod tests;

pub use contents::{Contents, NameGroup};
pub use parents::parents;
pub use self_time::{self_times, visit_self_times};
pub use slices::{Children, Nesting, is_nested};
