//! The lines of the chart as facts: name, figure, place, and the contents within the visible range. They are what a person
//! reads in the label column, for scripts and tests.

use std::collections::BTreeMap;

use crate::layout::{Item, ItemKind, MarkerRow, MoreThreads, SceneInput, ThreadGroupHeading};
use crate::tracks::{TrackLabel, markers_on_rows, times_on_rows};
use flowline_index::{ProcessTime, sampled_busy};
use flowline_profile::{Arrangement, GroupKind, LocalMarker, Ns, ProcessId, ThreadId, TimeRange};
use flowline_view::RowSelection;

/// A line of the chart: an item with a label, and the rows below it that belong to it.
#[derive(Clone, Debug)]
pub struct ViewLine {
    /// Kind of the line, such as `thread`, `stack` or `frames`.
    pub kind: &'static str,
    /// Its label.
    pub label: TrackLabel,
    /// The time beside its name.
    pub figure: Option<ProcessTime>,
    /// The thread or track, if it belongs to one.
    pub thread: Option<ThreadId>,
    /// The process, if it belongs to one.
    pub process: Option<ProcessId>,
    /// Distance from the top of the chart in points; negative above it.
    pub y: f64,
    /// Height in points, with its rows.
    pub height: f64,
    /// True if a part of it is in view.
    pub is_visible: bool,
    /// Number of threads behind a folded line.
    pub members: usize,
    /// Number of markers on it, or else of samples, that the visible range contains at least partly.
    pub entries: usize,
    /// The part of the visible range with a marker that has a length, or with a sample that is not idle.
    pub covered: Ns,
}

