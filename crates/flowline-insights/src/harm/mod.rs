//! Slices that do harm: tasks that block a thread, and style and layout that scripts force. The chart marks them.

mod forced_flushes;
mod forced_layout;
mod list;
mod slices;
mod sums;
mod tasks;

pub(crate) use forced_flushes::{FLUSH, ForcedFlush, forced_flushes};
pub use list::Harm;
pub use slices::{HarmfulSlice, HarmfulSlices};
pub use sums::{HarmSum, HarmSums};
