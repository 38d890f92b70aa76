//! Slices that do harm: tasks that block a thread, and style and layout that scripts force. The chart marks them.

mod forced_layout;
mod list;
mod sums;
mod tasks;

pub use list::{Harm, HarmfulSlice, HarmfulSlices};
pub use sums::{HarmSum, HarmSums};
