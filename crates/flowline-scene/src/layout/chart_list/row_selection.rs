//! Rows represented by chart items, marker counts of these rows in a range, and edges of their markers.

use super::item::{Item, ItemKind};
use super::items::{
    CallRow, CollapsedGroup, CounterItem, MarkerRow, MoreGroups, MoreThreads, ProcessHeading, SamplesHeading,
    ThreadGroupHeading, ThreadHeading,
};
use super::row_groups::{GroupPlace, group_places, kind_on_tracks};
use crate::layout::filters::{ThreadPart, count_overlapping};
use crate::layout::scene_input::SceneInput;
use flowline_index::{Group, ThreadRows};
use flowline_profile::{Arrangement, LocalMarker, Ns, Thread, ThreadId, TimeRange};
use flowline_view::{RowSelection, RowSet, TrackId};

/// Selected share of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectedShare {
    /// Nothing.
    None,
    /// Some of the rows that it represents.
    Some,
    /// All of it.
    All,
}

/// Number of markers in a selection box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoxCount {
    /// Number of markers.
    pub markers: usize,
    /// True if markers that start before the box may be missing from the count, because finding them would take too
    /// long.
    pub is_least: bool,
}

/// At most this many markers of a thread without rows are examined one by one.
const MAX_LOOKED_AT: usize = 1 << 18;

const fn rows_of(group: &Group) -> std::ops::Range<u32> {
    group.first_row..group.first_row + group.rows
}

