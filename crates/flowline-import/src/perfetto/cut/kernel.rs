//! Decides which kernel events a cut needs. Runs on CPUs and states of threads are stated by several context switches
//! and wake-ups together. Each switch has two halves, the thread before and the next one; a half that no kept row needs
//! becomes the idle thread, so that it states nothing.

use super::kernel_item::{ItemKind, KernelItem, KernelList, NO_ITEM};

/// The row of a run on a CPU or of a state of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum KernelRow {
    Cpu(i64),
    Thread(i64),
}

/// A run on a CPU or a state of a thread, in nanoseconds on the trace clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct KernelSlice {
    pub(super) row: KernelRow,
    pub(super) since: i64,
    pub(super) until: i64,
}

/// How a cut keeps a kernel event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ItemUse {
    pub(super) is_kept: bool,
    /// The half of a switch about the thread before.
    pub(super) has_before: bool,
    /// The half of a switch about the next thread.
    pub(super) has_next: bool,
    /// Only its time is kept, as that of the last event.
    pub(super) is_clock: bool,
}

impl ItemUse {
    pub(super) const WHOLE: Self = Self { is_kept: true, has_before: true, has_next: true, is_clock: false };

    /// True if the event is not in the cut.
    pub(super) const fn is_nothing(self) -> bool {
        !self.is_kept && !self.is_clock
    }
}

/// An event that concerns a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct RowEvent {
    row: KernelRow,
    ts: i64,
    item: usize,
}

/// The switches and wake-ups of each row, by time; at equal times, in the order of the trace.
struct RowEvents(Vec<RowEvent>);

impl RowEvents {
    fn new(list: &KernelList) -> Self {
        let mut events = Vec::new();
        for (number, item) in list.items.iter().enumerate() {
            let mut add = |row| events.push(RowEvent { row, ts: item.ts, item: number });
            match item.kind {
                ItemKind::Switch { cpu, before, next } => {
                    add(KernelRow::Cpu(i64::from(cpu)));
                    [before, next].into_iter().filter(|thread| *thread > 0).map(KernelRow::Thread).for_each(add);
                }
                ItemKind::Waking { woken: thread } | ItemKind::NewTask { task: thread, .. } if thread > 0 => {
                    add(KernelRow::Thread(thread));
                }
                ItemKind::Waking { .. }
                | ItemKind::NewTask { .. }
                | ItemKind::Rename
                | ItemKind::Blocked { .. }
                | ItemKind::Other { .. } => {}
            }
        }
        events.sort_unstable();
        Self(events)
    }

    /// Index of the first event of a row from a time on.
    fn first_from(&self, row: KernelRow, ts: i64) -> usize {
        self.0.partition_point(|event| (event.row, event.ts) < (row, ts))
    }

    /// The events from an index on until the end of a slice.
    fn until(&self, first: usize, slice: KernelSlice) -> impl Iterator<Item = &RowEvent> {
        self.0[first..].iter().take_while(move |event| (event.row, event.ts) <= (slice.row, slice.until))
    }

    /// The last switch of a row before an index.
    fn switch_before(&self, first: usize, row: KernelRow, list: &KernelList) -> Option<usize> {
        let before = self.0[..first].iter().rev().take_while(|event| event.row == row).map(|event| event.item);
        before.into_iter().find(|item| matches!(list.items[*item].kind, ItemKind::Switch { .. }))
    }

    /// The states of the threads that run during runs on CPUs. A run also changes the state of its thread, so the events
    /// that change it again are needed. `slices` are sorted.
    fn states_during(&self, slices: &[KernelSlice], list: &KernelList) -> Vec<KernelSlice> {
        let mut states = Vec::new();
        for runs in slices.chunk_by(|a, b| (a.row, a.since) == (b.row, b.since)) {
            let (Some(first), Some(last)) = (runs.first(), runs.last()) else { continue };
            if !matches!(first.row, KernelRow::Cpu(_)) {
                continue;
            }
            let begins =
                self.until(self.first_from(first.row, first.since), KernelSlice { until: first.since, ..*first });
            for event in begins {
                if let ItemKind::Switch { next, .. } = list.items[event.item].kind
                    && next > 0
                {
                    states.push(KernelSlice { row: KernelRow::Thread(next), ..*last });
                }
            }
        }
        states
    }
}