impl SceneInput<'_> {
    /// The lines of the chart from top to bottom, those out of view included.
    #[must_use]
    pub fn view_lines(&self) -> Vec<ViewLine> {
        let height = f64::from(self.regions.chart.height / self.scale);
        let mut lines: Vec<(ViewLine, RowSelection)> = Vec::new();
        for item in self.list.items() {
            let (label, rows) = (item.kind.label(self), self.rows_of(&item.kind));
            let bottom = item.y - self.view.scroll + item.height;
            let is_visible = bottom > 0.0 && item.y - self.view.scroll < height;
            match lines.last_mut() {
                // An item without a label belongs to the line above.
                Some((line, all)) if label.spoken.is_empty() => {
                    all.add(&rows);
                    // The rows of a stack continue below the samples of their thread.
                    if matches!(item.kind, ItemKind::Row(_) | ItemKind::Calls(_)) && line.kind == "samples" {
                        line.kind = self.kind_name(&item.kind);
                    }
                    (line.height, line.is_visible) = (bottom - line.y, line.is_visible || is_visible);
                }
                _ => lines.push((self.view_line(item, label, is_visible), rows)),
            }
        }
        let visible = self.view.axis.visible();
        let with_contents = |(mut line, rows): (ViewLine, RowSelection)| {
            (line.entries, line.covered) = self.contents_of(&rows, visible);
            line
        };
        lines.into_iter().map(with_contents).collect()
    }

    fn view_line(&self, item: &Item, label: TrackLabel, is_visible: bool) -> ViewLine {
        let (thread, process) = self.owners(&item.kind);
        let members = match item.kind {
            ItemKind::ThreadGroup(group) if !group.expanded => group.count as usize,
            ItemKind::IdleThreads(idle) if !idle.shown => idle.count as usize,
            ItemKind::MoreThreads(more) => more.count as usize,
            ItemKind::Process(heading) if heading.collapsed => self.rows_of(&item.kind).threads.len(),
            _ => 0,
        };
        ViewLine {
            kind: self.kind_name(&item.kind),
            figure: item.kind.figure(self),
            thread,
            process,
            y: item.y - self.view.scroll,
            height: item.height,
            is_visible,
            members,
            entries: 0,
            covered: Ns(0),
            label,
        }
    }

    /// The thread and the process of an item.
    #[must_use]
    pub fn owners(&self, kind: &ItemKind) -> (Option<ThreadId>, Option<ProcessId>) {
        let profile = self.index.profile();
        let thread = match *kind {
            ItemKind::Thread(heading) => Some(heading.thread),
            ItemKind::Row(row) => Some(row.thread),
            ItemKind::CollapsedGroup(group) => Some(group.thread),
            ItemKind::MoreGroups(more) => Some(more.thread),
            ItemKind::Samples(heading) => Some(heading.thread),
            ItemKind::Calls(row) => Some(row.thread),
            _ => None,
        };
        let process = match *kind {
            ItemKind::Process(heading) => Some(heading.process),
            ItemKind::IdleThreads(idle) => Some(idle.process),
            ItemKind::CounterHeading(heading) => heading.process,
            ItemKind::MoreCounters(more) => more.process,
            ItemKind::ThreadGroup(ThreadGroupHeading { first, .. })
            | ItemKind::MoreThreads(MoreThreads { first, .. }) => Some(profile.thread(first).process),
            _ => thread.map(|thread| profile.thread(thread).process),
        };
        (thread, process)
    }

    fn kind_name(&self, kind: &ItemKind) -> &'static str {
        match *kind {
            ItemKind::Track(heading) => heading.track.kind,
            ItemKind::TrackRow(row) => row.track.kind,
            ItemKind::MoreRows(_) | ItemKind::MoreGroups(_) | ItemKind::MoreThreads(_) | ItemKind::MoreCounters(_) => {
                "more"
            }
            ItemKind::Process(_) => "process",
            ItemKind::Thread(heading) if self.index.profile().is_thread(heading.thread) => "thread",
            ItemKind::Thread(_) => "track",
            ItemKind::Row(MarkerRow { thread, group, .. }) => {
                self.group_name(thread, self.view.arrangement, group as usize)
            }
            ItemKind::CollapsedGroup(group) => self.group_name(group.thread, group.arrangement, group.group as usize),
            ItemKind::Samples(_) => "samples",
            ItemKind::Calls(_) => "calls",
            ItemKind::FlowTrack(_) => "flows",
            ItemKind::FlowRow(_) => "flow",
            ItemKind::CounterHeading(_) => "counters",
            ItemKind::Counter(_) => "counter",
            ItemKind::ThreadGroup(_) => "group",
            ItemKind::IdleThreads(_) => "idle",
            ItemKind::FlowLaneHeading(_) => "flow_type",
            ItemKind::FlowLane(_) | ItemKind::InstantLanes(_) | ItemKind::OutsideLanes(_) => "flow_lane",
        }
    }

    fn group_name(&self, thread: ThreadId, arrangement: Arrangement, group: usize) -> &'static str {
        let layout = self.list.shown().layout(self.index, arrangement, thread);
        match layout.and_then(|layout| layout.rows.groups.get(group)).map(|group| group.kind) {
            Some(GroupKind::Stack) => "stack",
            Some(GroupKind::Network) => "requests",
            _ => "rows",
        }
    }

    /// Number of markers, samples or values of rows within a range, and the part of the range that they cover.
    fn contents_of(&self, rows: &RowSelection, range: TimeRange) -> (usize, Ns) {
        let profile = self.index.profile();
        let mut found: Vec<TimeRange> = Vec::new();
        for thread in &rows.threads {
            found.extend(profile.thread(*thread).markers.times().ranges());
        }
        for ((thread, arrangement), set) in &rows.rows {
            let Some(layout) = self.list.shown().layout(self.index, *arrangement, *thread) else { continue };
            let markers = &profile.thread(*thread).markers;
            for row in set.iter().take_while(|row| (*row as usize) < layout.rows.len()) {
                found.extend(layout.rows.row(row as usize).iter().map(|marker| markers.range(*marker)));
            }
        }
        let on_tracks: BTreeMap<ThreadId, Vec<LocalMarker>> = markers_on_rows(self.index, &rows.tracks);
        for (thread, markers) in on_tracks {
            found.extend(markers.into_iter().map(|marker| profile.thread(thread).markers.range(marker)));
        }
        found.extend(times_on_rows(self.index, &rows.tracks));
        found.retain(|own| range.overlaps(own.start, own.end));
        let of_markers = union(&found, range);
        let sampled: Vec<ThreadId> =
            rows.samples.iter().chain(rows.threads.iter().filter(|_| found.is_empty())).copied().collect();
        let busy = sampled.iter().filter_map(|thread| sampled_busy(profile, *thread, range));
        let of_samples = Ns(busy.map(|busy| busy.0).fold(0, i64::saturating_add).min(range.len()));
        if !found.is_empty() {
            return (found.len(), of_markers.max(of_samples));
        }
        let samples = sampled.iter().filter_map(|thread| Some(&profile.samples(*thread)?.cpu));
        let within = |times: &[Ns]| {
            let before = |time: Ns| times.partition_point(|other| *other < time);
            before(range.end) - before(range.start)
        };
        let samples: usize = samples.map(|table| within(&table.time)).sum();
        let values = rows.counters.iter().flat_map(|counter| &profile.counters[counter.index()].series);
        let values: usize = values
            .map(|series| {
                series.samples.iter().filter(|value| value.time >= range.start && value.time < range.end).count()
            })
            .sum();
        (samples + values, of_samples)
    }
}

/// Length of the union of some ranges within another one.
fn union(ranges: &[TimeRange], within: TimeRange) -> Ns {
    let mut parts: Vec<TimeRange> = ranges.iter().map(|own| own.within(within)).collect();
    parts.sort_unstable_by_key(|part| part.start);
    let (mut covered, mut until) = (0_i64, Ns(i64::MIN));
    for part in parts.iter().filter(|part| !part.is_empty()) {
        covered = covered.saturating_add((part.end.0 - part.start.0.max(until.0)).max(0));
        until = until.max(part.end);
    }
    Ns(covered)
}
