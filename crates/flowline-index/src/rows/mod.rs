//! Rows: the arrangement of a thread's markers. The markers of a row do not overlap and are sorted by both start and
//! end.

mod clock;
mod first_fit;
mod internals;
mod landmarks;
mod layout;
mod operations;
mod packing;
mod pyramid;
mod row_depths;
mod span;
mod span_time;
mod stacked_markers;
mod thread_rows;

pub use clock::{Clock, MAX_TICK, TICK_BITS};
pub(crate) use first_fit::FirstFit;
pub(crate) use layout::{Layout, is_small};
pub use layout::{Overlap, RowMarkers, RowSource, Rows, ThreadLayout};
pub use pyramid::{Pyramid, RowItems, touching};
pub use row_depths::row_depths;
pub use span::{Packed, Span, Style};
pub(crate) use stacked_markers::{has_stack_of_both, stacked_attributes};
pub use thread_rows::{Group, ThreadRows, depths};
