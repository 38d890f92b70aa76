//! Lookups in a track list by position, track and marker.

use std::sync::Arc;

use super::collapsed_group::CollapsedGroupRows;
use super::item::{Item, ItemKind};
use super::items::CollapsedGroup;
use super::track_list::TrackList;
use flowline_index::Index;
use flowline_index::hidden::FilteredRows;
use flowline_profile::{CallRef, ProcessId, ThreadId};
use flowline_view::{Arrangement, TrackRef};

/// The items that keep their numbers when the rows change: rows below a stack do not if calls are added to it.
pub(crate) fn steady_items(items: &[Item], rows: [&FilteredRows; 2]) -> Vec<Item> {
    let [was_merged, is_merged] = rows.map(|rows| |thread| rows.merged_threads().contains(&thread));
    let is_steady = |item: &Item| match item.kind {
        ItemKind::Row(row) => row.group == 0 || was_merged(row.thread) == is_merged(row.thread),
        _ => true,
    };
    items.iter().copied().filter(is_steady).collect()
}

impl TrackList {
    /// The rows of a collapsed group.
    pub(crate) fn collapsed(&self, group: &CollapsedGroup) -> Option<&CollapsedGroupRows> {
        self.collapsed.get(group).map(Arc::as_ref)
    }

    /// The filtered rows, without hidden entries.
    #[must_use]
    pub fn shown(&self) -> &FilteredRows {
        &self.shown
    }

    /// Index of the item at a distance from the top; the first or last one beyond the ends.
    #[must_use]
    pub fn position(&self, y: f64) -> usize {
        self.items.partition_point(|item| item.y <= y).saturating_sub(1)
    }

    /// True if another thread of the same process has the same name, or another track below the same parent.
    #[must_use]
    pub fn has_duplicate_name(&self, thread: ThreadId) -> bool {
        self.duplicate_names.contains(&thread)
    }

    /// The item with the heading of a track.
    #[must_use]
    pub fn heading_of(&self, track: TrackRef) -> Option<&Item> {
        self.items.iter().find(|item| item.kind.track() == Some(track))
    }

    /// All items from top to bottom.
    #[must_use]
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Height of the content in points.
    #[must_use]
    pub const fn height(&self) -> f64 {
        self.height
    }

    /// The items that touch a vertical range in points.
    #[must_use]
    pub fn visible(&self, top: f64, bottom: f64) -> &[Item] {
        let first = self.items.partition_point(|item| item.y + item.height <= top);
        let end = self.items.partition_point(|item| item.y < bottom);
        &self.items[first.min(end)..end]
    }

    /// The item at a distance from the top of the content.
    #[must_use]
    pub fn at(&self, y: f64) -> Option<&Item> {
        let after = self.items.partition_point(|item| item.y <= y);
        self.items.get(after.checked_sub(1)?).filter(|item| y < item.y + item.height)
    }

    /// True if a thread has a heading or is one of a listed group.
    #[must_use]
    pub fn lists(&self, thread: ThreadId) -> bool {
        self.headings.contains_key(&thread) || self.grouped.contains_key(&thread)
    }

    /// True if a thread is listed below the heading of a group of numbered threads.
    #[must_use]
    pub fn is_grouped(&self, thread: ThreadId) -> bool {
        self.grouped.contains_key(&thread)
    }

    /// True if a process needs its id to be told from another one.
    #[must_use]
    pub fn has_alike_process(&self, process: ProcessId) -> bool {
        self.alike_processes.contains(&process)
    }

    /// The threads of a group of numbered threads, by the first of them.
    #[must_use]
    pub fn threads_of_group(&self, first: ThreadId) -> &[ThreadId] {
        self.thread_groups.get(&first).map_or(&[], Vec::as_slice)
    }

    /// The heading of the group of a thread.
    pub(crate) fn group_of(&self, thread: ThreadId) -> Option<Item> {
        let first = *self.grouped.get(&thread)?;
        let is_heading = |item: &&Item| matches!(item.kind, ItemKind::ThreadGroup(group) if group.first == first);
        self.items.iter().find(is_heading).copied()
    }

    /// The heading of a thread and all items after it.
    pub(crate) fn after_heading(&self, thread: ThreadId) -> Option<&[Item]> {
        self.headings.get(&thread).map(|heading| &self.items[*heading..])
    }

    /// The row of a thread's stack that shows a call, if the stack contains calls.
    pub(crate) fn stack_row_of(&self, index: &Index, arrangement: Arrangement, call: CallRef) -> Option<Item> {
        let merged = self.shown.merged(index, call.thread).filter(|_| arrangement == Arrangement::Stack)?;
        let row = merged.row_of_call(index.profile(), call)?;
        let rows = self.after_heading(call.thread)?[1..].iter().take_while(|item| item.kind.is_of_thread());
        rows.clone().find(|item| matches!(item.kind, ItemKind::Row(shown) if shown.row as usize == row)).copied()
    }
}