/// The kept kernel events of a trace.
#[derive(Debug)]
pub(super) struct KernelCut<'a> {
    list: &'a KernelList,
    pub(super) uses: Vec<ItemUse>,
}

impl<'a> KernelCut<'a> {
    pub(super) fn new(list: &'a KernelList) -> Self {
        Self { list, uses: vec![ItemUse::default(); list.items.len()] }
    }

    /// Keeps an event that states its own markers.
    pub(super) fn keep(&mut self, item: usize) {
        self.uses[item] = ItemUse::WHOLE;
    }

    /// The item of a packet that contains a place.
    pub(super) fn item_at(&self, packet: u32, place: u64) -> Option<usize> {
        let items = &self.list.items;
        let first = items.partition_point(|item| item.packet < packet);
        let count = items[first..].partition_point(|item| item.packet == packet);
        let messages = items[first..first + count].partition_point(|item| item.place > 0);
        let after = items[first..first + messages].partition_point(|item| item.place <= place);
        (first + after).checked_sub(1).filter(|item| *item >= first)
    }

    /// Keeps what some slices need.
    pub(super) fn keep_slices(&mut self, mut slices: Vec<KernelSlice>) {
        if slices.is_empty() {
            return;
        }
        let events = RowEvents::new(self.list);
        slices.sort_unstable();
        slices.extend(events.states_during(&slices, self.list));
        slices.sort_unstable();
        slices.dedup_by(|next, slice| {
            let overlaps = slice.row == next.row && next.since <= slice.until;
            slice.until = if overlaps { slice.until.max(next.until) } else { slice.until };
            overlaps
        });
        self.keep_reasons(&slices);
        for slice in slices {
            let first = events.first_from(slice.row, slice.since);
            for RowEvent { ts, item, .. } in events.until(first, slice) {
                let is_moment = slice.since == slice.until;
                let halves = (is_moment || *ts > slice.since, is_moment || *ts < slice.until);
                self.keep_half(*item, slice.row, halves);
            }
            // A wake-up only begins a state after a switch.
            if let Some(switch) = events.switch_before(first, slice.row, self.list) {
                self.keep_half(switch, slice.row, (true, true));
            }
        }
        self.end_runs();
    }

    /// Keeps the halves of an event that concern a row. Of a CPU, a slice needs the thread before if it does not begin
    /// there, and the next thread if it does not end there.
    fn keep_half(&mut self, item: usize, row: KernelRow, (is_later, is_earlier): (bool, bool)) {
        let used = &mut self.uses[item];
        used.is_kept = true;
        match (self.list.items[item].kind, row) {
            (ItemKind::Switch { .. }, KernelRow::Cpu(_)) => {
                used.has_before |= is_later;
                used.has_next |= is_earlier;
            }
            (ItemKind::Switch { before, next, .. }, KernelRow::Thread(thread)) => {
                used.has_before |= before == thread;
                used.has_next |= next == thread;
            }
            (
                ItemKind::Waking { .. }
                | ItemKind::NewTask { .. }
                | ItemKind::Rename
                | ItemKind::Blocked { .. }
                | ItemKind::Other { .. },
                _,
            ) => {}
        }
    }

    /// Keeps the reasons of the sleeps of the threads with kept slices.
    fn keep_reasons(&mut self, slices: &[KernelSlice]) {
        let of_slice = |slice: &KernelSlice| match slice.row {
            KernelRow::Thread(thread) => Some(thread),
            KernelRow::Cpu(_) => None,
        };
        let mut threads: Vec<i64> = slices.iter().filter_map(of_slice).collect();
        threads.sort_unstable();
        threads.dedup();
        for (item, used) in self.list.items.iter().zip(&mut self.uses) {
            if let ItemKind::Blocked { thread } = item.kind
                && threads.binary_search(&thread).is_ok()
            {
                *used = ItemUse::WHOLE;
            }
        }
    }

