//! Initial expansion of tracks: the page's main thread or else the busiest thread, then others by work as long as they fit
//! without scrolling, members of groups included. If the chart has room left, what is still folded is opened until it is full.
//! Threads and tracks that only contain tracks are always expanded.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use flowline_index::Index;
use flowline_index::flows::FlowTrack;
use flowline_index::hidden::FilteredRows;
use flowline_index::samples::MergedRows;
use flowline_profile::{Arrangement, CounterId, GroupKind, Ns, ProcessId, Thread, ThreadId, TimeRange};
use flowline_scene::{
    COUNTER_HEIGHT, InViewFilter, ItemKind, ROW_HEIGHT, RowFilter, SamplesHeading, Scope, StackRows, THREAD_HEIGHT,
    TrackItem as _, TrackList, is_deep, kind_on_tracks, rows_height, stack_rows_in,
};
use flowline_view::{Tracks, ViewState};

/// Maximum number of threads examined.
const MAX_CANDIDATES: usize = 400;
/// Maximum number of times that the list is built to fill the chart.
const MOST_FILLS: usize = 24;
/// A recording with more threads is filled at most [`FEWER_FILLS`] times, because its lists take long to build.
pub(crate) const MANY_THREADS: usize = 20_000;
const FEWER_FILLS: usize = 3;
/// Number of counters of each process that are listed if a recording consists of counters.
const LEAST_COUNTERS: usize = 3;
/// Name of the threads of apps that draw.
const RENDER_THREAD: &str = "RenderThread";

/// The recording, its view and the room for it.
#[derive(Clone, Copy)]
pub(crate) struct ExpansionInput<'a> {
    pub(crate) index: &'a Index,
    pub(crate) shown: &'a Arc<FilteredRows>,
    pub(crate) flow_tracks: &'a [FlowTrack],
    pub(crate) view: &'a ViewState,
    /// Height of the chart in points.
    pub(crate) height: f64,
}

/// The tracks as initially expanded.
pub(crate) struct InitialExpansion {
    tracks: Tracks,
    arrangement: Arrangement,
}

/// The main threads of the page's process first, then by work, markers and samples.
type Rank = (u8, Reverse<(Ns, bool, usize, u64)>, ThreadId);

/// A thread to expand, with positions in points.
#[derive(Clone, Copy)]
struct Candidate {
    thread: ThreadId,
    /// Top of its heading, or of the place where it is listed, while all threads are collapsed.
    top: f64,
    /// Height of what is added when it is expanded.
    rows: f64,
    /// The first thread of its group.
    group: Option<ThreadId>,
}

impl InitialExpansion {
    /// Selects what is expanded in a chart. The first thread is expanded even if it does not fit or is off screen.
    pub(crate) fn new(input: ExpansionInput<'_>) -> Self {
        let ExpansionInput { index, view, height, .. } = input;
        let mut plan = Tracks::clone(&view.tracks);
        plan.expanded = containers(index);
        plan.shown_members.clear();
        plan.open_groups.clear();
        plan.show_empty.clear();
        plan.collapsed_groups.clear();
        plan.stack_charts = initial_stack_charts(index);
        plan.shown_counters = least_counters(index, &plan);
        let list = input.list(&plan);
        let cores = index.cores();
        let order = ranked(index, &cores);
        let mut chosen: Vec<Candidate> = Vec::new();
        let mut left: Vec<ThreadId> = Vec::new();
        let places = Places::of(&list);
        for (rank, thread) in order.iter().copied().enumerate() {
            let Some(candidate) = input.candidate((&places, &cores), thread) else {
                // A track below a collapsed one.
                left.push(thread);
                continue;
            };
            // A thread that is off screen while all threads are collapsed stays off screen.
            let is_off_screen = rank > 0 && candidate.top >= height;
            // Rows of the first thread that do not fit are below the edge, and so is everything below it.
            if !is_off_screen && (chosen.is_empty() || fits(&chosen, candidate, height)) {
                chosen.push(candidate);
            } else {
                left.push(thread);
            }
        }
        for thread in chosen.iter().flat_map(|candidate| together(&cores, candidate.thread)) {
            open(&mut plan, index, view.arrangement, thread);
        }
        let mut fill = Fill { input, cores, left: left.into(), plan };
        fill.run();
        Self { tracks: fill.plan, arrangement: view.arrangement }
    }

