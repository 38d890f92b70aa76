//! Entries of a tree: which are visible, and what they stand for.

use flowline_profile::MarkerId;
use flowline_profile::samples::CallRef;

/// The visible entries of a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EntrySet {
    /// Calls, and the events that DevTools shows in its trees.
    #[default]
    Shown,
    /// Calls and all events.
    All,
    /// Only calls.
    Calls,
}

/// Position of an entry in [`EntryList`](super::EntryList).
pub type EntryId = u32;

/// The origin of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryItem {
    /// A trace event.
    Marker(MarkerId),
    /// A call of a function.
    Call(CallRef),
}

/// Set in the number of a call in [`EntryList::item`](super::EntryList).
pub(super) const CALL: u32 = 1 << 31;