    /// Keeps all events.
    pub(super) fn keep_all(&mut self) {
        self.uses.fill(ItemUse::WHOLE);
    }

    /// Ends the runs that begin in the cut. Without the next switch of its CPU, a thread would run until the end.
    fn end_runs(&mut self) {
        for item in 0..self.uses.len() {
            let following = self.list.items[item].following;
            if self.uses[item].has_next && following != NO_ITEM {
                let used = &mut self.uses[following as usize];
                (used.is_kept, used.has_before) = (true, true);
            }
        }
    }

    /// Keeps the time of the last event, until which the last states last.
    pub(super) fn keep_end(&mut self) {
        let is_scheduling = |item: usize| {
            let kind = self.list.items[item].kind;
            matches!(kind, ItemKind::Switch { .. } | ItemKind::Waking { .. } | ItemKind::NewTask { .. })
        };
        let has_scheduling = (0..self.uses.len()).any(|item| self.uses[item].is_kept && is_scheduling(item));
        let Some((end, last)) = self.list.last.filter(|_| has_scheduling) else { return };
        // Names may be written anew, so they do not count.
        let reaches_end = |item: usize| {
            let KernelItem { ts, kind, .. } = self.list.items[item];
            self.uses[item].is_kept && ts == end && kind != ItemKind::Rename
        };
        if !(0..self.uses.len()).any(reaches_end) {
            self.uses[last as usize].is_clock = true;
        }
    }

    /// Keeps the latest names of the threads of the kept events, and of the main threads of their processes, which name the
    /// processes. Returns the names that no kept event states, ascending; `has_other_name` is true for threads that have
    /// another name than the given one.
    pub(super) fn keep_names(
        &mut self,
        process_of: impl Fn(i64) -> Option<i64>,
        has_other_name: impl Fn(i64, &[u8]) -> bool,
    ) -> Vec<(i64, Box<[u8]>)> {
        let mut missing = Vec::new();
        let mut tids = self.threads();
        tids.extend(tids.clone().into_iter().filter_map(process_of));
        tids.sort_unstable();
        tids.dedup();
        for tid in tids {
            let Some((item, name)) = self.list.names.get(&tid) else { continue };
            if has_other_name(tid, name) {
                continue;
            }
            let used = &mut self.uses[*item as usize];
            match self.list.items[*item as usize].kind {
                ItemKind::Rename => *used = ItemUse::WHOLE,
                // A new task also begins a state.
                ItemKind::NewTask { .. } if used.is_kept => {}
                _ if used.has_next => {}
                _ => missing.push((tid, name.clone())),
            }
        }
        missing
    }

    /// Number of the last packet with a kept event.
    pub(super) fn last_packet(&self) -> Option<u32> {
        let kept = self.uses.iter().rposition(|used| !used.is_nothing())?;
        Some(self.list.items[kept].packet)
    }

    /// The threads of the kept events, ascending.
    pub(super) fn threads(&self) -> Vec<i64> {
        let kept = self.uses.iter().zip(&self.list.items).filter(|(used, _)| used.is_kept);
        let mut threads: Vec<i64> = Vec::new();
        for (used, item) in kept {
            match item.kind {
                ItemKind::Switch { before, next, .. } => {
                    threads.extend(Some(before).filter(|_| used.has_before));
                    threads.extend(Some(next).filter(|_| used.has_next));
                }
                ItemKind::Waking { woken } => threads.push(woken),
                ItemKind::NewTask { creator, task } => threads.extend([creator, task]),
                ItemKind::Other { tid } => threads.push(tid),
                ItemKind::Rename | ItemKind::Blocked { .. } => {}
            }
        }
        // Thread 0 is the idle thread.
        threads.retain(|thread| *thread > 0);
        threads.sort_unstable();
        threads.dedup();
        threads
    }
}
