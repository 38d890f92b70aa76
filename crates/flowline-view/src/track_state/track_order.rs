//! The order of threads and processes (the recording's order, unless the user moved some), and the threads pinned to
//! the top of the chart.

use std::collections::BTreeMap;
use std::sync::Arc;

use flowline_profile::{Direction, ProcessId, Profile, ThreadId};

/// A track with a heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TrackRef {
    /// A process with all its threads.
    Process(ProcessId),
    /// A thread.
    Thread(ThreadId),
}

/// The order of processes and threads before the user moves any. The session derives it from the recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrackRanks {
    /// Processes from the top; the others follow in the recording's order.
    pub processes: Vec<ProcessId>,
    /// Rank of each thread within its process, by number; without ranks, threads are in the recording's order.
    pub threads: Vec<u32>,
}

/// The order of tracks, and the pinned threads. Only changes are stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrackOrder {
    /// All processes, if any were moved.
    pub processes: Vec<ProcessId>,
    /// All threads of each process in which any were moved.
    pub threads: BTreeMap<ProcessId, Vec<ThreadId>>,
    /// Threads pinned above all processes, from the top.
    pub pinned: Vec<ThreadId>,
    /// The order that the user changes.
    pub ranks: Arc<TrackRanks>,
}

/// The given items that are also in `chosen`, in its order, followed by the others in their own order.
fn ordered<T: Copy + Ord>(given: Vec<T>, chosen: &[T]) -> Vec<T> {
    if chosen.is_empty() {
        return given;
    }
    let ranks: BTreeMap<T, usize> = chosen.iter().enumerate().map(|(rank, item)| (*item, rank)).collect();
    let mut items = given;
    items.sort_by_key(|item| ranks.get(item).copied().unwrap_or(usize::MAX));
    items
}

/// Puts tracks below their parents. Those with the same parent keep their order.
fn nested(profile: &Profile, tracks: Vec<ThreadId>) -> Vec<ThreadId> {
    if tracks.iter().all(|id| profile.thread(*id).parent.is_none()) {
        return tracks;
    }
    let mut below: BTreeMap<Option<ThreadId>, Vec<ThreadId>> = BTreeMap::new();
    for id in tracks.iter().rev() {
        below.entry(profile.thread(*id).parent).or_default().push(*id);
    }
    let mut arranged = Vec::with_capacity(tracks.len());
    let mut pending = below.remove(&None).unwrap_or_default();
    while let Some(id) = pending.pop() {
        arranged.push(id);
        pending.extend(below.remove(&Some(id)).unwrap_or_default());
    }
    arranged
}

/// Moves an item directly before or after another.
fn place<T: Copy + PartialEq>(items: &mut Vec<T>, item: T, beside: T, side: Direction) {
    if item == beside || !items.contains(&item) || !items.contains(&beside) {
        return;
    }
    items.retain(|other| *other != item);
    let at = items.iter().position(|other| *other == beside).unwrap_or(items.len());
    items.insert(if side == Direction::Forward { at + 1 } else { at }, item);
}

impl TrackOrder {
    /// True if the order is that of the recording and no thread is pinned.
    #[must_use]
    #[inline]
    pub fn is_default(&self) -> bool {
        *self == self.without_changes()
    }

    /// The order before the user changed it.
    #[must_use]
    pub fn without_changes(&self) -> Self {
        Self { ranks: Arc::clone(&self.ranks), ..Self::default() }
    }

    /// The processes with their threads from top to bottom, including pinned threads; each thread is followed by the tracks
    /// below it. Processes and threads that the user has not moved are ranked. Without ranks, the main thread comes first in
    /// recordings in file order.
    #[must_use]
    pub fn tracks(&self, profile: &Profile) -> Vec<(ProcessId, Vec<ThreadId>)> {
        let mut threads: Vec<Vec<ThreadId>> = vec![Vec::new(); profile.processes.len()];
        for (id, thread) in profile.threads_with_ids() {
            threads[thread.process.index()].push(id);
        }
        let processes = (0..profile.processes.len()).map(ProcessId::new).collect();
        let processes = ordered(ordered(processes, &self.ranks.processes), &self.processes);
        let rank = |id: &ThreadId| self.ranks.threads.get(id.index()).copied().unwrap_or(u32::MAX);
        let with_threads = |process: ProcessId| {
            let mut own = std::mem::take(&mut threads[process.index()]);
            if !self.ranks.threads.is_empty() {
                own.sort_by_key(rank);
            } else if !profile.meta.capabilities.threads_are_sorted {
                own.sort_by_key(|id| !profile.thread(*id).is_main);
            }
            (process, nested(profile, ordered(own, self.threads.get(&process).map_or(&[], Vec::as_slice))))
        };
        processes.into_iter().map(with_threads).collect()
    }

