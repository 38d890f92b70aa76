//! Lookups in a track list by position, track and marker.

use std::sync::Arc;

use super::collapsed_group::CollapsedGroupRows;
use super::item::{Item, ItemKind};
use super::items::{CollapsedGroup, ProcessHeading, ThreadHeading};
use super::track_list::TrackList;
use flowline_index::Index;
use flowline_index::hidden::FilteredRows;
use flowline_profile::{CallRef, LocalMarker, ProcessId, ThreadId};
use flowline_view::{Arrangement, TrackRef};

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
    fn group_of(&self, thread: ThreadId) -> Option<Item> {
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

    /// The item that shows a marker: its row, the row of its collapsed group, the line for unlisted groups, or the
    /// heading of its collapsed thread or process. With flow lanes, the first of its flows that has a lane.
    #[must_use]
    pub fn item_of(
        &self,
        index: &Index,
        arrangement: Arrangement,
        thread: ThreadId,
        marker: LocalMarker,
    ) -> Option<Item> {
        if self.flow_lanes.is_some() {
            let flows = index.flows().flows_of(index.profile().thread(thread).global(marker));
            return flows.iter().find_map(|flow| self.lane(*flow)).copied();
        }
        let Some(heading) = self.headings.get(&thread).copied() else {
            let mut parents = index.profile().track_parents(thread);
            if let Some(heading) = parents.find_map(|parent| self.headings.get(&parent)) {
                return Some(self.items[*heading]);
            }
            if let Some(group) = self.group_of(thread) {
                return Some(group);
            }
            let process = index.profile().thread(thread).process;
            let is_process = |item: &&Item| item.kind == ItemKind::Process(ProcessHeading { process, collapsed: true });
            return self.items.iter().find(is_process).copied();
        };
        match self.items[heading].kind {
            ItemKind::Thread(ThreadHeading { expanded: true, .. }) => {
                let layout = self.shown.layout(index, arrangement, thread)?;
                let (row, _) = layout.find(index.profile().thread(thread), marker)?;
                let number = u32::try_from(row).ok()?;
                let group = layout
                    .rows
                    .groups
                    .iter()
                    .position(|group| (group.first_row..group.first_row + group.rows).contains(&number))?;
                let rows = self.items[heading + 1..].iter().take_while(|item| item.kind.is_of_thread());
                let shows = |item: &&Item| match item.kind {
                    ItemKind::Row(row) => row.row == number,
                    ItemKind::CollapsedGroup(collapsed) => collapsed.group as usize == group,
                    ItemKind::MoreGroups(_) => true,
                    _ => false,
                };
                rows.clone().find(shows).copied()
            }
            _ => Some(self.items[heading]),
        }
    }
}
