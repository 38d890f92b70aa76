//! The limit of `--max-memory` for a whole command, or for a load alone.

use flowline_import::Budget;
use flowline_profile::heap;

/// Ends the program if it uses more memory than its budget and a sixteenth, while this value exists. A load notices its
/// budget before, and its error names the recording; this is for what grows at once, and for what follows the load.
#[derive(Debug)]
pub(super) struct MemoryLimit {
    previous: u64,
}

impl MemoryLimit {
    /// Applies an explicit budget.
    pub(super) fn apply(budget: Budget) -> Option<Self> {
        let limit = budget.limit?;
        Some(Self { previous: heap::set_limit(limit.saturating_add(limit / 16)) })
    }
}

impl Drop for MemoryLimit {
    fn drop(&mut self) {
        heap::set_limit(self.previous);
    }
}