    pub(crate) fn apply(self, tracks: &mut Tracks) {
        tracks.opened.insert(self.arrangement, self.tracks.expanded.clone());
        let plan = self.tracks;
        (tracks.expanded, tracks.shown_members, tracks.open_groups) =
            (plan.expanded, plan.shown_members, plan.open_groups);
        (tracks.collapsed_groups, tracks.stack_charts) = (plan.collapsed_groups, plan.stack_charts);
        (tracks.shown_counters, tracks.show_empty) = (plan.shown_counters, plan.show_empty);
    }
}

impl ExpansionInput<'_> {
    /// The list of tracks in a state.
    fn list(&self, tracks: &Tracks) -> TrackList {
        let (arrangement, calls) = (self.view.arrangement, self.view.call_functions);
        let view = InViewFilter { range: self.range(), selected: None };
        let stacks = StackRows::needed((self.index, self.shown), tracks, (arrangement, calls), view);
        let scope = Scope::new(self.view, None, None);
        TrackList::build(
            (self.index, self.shown),
            self.flow_tracks,
            tracks,
            (arrangement, calls),
            (&scope, None, None),
            RowFilter { in_view: None, stacks: &stacks },
            TrackList::default(),
        )
    }

    fn range(&self) -> TimeRange {
        self.view.axis.visible()
    }

    /// A thread with its place and the height of its rows, and of those that are expanded with it; `None` if it is not listed or
    /// its rows are not built.
    fn candidate(&self, (places, cores): (&Places, &[ThreadId]), thread: ThreadId) -> Option<Candidate> {
        let all = together(cores, thread).into_iter().map(|thread| self.single(places, thread));
        all.reduce(|all, own| {
            let (all, own) = all.zip(own)?;
            Some(Candidate { rows: all.rows + own.rows, ..all })
        })?
    }

    fn single(&self, places: &Places, thread: ThreadId) -> Option<Candidate> {
        let (index, profile) = (self.index, self.index.profile());
        let (top, group) = match places.headings.get(&thread) {
            Some(top) => (*top, None),
            None => places.members.get(&thread).map(|(top, group)| (*top, Some(*group)))?,
        };
        let layout = self.shown.layout(index, self.view.arrangement, thread)?;
        let on_tracks = kind_on_tracks(profile, self.view.arrangement);
        let all = rows_height(&layout.rows, on_tracks);
        let stack = layout.rows.groups.iter().find(|group| group.kind == GroupKind::Stack).map(|group| group.rows);
        let needed = stack_rows_in((index, self.shown), self.view.arrangement, thread, self.range());
        let unneeded = stack.zip(needed).map_or(0, |(all, needed)| all.saturating_sub(needed));
        // Other tracks are listed below the rows.
        let nested = f64::from(profile.thread(thread).nested) * THREAD_HEIGHT;
        let rows = all - f64::from(unneeded) * ROW_HEIGHT + samples_height(index, thread) + nested;
        // A listed member of a group has a heading of its own.
        let heading = group.map_or(0.0, |_| THREAD_HEIGHT);
        Some(Candidate { thread, top, rows: rows + heading, group })
    }
}

/// Where threads are listed while all of them are collapsed.
#[derive(Default)]
struct Places {
    headings: HashMap<ThreadId, f64>,
    /// Place below the heading of their group, and the group.
    members: HashMap<ThreadId, (f64, ThreadId)>,
}

impl Places {
    fn of(list: &TrackList) -> Self {
        let mut places = Self::default();
        for item in list.items() {
            match item.kind {
                ItemKind::Thread(heading) => drop(places.headings.insert(heading.thread, item.y)),
                ItemKind::ThreadGroup(group) => {
                    let members = list.threads_of_group(group.first);
                    // Members have the order of the list, so each place is a little further down.
                    let step = item.height / f64::from(u32::try_from(members.len()).unwrap_or(u32::MAX)).max(1.0) / 2.0;
                    for (number, thread) in (1_u32..).zip(members) {
                        let top = item.y + step * f64::from(number);
                        places.members.insert(*thread, (top, group.first));
                    }
                }
                _ => {}
            }
        }
        places
    }
}