impl SceneInput<'_> {
    /// The rows that an item represents: a row represents itself, a collapsed group or thread all of its contents.
    /// Headings of expanded items represent no rows.
    #[must_use]
    pub fn rows_of(&self, kind: &ItemKind) -> RowSelection {
        let (mut choice, arrangement) = (RowSelection::default(), self.view.arrangement);
        match *kind {
            ItemKind::Row(MarkerRow { thread, row, .. }) => choice.add_rows(thread, arrangement, row..row + 1),
            ItemKind::CollapsedGroup(CollapsedGroup { thread, group, arrangement, .. }) => {
                let rows = self.built_rows(thread, arrangement).and_then(|rows| rows.groups.get(group as usize));
                rows.into_iter().for_each(|group| choice.add_rows(thread, arrangement, rows_of(group)));
            }
            ItemKind::MoreGroups(MoreGroups { thread, shown: false, .. }) => {
                let Some(rows) = self.built_rows(thread, arrangement) else { return choice };
                let places = group_places(rows, kind_on_tracks(self.index.profile(), arrangement));
                let unlisted = rows.groups.iter().zip(places).filter(|(_, place)| *place == GroupPlace::More);
                unlisted.for_each(|(group, _)| choice.add_rows(thread, arrangement, rows_of(group)));
            }
            ItemKind::Thread(ThreadHeading { thread, expanded: false }) => {
                let nested = self.index.profile().nested_tracks(thread).filter(|id| self.scope.shows(*id));
                choice.threads.extend(std::iter::once(thread).chain(nested));
            }
            ItemKind::ThreadGroup(ThreadGroupHeading { first, expanded: false, .. }) => {
                let shown = self.list.threads_of_group(first).iter().copied();
                choice.threads.extend(shown.flat_map(|id| self.index.profile().with_nested_tracks(id)));
            }
            ItemKind::MoreThreads(MoreThreads { first, .. }) => {
                let shown = self.list.threads_of_group(first).iter().copied();
                let unlisted = shown.filter(|id| !self.list.headings.contains_key(id));
                choice.threads.extend(unlisted.flat_map(|id| self.index.profile().with_nested_tracks(id)));
            }
            ItemKind::Process(ProcessHeading { process, collapsed: true }) => {
                let threads = self.index.profile().threads_with_ids().filter(|(_, thread)| thread.process == process);
                choice.threads.extend(threads.map(|(id, _)| id).filter(|id| self.scope.shows(*id)));
            }
            ItemKind::Samples(SamplesHeading { thread, .. }) | ItemKind::Calls(CallRow { thread, .. }) => {
                choice.samples.insert(thread);
            }
            ItemKind::Counter(CounterItem { counter }) => drop(choice.counters.insert(counter)),
            // All other items represent rows of tracks of registered kinds, or none.
            ref other => {
                other.track_rows(self).into_iter().for_each(|(track, rows)| choice.add_track_rows(track, rows));
            }
        }
        choice
    }

    /// The rows that an item's label represents. The label of a group's first row represents the whole group.
    #[must_use]
    pub fn label_rows(&self, kind: &ItemKind) -> RowSelection {
        let ItemKind::Row(MarkerRow { thread, group, first_of_group: true, .. }) = *kind else {
            return self.rows_of(kind);
        };
        let (mut choice, arrangement) = (RowSelection::default(), self.view.arrangement);
        let group = self.built_rows(thread, arrangement).and_then(|rows| rows.groups.get(group as usize));
        group.into_iter().for_each(|group| choice.add_rows(thread, arrangement, rows_of(group)));
        choice
    }

    /// The rows between two distances from the top of the content, in points.
    #[must_use]
    pub fn rows_between(&self, top: f64, bottom: f64) -> RowSelection {
        let mut choice = RowSelection::default();
        let items = self.list.visible(top, bottom.max(top + f64::EPSILON));
        items.iter().for_each(|item| choice.add(&self.rows_of(&item.kind)));
        choice
    }

    fn built_rows(&self, thread: ThreadId, arrangement: Arrangement) -> Option<&ThreadRows> {
        self.list.shown().layout(self.index, arrangement, thread).map(|layout| &layout.rows)
    }

    /// Selected share of an item: of the selected rows or, if none are selected, of the selected threads.
    #[must_use]
    pub fn selected_share(&self, kind: &ItemKind) -> SelectedShare {
        let all_or_none = |is_selected_row| if is_selected_row { SelectedShare::All } else { SelectedShare::None };
        let thread = match *kind {
            ItemKind::Thread(ThreadHeading { thread, .. }) => Some(thread),
            ref kind => thread_of(kind),
        };
        let Some(rows) = self.scope.rows() else {
            return all_or_none(
                thread
                    .zip(self.scope.selected_threads())
                    .is_some_and(|(id, selected_threads)| selected_threads.contains(&id)),
            );
        };
        match *kind {
            ItemKind::Samples(_) | ItemKind::Calls(_) => {
                return all_or_none(thread.is_some_and(|id| rows.samples.contains(&id) || rows.threads.contains(&id)));
            }
            ItemKind::Counter(CounterItem { counter }) => return all_or_none(rows.counters.contains(&counter)),
            _ if thread.is_some_and(|id| rows.threads.contains(&id)) => return SelectedShare::All,
            ItemKind::Thread(ThreadHeading { thread, expanded: false }) => {
                return if self.scope.has(thread) { SelectedShare::Some } else { SelectedShare::None };
            }
            _ => {}
        }
        let own = self.rows_of(kind);
        if own.is_empty() {
            return SelectedShare::None;
        }
        if rows.has_all(&own) {
            return SelectedShare::All;
        }
        let has_part = |(key, part): (&TrackId, &RowSet)| rows.tracks.get(key).is_some_and(|own| own.has_any(part));
        let has_some = own.tracks.iter().any(has_part)
            || own.threads.iter().any(|thread| self.scope.has(*thread))
            || own.rows.iter().any(|(key, part)| rows.rows.get(key).is_some_and(|chosen| chosen.has_any(part)));
        if has_some { SelectedShare::Some } else { SelectedShare::None }
    }

    /// Number of markers of some rows that are in a range and match the search, by binary search on each row.
    #[must_use]
    pub fn count_in_box(&self, choice: &RowSelection, range: Option<TimeRange>) -> BoxCount {
        let (profile, mut count) = (self.index.profile(), BoxCount::default());
        for ((id, arrangement), rows) in choice.rows.iter().filter(|((id, _), _)| !choice.threads.contains(id)) {
            let Some(layout) = self.found_rows(*id, *arrangement) else { continue };
            let numbers = rows.iter().map(|row| row as usize).take_while(|row| *row < layout.len());
            let thread = profile.thread(*id);
            count.markers += numbers.map(|row| count_overlapping(thread, layout.row(row), range)).sum::<usize>();
        }
        for id in choice.threads.iter().copied().filter(|id| self.scope.shows(*id)) {
            let thread = profile.thread(id);
            if let Some(layout) = self.found_rows(id, self.view.arrangement) {
                let rows = (0..layout.len()).map(|row| count_overlapping(thread, layout.row(row), range));
                count.markers += rows.sum::<usize>();
                continue;
            }
            let part = self.scope.hits().map_or(ThreadPart::All, |hits| ThreadPart::Some(hits.thread(id)));
            let (markers, is_least) = count_unarranged(thread, part, range);
            count.markers += markers;
            count.is_least |= is_least;
        }
        if !choice.tracks.is_empty() {
            count.markers += self.count_on_tracks(choice, range);
        }
        count
    }

    /// Number of markers on the selected rows of tracks of registered kinds that are in a range and match the search,
    /// without those of other selected rows.
    fn count_on_tracks(&self, choice: &RowSelection, range: Option<TimeRange>) -> usize {
        let mut count = 0;
        for (id, markers) in self.scope.markers_on_tracks().filter(|(id, _)| !choice.threads.contains(id)) {
            let thread = self.index.profile().thread(id);
            let selected = || choice.rows.iter().filter(|((of, _), _)| *of == id);
            let is_on_row = |marker: LocalMarker| {
                selected().any(|((_, arrangement), rows)| {
                    let layout = self.list.shown().layout(self.index, *arrangement, id);
                    let row = layout.and_then(|layout| layout.find(thread, marker)).map(|(row, _)| row);
                    row.and_then(|row| u32::try_from(row).ok()).is_some_and(|row| rows.contains(row))
                })
            };
            let is_counted = |marker: &LocalMarker| {
                let own = thread.markers.range(*marker);
                range.is_none_or(|range| range.overlaps(own.start, own.end))
                    && self.scope.hits().is_none_or(|hits| hits.contains(id, *marker))
                    && !is_on_row(*marker)
            };
            if self.scope.shows(id) {
                count += markers.iter().filter(|marker| is_counted(marker)).count();
            }
        }
        count
    }

    /// The rows of a thread, with only the hits if a search is active; `None` if they are not built.
    fn found_rows(&self, thread: ThreadId, arrangement: Arrangement) -> Option<&ThreadRows> {
        let rows = self.built_rows(thread, arrangement)?;
        let Some(search) = self.scope.search() else { return Some(rows) };
        // The search result may still belong to the other arrangement.
        search.layout.thread(thread).map(|found| &found.rows).filter(|found| found.len() == rows.len())
    }

    /// The marker edge closest to a time on an item, if it is within `reach` device pixels.
    #[must_use]
    pub fn snap(&self, item: &Item, time: Ns, reach: f64) -> Option<Ns> {
        let edges = self.edges_of(item, time);
        let nearest = edges.into_iter().min_by_key(|edge| edge.0.abs_diff(time.0))?;
        let axis = &self.view.axis;
        ((axis.pixel(nearest) - axis.pixel(time)).abs() <= reach).then_some(nearest)
    }

    /// Edges of markers around a time on an item.
    fn edges_of(&self, item: &Item, time: Ns) -> Vec<Ns> {
        self.edges_of_thread(item, time).unwrap_or_else(|| item.kind.edges_near(self, time))
    }

    /// Edges of markers around a time on a row of a thread; `None` for other items.
    fn edges_of_thread(&self, item: &Item, time: Ns) -> Option<Vec<Ns>> {
        let (thread, layout, rows) = match item.kind {
            ItemKind::Row(MarkerRow { thread, row, .. }) => (
                thread,
                &self.list.shown().layout(self.index, self.view.arrangement, thread)?.rows,
                row as usize..row as usize + 1,
            ),
            ItemKind::CollapsedGroup(collapsed) => (collapsed.thread, &self.list.collapsed(&collapsed)?.all.rows, 0..2),
            ItemKind::Thread(ThreadHeading { thread, expanded: false }) => {
                (thread, &self.list.shown().summary(self.index, thread).rows, 0..2)
            }
            _ => return None,
        };
        let thread = self.index.profile().thread(thread);
        let rows = rows.filter(|row| *row < layout.len());
        Some(rows.flat_map(|row| edges_around(thread, layout.row(row), time)).collect())
    }
}

