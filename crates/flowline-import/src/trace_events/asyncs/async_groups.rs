//! The groups of async slices: one for each operation, with the slices that stay together on their rows.

use std::cmp::Reverse;
use std::ops::Range;

use super::async_bindings::BindingCandidate;
use crate::trace_events::text::ids::{Id, NONE, TextId};
use crate::trace_events::tracks::event_links::EventLinks;
use crate::trace_events::tracks::slice::Slice;
use flowline_profile::{Ns, Warnings};

/// The slices of one operation.
#[derive(Debug)]
pub(in crate::trace_events) struct AsyncGroup {
    /// Process of the earliest event.
    pub(in crate::trace_events) pid: TextId,
    /// The track that the events name; [`NONE`] for ids of other kinds.
    pub(in crate::trace_events) tid: TextId,
    pub(in crate::trace_events) id: Id,
    /// True for an object, which is not an operation.
    pub(in crate::trace_events) is_object: bool,
    /// Number of operations with the same key.
    pub(in crate::trace_events) uses: u32,
    /// [`Slice::order`] of the first slice.
    pub(super) order: (Ns, Reverse<Ns>, u64),
    /// Number of the list that contains the slices; `slices` is the range in it.
    pub(super) list: u32,
    pub(super) slices: Range<u32>,
}

/// Groups and other results of the async events.
#[derive(Debug, Default)]
pub(in crate::trace_events) struct AsyncGroups {
    /// Groups by start.
    pub(in crate::trace_events) groups: Vec<AsyncGroup>,
    /// The slices of all groups.
    pub(super) lists: Vec<Vec<Slice>>,
    /// Events whose slices flow events may bind to.
    pub(in crate::trace_events) candidates: Vec<BindingCandidate>,
    /// The byte offset of the event that began each slice, and the process and thread pairs of the events that began
    /// and ended it ([`NONE`] without such an event); sorted by offset.
    pub(super) threads: Vec<(u64, [u32; 2])>,
    /// Links between the events of each slice, if wanted.
    pub(in crate::trace_events) links: EventLinks,
    pub(in crate::trace_events) warnings: Warnings,
}

impl AsyncGroups {
    /// Returns the process and thread pairs of the events that began and ended a slice; [`NONE`] without such an event.
    pub(in crate::trace_events) fn threads_of(&self, slice: &Slice) -> [u32; 2] {
        let found = self.threads.binary_search_by_key(&slice.offset(), |(offset, _)| *offset);
        found.ok().and_then(|at| self.threads.get(at)).map_or([NONE; 2], |(_, pairs)| *pairs)
    }

    /// Returns the slices of a group, sorted by [`Slice::order`].
    pub(in crate::trace_events) fn slices(&self, group: &AsyncGroup) -> &[Slice] {
        let list = self.lists.get(group.list as usize).map(Vec::as_slice).unwrap_or_default();
        list.get(group.slices.start as usize..group.slices.end as usize).unwrap_or_default()
    }
}