/// The threads in the order in which they are expanded.
fn ranked(index: &Index, cores: &[ThreadId]) -> Vec<ThreadId> {
    let profile = index.profile();
    let page = index.foreground_process();
    let samples = |id| index.cpu().get(id).map_or(0, |track| track.samples);
    let has_content = |(id, thread): &(ThreadId, &Thread)| !thread.markers.is_empty() || index.cpu().get(*id).is_some();
    let rank = |(id, thread): (ThreadId, &Thread)| -> Rank {
        let place = match Some(thread.process) == page {
            true if thread.is_main => 0,
            true if thread.name == RENDER_THREAD => 1,
            _ => 2,
        };
        (place, Reverse((index.rank().thread(id), thread.is_main, thread.markers.len(), samples(id))), id)
    };
    let mut order: Vec<Rank> = profile.threads_with_ids().filter(has_content).map(rank).collect();
    order.sort_unstable();
    // CPUs are expanded together, so the first one represents all of them.
    let is_candidate = |thread: &ThreadId| cores.first().is_none_or(|first| thread == first || !cores.contains(thread));
    order.into_iter().map(|(_, _, thread)| thread).filter(is_candidate).take(MAX_CANDIDATES).collect()
}

/// The threads that are expanded with a thread: CPUs are compared with each other, so all of them are.
fn together(cores: &[ThreadId], thread: ThreadId) -> Vec<ThreadId> {
    if cores.contains(&thread) { cores.to_vec() } else { vec![thread] }
}

/// Expands a thread as it is first shown: with its deep groups collapsed.
fn open(plan: &mut Tracks, index: &Index, arrangement: Arrangement, thread: ThreadId) {
    plan.expanded.insert(thread);
    // It stays listed when it is collapsed.
    plan.shown_members.insert(thread);
    let layout = index.layout(arrangement).if_built(thread);
    let groups = layout.map(|layout| layout.rows.groups.as_slice()).unwrap_or_default();
    let deep = groups.iter().filter(|group| is_deep(group)).map(|group| (thread, group.kind));
    plan.collapsed_groups.extend(deep);
}

/// Opens what is still folded until the chart is full.
struct Fill<'a> {
    input: ExpansionInput<'a>,
    cores: Vec<ThreadId>,
    /// Threads that did not fit, by rank.
    left: VecDeque<ThreadId>,
    plan: Tracks,
}

impl Fill<'_> {
    fn run(&mut self) {
        let is_large = self.input.index.profile().threads.len() > MANY_THREADS;
        for _ in 0..if is_large { FEWER_FILLS } else { MOST_FILLS } {
            let list = self.input.list(&self.plan);
            let room = self.input.height - list.height();
            if room < ROW_HEIGHT || !self.open_next(&list, room) {
                break;
            }
        }
    }

    /// Opens the next thing; returns false if there is none.
    fn open_next(&mut self, list: &TrackList, room: f64) -> bool {
        let (index, arrangement) = (self.input.index, self.input.view.arrangement);
        while let Some(thread) = self.left.pop_front() {
            let layout = self.input.shown.layout(index, arrangement, thread);
            if layout.is_some() && list.lists(thread) {
                for thread in together(&self.cores, thread) {
                    open(&mut self.plan, index, arrangement, thread);
                }
                return true;
            }
        }
        // A group of rows stays folded only while the chart is full.
        let is_last = |kind: GroupKind| kind == GroupKind::Internals;
        let folded = self.plan.collapsed_groups.iter().find(|(_, kind)| !is_last(*kind)).copied();
        if let Some(folded) = folded {
            return self.plan.collapsed_groups.remove(&folded);
        }
        self.open_chart(room)
            || self.open_group(list)
            || self.list_counters(room)
            || self.list_idle(list, room)
            || self.plan.collapsed_groups.pop_first().is_some()
    }

    /// Lists the threads of a folded group, collapsed.
    fn open_group(&mut self, list: &TrackList) -> bool {
        let folded = list.items().iter().find_map(|item| match item.kind {
            ItemKind::ThreadGroup(group) if !group.expanded => Some(group.first),
            _ => None,
        });
        folded.is_some_and(|first| self.plan.open_groups.insert(first))
    }

    /// Expands the stack chart of an expanded thread whose calls are not in its stack, if it fits: it stands above the rows of the
    /// thread's markers.
    fn open_chart(&mut self, room: f64) -> bool {
        let index = self.input.index;
        let is_closed = |thread: &&ThreadId| {
            let depth = index.cpu().get(**thread).map_or(0, |track| track.depth);
            (1..).contains(&depth)
                && f64::from(depth) * ROW_HEIGHT <= room
                && MergedRows::functions(index.profile(), **thread).is_none()
                && !self.plan.stack_charts.contains(*thread)
        };
        let next = self.plan.expanded.iter().filter(is_closed).max_by_key(|thread| index.rank().thread(**thread));
        let next = next.copied();
        next.is_some_and(|thread| self.plan.stack_charts.insert(thread))
    }

    /// Lists as many counters as fit, from the top.
    fn list_counters(&mut self, room: f64) -> bool {
        let (index, before) = (self.input.index, self.plan.shown_counters.len());
        let mut left = room;
        for process in owners(index) {
            let all = index.counters().for_process(process);
            if self.plan.counters.contains(&process) {
                continue;
            }
            for counter in all {
                if left < COUNTER_HEIGHT {
                    break;
                }
                if self.plan.shown_counters.insert(counter) {
                    left -= COUNTER_HEIGHT;
                }
            }
        }
        self.plan.shown_counters.len() > before
    }

    /// Lists the idle threads if all of them fit.
    fn list_idle(&mut self, list: &TrackList, room: f64) -> bool {
        let hidden = list.items().iter().filter_map(|item| match item.kind {
            ItemKind::IdleThreads(idle) if !idle.shown => Some(idle),
            _ => None,
        });
        let (mut count, mut processes) = (0_u32, Vec::new());
        for idle in hidden {
            count = count.saturating_add(idle.count);
            processes.push(idle.process);
        }
        let fits = count > 0 && f64::from(count) * THREAD_HEIGHT <= room;
        if fits {
            self.plan.show_empty.extend(processes);
        }
        fits
    }
}