/// The thread that contains an item's row.
const fn thread_of(kind: &ItemKind) -> Option<ThreadId> {
    match kind {
        ItemKind::Row(MarkerRow { thread, .. })
        | ItemKind::CollapsedGroup(CollapsedGroup { thread, .. })
        | ItemKind::MoreGroups(MoreGroups { thread, .. })
        | ItemKind::Samples(SamplesHeading { thread, .. })
        | ItemKind::Calls(CallRow { thread, .. }) => Some(*thread),
        _ => None,
    }
}

/// The starts and ends before and after a time on a row that is sorted by both.
fn edges_around(thread: &Thread, row: &[LocalMarker], time: Ns) -> Vec<Ns> {
    let mut edges = Vec::with_capacity(4);
    for edge in [|range: TimeRange| range.start, |range: TimeRange| range.end] {
        let of = |marker: &LocalMarker| edge(thread.markers.range(*marker));
        let after = row.partition_point(|marker| of(marker) < time);
        let around = [after.checked_sub(1), Some(after)].into_iter().flatten();
        edges.extend(around.filter_map(|at| row.get(at)).map(of));
    }
    edges
}

/// Number of markers of a thread that are in a range. If there are too many to examine, counts only markers that start
/// in the range and returns true.
fn count_unarranged(thread: &Thread, part: ThreadPart<'_>, range: Option<TimeRange>) -> (usize, bool) {
    let times = thread.markers.times();
    let count = part.len(thread.markers.len());
    let Some(range) = range else { return (count, false) };
    let marker = |at: usize| match part {
        ThreadPart::Some(markers) => markers[at].index(),
        _ => at,
    };
    // The candidates are ordered by start.
    let before = |time: Ns| {
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = usize::midpoint(low, high);
            if times.start(marker(middle)) < time { low = middle + 1 } else { high = middle }
        }
        low
    };
    let (first, end) = (before(range.start), before(range.end).max(before(range.start)));
    if first > MAX_LOOKED_AT {
        return (end - first, true);
    }
    let reaches = |own: TimeRange| range.overlaps(own.start, own.end);
    let reaching = (0..first).filter(|at| reaches(times.range(marker(*at)))).count();
    (end - first + reaching, false)
}
