//! Slices that do harm: tasks that block a thread, and style and layout that scripts force. The chart marks them.

mod forced_flushes;
mod forced_layout;
mod list;
mod long_tasks;
mod slices;
mod sums;
mod task_name;
mod task_names;

pub(crate) use forced_flushes::{FLUSH, ForcedFlush, forced_flushes};
pub use list::Harm;
pub use long_tasks::{LONG_TASK, LongTasks, MAIN_THREADS};
pub use slices::{HarmfulSlice, HarmfulSlices};
pub use sums::{HarmSum, HarmSums};
pub use task_names::TaskNames;
