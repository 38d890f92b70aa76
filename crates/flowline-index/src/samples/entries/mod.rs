//! Entries: slices (trace events and other intervals that nest) and calls of threads, nested as in Chrome DevTools, and
//! their costs.
//!
//! Entries are ordered by start, longer ones first; of equal extents, calls come before events. An entry that begins
//! inside another and ends after it is dropped, as in DevTools. The time of hidden entries belongs to the entry around
//! them.
//!
//! Each entry has a *path*: the names from the outermost entry on. Paths are the stacks of a [`StackView`](super::StackView), so
//! transforms, filters and trees of samples work on them, too. The self cost of a path is the time of its entries
//! without the entries directly inside them.

mod address;
mod entry;
mod entry_log;
mod entry_nesting;
mod event_address;
mod find;
mod groups;
mod list;
mod names;
#[cfg(test)]
mod tests;

pub use entry::{EntryId, EntryItem, EntrySet};
pub use entry_log::EntryLog;
pub use event_address::event_address;
pub(crate) use list::times_by_work;
pub use list::{EntryCosts, EntryList, default_entries, has_entries, has_samples, has_work, work_of};
pub use names::{BROWSER_EVENTS, Work};
