//! Opens what is still folded until the chart is full.

use std::collections::VecDeque;

use flowline_index::Index;
use flowline_index::samples::MergedRows;
use flowline_profile::{Arrangement, GroupKind, ProcessId, ThreadId};
use flowline_scene::{COUNTER_HEIGHT, ItemKind, ROW_HEIGHT, THREAD_HEIGHT, TrackList, is_deep};
use flowline_view::Tracks;

use super::input::{ExpansionInput, together};

/// Maximum number of times that the list is built to fill the chart.
const MOST_FILLS: usize = 24;
/// A recording with more threads is filled at most [`FEWER_FILLS`] times, because its lists take long to build.
pub(crate) const MANY_THREADS: usize = 20_000;
const FEWER_FILLS: usize = 3;

/// Expands a thread as it is first shown: with its deep groups collapsed.
pub(super) fn open(plan: &mut Tracks, index: &Index, arrangement: Arrangement, thread: ThreadId) {
    plan.expanded.insert(thread);
    // It stays listed when it is collapsed.
    plan.shown_members.insert(thread);
    let layout = index.layout(arrangement).if_built(thread);
    let groups = layout.map(|layout| layout.rows.groups.as_slice()).unwrap_or_default();
    let deep = groups.iter().filter(|group| is_deep(group)).map(|group| (thread, group.kind));
    plan.collapsed_groups.extend(deep);
}

/// Opens what is still folded until the chart is full.
pub(super) struct Fill<'a> {
    input: ExpansionInput<'a>,
    cores: Vec<ThreadId>,
    /// Threads that did not fit, by rank.
    left: VecDeque<ThreadId>,
    plan: Tracks,
}

impl<'a> Fill<'a> {
    /// `left` are the threads that did not fit, by rank.
    pub(super) fn new(input: ExpansionInput<'a>, cores: Vec<ThreadId>, left: Vec<ThreadId>, plan: Tracks) -> Self {
        Self { input, cores, left: left.into(), plan }
    }

    /// Opens one thing after the other.
    pub(super) fn run(mut self) -> Tracks {
        let is_large = self.input.index.profile().threads.len() > MANY_THREADS;
        for _ in 0..if is_large { FEWER_FILLS } else { MOST_FILLS } {
            let list = self.input.list(&self.plan);
            let room = self.input.height - list.height();
            if room < ROW_HEIGHT || !self.open_next(&list, room) {
                break;
            }
        }
        self.plan
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
pub(super) fn owners(index: &Index) -> impl Iterator<Item = Option<ProcessId>> + use<> {
    (0..index.profile().processes.len()).map(|process| Some(ProcessId::new(process))).chain([None])
}
