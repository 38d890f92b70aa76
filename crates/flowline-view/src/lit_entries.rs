//! The entries that the chart highlights while a table shows them under the pointer or the cursor.

use std::collections::BTreeSet;

use flowline_profile::{FuncId, StringId, ThreadId, TimeRange};

/// Calls and slices of some threads, described by their functions and names. The description is small, and drawing
/// compares it with what is on screen, so highlighting a million slices costs no more than a few.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LitEntries {
    /// The threads.
    pub threads: Vec<ThreadId>,
    /// The range that the entries overlap; `None` for all times.
    pub range: Option<TimeRange>,
    /// Functions of the calls.
    pub functions: BTreeSet<FuncId>,
    /// Names of the slices.
    pub names: BTreeSet<StringId>,
}

impl LitEntries {
    /// True if calls of the thread can be highlighted.
    #[must_use]
    #[inline]
    pub fn has_calls_of(&self, thread: ThreadId) -> bool {
        !self.functions.is_empty() && self.threads.contains(&thread)
    }

    /// True if slices of the thread can be highlighted.
    #[must_use]
    #[inline]
    pub fn has_slices_of(&self, thread: ThreadId) -> bool {
        !self.names.is_empty() && self.threads.contains(&thread)
    }
}