    /// Moves a track directly before or after another: a process next to a process, a thread next to one of the same
    /// process, a nested track next to one with the same parent, a pinned thread next to a pinned one. Other combinations are ignored.
    pub(crate) fn place(&mut self, profile: &Profile, track: TrackRef, beside: TrackRef, side: Direction) {
        match (track, beside) {
            (TrackRef::Process(process), TrackRef::Process(beside)) => {
                let mut processes = self.tracks(profile).into_iter().map(|(process, _)| process).collect();
                place(&mut processes, process, beside, side);
                self.processes = processes;
            }
            (TrackRef::Thread(thread), TrackRef::Thread(beside)) => {
                if self.pinned.contains(&thread) || self.pinned.contains(&beside) {
                    return place(&mut self.pinned, thread, beside, side);
                }
                let process = profile.thread(thread).process;
                if profile.thread(beside).process != process
                    || profile.thread(beside).parent != profile.thread(thread).parent
                {
                    return;
                }
                let tracks = self.tracks(profile).into_iter();
                let mut own = tracks.filter(|(id, _)| *id == process).flat_map(|(_, threads)| threads).collect();
                place(&mut own, thread, beside, side);
                self.threads.insert(process, own);
            }
            _ => {}
        }
    }

    /// Pins a thread below the other pinned ones, or unpins it.
    pub(crate) fn toggle_pin(&mut self, thread: ThreadId) {
        let before = self.pinned.len();
        self.pinned.retain(|other| *other != thread);
        if self.pinned.len() == before {
            self.pinned.push(thread);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_profile::{Process, Thread};

    fn profile() -> Profile {
        let thread = |process: u32| Thread { process: ProcessId(process), ..Thread::default() };
        Profile {
            processes: vec![Process::default(), Process::default()],
            threads: vec![thread(0), thread(1), thread(0), thread(0)],
            ..Profile::default()
        }
    }

    fn numbers(order: &TrackOrder, profile: &Profile) -> Vec<(u32, Vec<u32>)> {
        let plain = |(process, threads): (ProcessId, Vec<ThreadId>)| {
            (process.0, threads.into_iter().map(|thread| thread.0).collect())
        };
        order.tracks(profile).into_iter().map(plain).collect()
    }

    #[test]
    fn tracks_move_next_to_others_of_their_kind() {
        let (profile, mut order) = (profile(), TrackOrder::default());
        assert_eq!(numbers(&order, &profile), [(0, vec![0, 2, 3]), (1, vec![1])]);
        let thread = |number| TrackRef::Thread(ThreadId(number));
        order.place(&profile, thread(3), thread(0), Direction::Back);
        assert_eq!(numbers(&order, &profile)[0], (0, vec![3, 0, 2]));
        order.place(&profile, thread(3), thread(0), Direction::Forward);
        assert_eq!(numbers(&order, &profile)[0], (0, vec![0, 3, 2]));
        order.place(&profile, thread(3), thread(1), Direction::Back);
        order.place(&profile, thread(3), TrackRef::Process(ProcessId(1)), Direction::Back);
        assert_eq!(numbers(&order, &profile)[0], (0, vec![0, 3, 2]), "another process or another kind");
        let process = |number| TrackRef::Process(ProcessId(number));
        order.place(&profile, process(1), process(0), Direction::Back);
        assert_eq!(numbers(&order, &profile), [(1, vec![1]), (0, vec![0, 3, 2])]);
    }

    #[test]
    fn tracks_move_with_those_below_them() {
        let thread = |parent: Option<u32>, nested| Thread { parent: parent.map(ThreadId), nested, ..Thread::default() };
        let threads = vec![thread(None, 2), thread(Some(0), 0), thread(Some(0), 0), thread(None, 0)];
        let profile = Profile { processes: vec![Process::default()], threads, ..Profile::default() };
        let mut order = TrackOrder::default();
        let thread = |number| TrackRef::Thread(ThreadId(number));
        order.place(&profile, thread(0), thread(3), Direction::Forward);
        assert_eq!(numbers(&order, &profile), [(0, vec![3, 0, 1, 2])]);
        order.place(&profile, thread(2), thread(1), Direction::Back);
        assert_eq!(numbers(&order, &profile), [(0, vec![3, 0, 2, 1])]);
        order.place(&profile, thread(1), thread(3), Direction::Back);
        assert_eq!(numbers(&order, &profile), [(0, vec![3, 0, 2, 1])], "not out of the parent");
    }

    #[test]
    fn pinned_threads_have_their_own_order() {
        let (profile, mut order) = (profile(), TrackOrder::default());
        [3, 1].into_iter().for_each(|thread| order.toggle_pin(ThreadId(thread)));
        order.place(&profile, TrackRef::Thread(ThreadId(1)), TrackRef::Thread(ThreadId(3)), Direction::Back);
        assert_eq!(order.pinned, [ThreadId(1), ThreadId(3)]);
        order.toggle_pin(ThreadId(1));
        order.toggle_pin(ThreadId(3));
        assert!(order.is_default());
    }
}
