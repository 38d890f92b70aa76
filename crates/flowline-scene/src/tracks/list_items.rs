//! Items of processes that are not threads: flow tracks and counters; and the end of the list, to which all items are added.

use crate::layout::{
    CounterHeading, CounterItem, FlowTrackHeading, FlowTrackItem, Item, ItemKind, MoreCounters, TrackList,
    compact_height,
};
use flowline_index::Index;
use flowline_index::flows::FlowTrack;
use flowline_index::search::Query;
use flowline_profile::{CounterId, ProcessId};
use flowline_view::Tracks;

impl TrackList {
    /// Adds an item below all others.
    pub(super) fn push(&mut self, kind: impl Into<ItemKind>) {
        let kind = kind.into();
        let height = if self.compact { compact_height(kind.height()) } else { kind.height() };
        if let ItemKind::Thread(heading) = kind {
            self.headings.entry(heading.thread).or_insert(self.items.len());
        }
        self.items.push(Item { y: self.height, height, kind });
        self.height += height;
    }

    /// Adds the flow tracks of a process.
    pub(super) fn push_flow_tracks(&mut self, process: ProcessId, flow_tracks: &[FlowTrack], tracks: &Tracks) {
        for (track, content) in (0_u32..).zip(flow_tracks).filter(|(_, track)| track.process == process) {
            let expanded = tracks.flow_tracks.contains(&track);
            self.push(FlowTrackHeading { track, expanded });
            for row in (0_u32..).take(content.rows()).filter(|_| expanded) {
                self.push(FlowTrackItem { track, row });
            }
        }
    }

    /// Adds the counters of a process; counters that match a search are expanded.
    pub(super) fn push_counters(
        &mut self,
        process: Option<ProcessId>,
        counters: Vec<CounterId>,
        tracks: &Tracks,
        found: bool,
    ) {
        if counters.is_empty() {
            return;
        }
        let are_all = found || tracks.counters.contains(&process);
        let is_listed = |counter: &CounterId| are_all || tracks.shown_counters.contains(counter);
        let all = counters.len();
        let listed: Vec<CounterId> = counters.into_iter().filter(is_listed).collect();
        let [count, rest] = [all, all - listed.len()].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        self.push(CounterHeading { process, count, expanded: !listed.is_empty() });
        for counter in listed {
            self.push(CounterItem { counter });
        }
        if rest > 0 && rest < count {
            self.push(MoreCounters { process, count: rest });
        }
    }
}

/// True if a query matches a counter by its name or by the name of a series.
pub(super) fn is_named(index: &Index, counter: CounterId, query: &Query) -> bool {
    let Some(counter) = index.profile().counters.get(counter.index()) else { return false };
    let series = counter.series.iter().map(|series| series.name.as_str());
    [counter.title(), counter.name.as_str()].into_iter().chain(series).any(|name| query.matches_name(name))
}