/// The processes that may have counters, and `None` for counters without a process.
fn owners(index: &Index) -> impl Iterator<Item = Option<ProcessId>> + use<> {
    (0..index.profile().processes.len()).map(|process| Some(ProcessId::new(process))).chain([None])
}

/// The first counters of each process with many, if the recording consists of counters.
fn least_counters(index: &Index, tracks: &Tracks) -> BTreeSet<CounterId> {
    let has_others = index.profile().marker_count() > 0 || !index.cpu().is_empty();
    if has_others {
        return BTreeSet::new();
    }
    let folded = owners(index).filter(|process| !tracks.counters.contains(process));
    folded.flat_map(|process| index.counters().for_process(process).take(LEAST_COUNTERS)).collect()
}

/// The threads and tracks without contents of their own, but with tracks below them.
fn containers(index: &Index) -> BTreeSet<ThreadId> {
    let is_container = |(id, thread): &(ThreadId, &Thread)| {
        thread.nested > 0 && thread.markers.is_empty() && index.cpu().get(*id).is_none()
    };
    index.profile().threads_with_ids().filter(is_container).map(|(id, _)| id).collect()
}

/// The threads whose stack charts are initially expanded: those without markers.
pub(crate) fn initial_stack_charts(index: &Index) -> BTreeSet<ThreadId> {
    let threads = (0..index.profile().threads.len()).map(ThreadId::new);
    threads.filter(|thread| starts_with_chart(index, *thread)).collect()
}

fn starts_with_chart(index: &Index, thread: ThreadId) -> bool {
    index.profile().thread(thread).markers.is_empty() && has_chart(index, thread)
}

fn has_chart(index: &Index, thread: ThreadId) -> bool {
    index.cpu().get(thread).is_some_and(|track| track.depth > 0)
}

/// Height in points of a thread's samples as initially shown.
fn samples_height(index: &Index, thread: ThreadId) -> f64 {
    let Some(track) = index.cpu().get(thread) else { return 0.0 };
    let expanded = starts_with_chart(index, thread);
    let rows = if expanded { f64::from(track.depth) } else { 0.0 };
    SamplesHeading::new(thread, track, expanded).height() + rows * ROW_HEIGHT
}

/// True if all rows of a thread and of the selected threads remain on screen if the thread is expanded as well.
fn fits(chosen: &[Candidate], candidate: Candidate, height: f64) -> bool {
    let all = || chosen.iter().chain([&candidate]);
    // A group of which some threads are listed has a line for the others.
    let mut more: BTreeMap<ThreadId, f64> = BTreeMap::new();
    for of in all() {
        more.extend(of.group.map(|group| (group, of.top)));
    }
    let bottom = |of: &Candidate| {
        let above: f64 = all().filter(|other| other.top < of.top).map(|other| other.rows).sum();
        let lines = more.values().filter(|top| **top < of.top).count();
        of.top + above + f64::from(u32::try_from(lines).unwrap_or(u32::MAX)) * ROW_HEIGHT + THREAD_HEIGHT + of.rows
    };
    all().filter(|of| of.top < height).all(|of| bottom(of) <= height)
}
