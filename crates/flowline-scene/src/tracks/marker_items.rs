//! The item of the chart that shows a marker.

use super::registered::{entry_on_track, track_kind};
use crate::layout::{Item, ItemKind, ProcessHeading, ThreadHeading, TrackList, kind_on_tracks};
use flowline_index::Index;
use flowline_profile::{LocalMarker, MarkerId, ProcessId, ThreadId};
use flowline_view::Arrangement;

impl TrackList {
    /// The item that shows a marker: its row, the row of its collapsed group, the line for unlisted groups, the row or the
    /// heading of its track, or the heading of its collapsed thread or process. With flow lanes, the first of its flows that
    /// has a lane.
    #[must_use]
    pub fn item_of(
        &self,
        index: &Index,
        arrangement: Arrangement,
        thread: ThreadId,
        marker: LocalMarker,
    ) -> Option<Item> {
        let global = index.profile().thread(thread).global(marker);
        if self.flow_lanes.is_some() {
            return index.flows().flows_of(global).iter().find_map(|flow| self.lane(*flow)).copied();
        }
        let on_track = || self.item_on_track(index, global);
        let Some(heading) = self.headings.get(&thread).copied() else {
            let mut parents = index.profile().track_parents(thread);
            let parent = parents.find_map(|parent| self.headings.get(&parent)).map(|heading| self.items[*heading]);
            let process = index.profile().thread(thread).process;
            return parent
                .or_else(|| self.group_of(thread))
                .or_else(on_track)
                .or_else(|| self.collapsed_process(process));
        };
        if !matches!(self.items[heading].kind, ItemKind::Thread(ThreadHeading { expanded: true, .. })) {
            // A request is on its track, whether its thread is expanded or not.
            let is_request = || index.network_if_built().is_some_and(|network| network.request_of(global).is_some());
            let is_on_track = kind_on_tracks(index.profile(), arrangement).is_some() && is_request();
            return is_on_track.then(on_track).flatten().or(Some(self.items[heading]));
        }
        let layout = self.shown.layout(index, arrangement, thread)?;
        let (row, _) = layout.find(index.profile().thread(thread), marker)?;
        let number = u32::try_from(row).ok()?;
        let mut groups = layout.rows.groups.iter();
        let group = groups.position(|group| (group.first_row..group.first_row + group.rows).contains(&number))?;
        let is_on_track = kind_on_tracks(index.profile(), arrangement) == Some(layout.rows.groups[group].kind);
        let mut rows = self.items[heading + 1..].iter().take_while(|item| item.kind.is_of_thread());
        let shows = |item: &&Item| match item.kind {
            ItemKind::Row(row) => row.row == number,
            ItemKind::CollapsedGroup(collapsed) => collapsed.group as usize == group,
            ItemKind::MoreGroups(_) => !is_on_track,
            _ => false,
        };
        rows.find(shows).copied().or_else(on_track)
    }

    /// The row of a marker's entry on a track, the line for rows that are not listed, or the heading of a collapsed track.
    pub(crate) fn item_on_track(&self, index: &Index, marker: MarkerId) -> Option<Item> {
        let (row, _) = entry_on_track(index, marker)?;
        let of_track = |item: &&Item| match item.kind {
            ItemKind::TrackRow(shown) => shown.track == row.track,
            ItemKind::Track(heading) => heading.track == row.track,
            ItemKind::MoreRows(more) => more.track == row.track,
            _ => false,
        };
        let mut found = self.items.iter().skip_while(|item| !of_track(item)).take_while(of_track);
        let heading = found.next()?;
        if row.row == 0 && track_kind(row.track.kind)?.heads_first_row() {
            return Some(*heading);
        }
        let shows = |item: &Item| match item.kind {
            ItemKind::TrackRow(shown) => shown == row,
            _ => true,
        };
        Some(*found.find(|item| shows(item)).unwrap_or(heading))
    }

    /// The heading of a collapsed process.
    fn collapsed_process(&self, process: ProcessId) -> Option<Item> {
        let kind = ItemKind::Process(ProcessHeading { process, collapsed: true });
        self.items.iter().find(|item| item.kind == kind).copied()
    }
}
