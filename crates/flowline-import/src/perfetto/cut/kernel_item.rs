//! The kernel events of a trace, in the order in which the importer reads them.

use foldhash::HashMap;

use crate::perfetto::first_pass::Facts;
use crate::perfetto::kernel::bundle::Bundle;
use crate::perfetto::kernel::thread_names::{MAX_NAME, renamed};
use crate::perfetto::packet::distance;
use crate::perfetto::wire::{Field, Fields};

/// Field numbers of kernel events.
pub(super) const SWITCH: u64 = 4;
pub(super) const WAKING: u64 = 20;
const NEW_WAKING: u64 = 114;
pub(super) const RENAME: u64 = 236;
const NEW_TASK: u64 = 235;
const BLOCKED: u64 = 18;
/// Index of no item.
pub(super) const NO_ITEM: u32 = u32::MAX;

/// A kernel event in the order in which the importer reads a bundle.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawItem<'a> {
    /// Time on the clock of the bundle.
    pub(super) time: i64,
    pub(super) form: RawForm<'a>,
}

impl<'a> RawItem<'a> {
    /// Returns the name that the event states for a thread.
    fn stated_name(&self) -> Option<(i64, &'a [u8])> {
        let (tid, name) = match self.form {
            RawForm::Message { content: Some(content), .. } if content.number == RENAME => renamed(&content)?,
            RawForm::Message { content: Some(content), .. } if content.number == NEW_TASK => {
                let fields = content.message();
                (fields.field(1)?.signed(), fields.field(2)?.bytes())
            }
            RawForm::Message { content: Some(content), .. } if content.number == SWITCH => {
                let fields = content.message();
                (fields.field(6)?.signed(), fields.field(5)?.bytes())
            }
            RawForm::Switch { tid, name, .. } => (tid, name),
            RawForm::Message { .. } | RawForm::Waking { .. } => return None,
        };
        (!name.is_empty() && name.len() <= MAX_NAME).then_some((tid, name))
    }
}

/// The form in which a bundle contains an event.
#[derive(Clone, Copy, Debug)]
pub(super) enum RawForm<'a> {
    /// A message, with its content.
    Message { event: &'a [u8], tid: i64, content: Option<Field<'a>> },
    /// A context switch in columns.
    Switch { state: i64, tid: i64, priority: i64, name: &'a [u8] },
    /// A wake-up in columns, with the kernel's flags.
    Waking { tid: i64, flags: u64 },
}

/// Returns the events of a bundle in the order in which they are read: messages, then columns.
pub(super) fn raw_items(bundle: &[u8]) -> Vec<RawItem<'_>> {
    let mut items = Vec::new();
    for field in Fields::new(bundle).filter(|field| field.number == 2) {
        let (mut time, mut tid, mut content) = (0, 0, None);
        for part in field.message() {
            match part.number {
                1 => time = part.signed(),
                2 => tid = part.signed(),
                5 => {}
                _ => content = Some(part),
            }
        }
        items.push(RawItem { time, form: RawForm::Message { event: field.bytes(), tid, content } });
    }
    for field in Fields::new(bundle).filter(|field| field.number == 4) {
        add_columns(field, &mut items);
    }
    items
}

/// Adds events in columns. Each time is a delta to the previous one.
fn add_columns<'a>(columns: Field<'a>, items: &mut Vec<RawItem<'a>>) {
    let mut lists: [Vec<i64>; 9] = Default::default();
    let (mut names, mut flags): (Vec<&[u8]>, Vec<u64>) = (Vec::new(), Vec::new());
    for field in columns.message() {
        match field.number {
            5 => names.push(field.bytes()),
            12 => flags.extend(field.numbers()),
            number @ (1..=4 | 6..=8) => {
                let list = usize::try_from(number).ok().and_then(|number| lists.get_mut(number));
                list.into_iter().for_each(|list| list.extend(field.numbers().map(u64::cast_signed)));
            }
            _ => {}
        }
    }
    let [_, times, states, tids, priorities, _, name_numbers, wake_times, woken] = lists;
    let mut time = 0_i64;
    for (at, (difference, tid)) in wake_times.into_iter().zip(woken).enumerate() {
        time = time.saturating_add(difference);
        let flags = flags.get(at).copied().unwrap_or_default();
        items.push(RawItem { time, form: RawForm::Waking { tid, flags } });
    }
    time = 0;
    for (at, (difference, tid)) in times.into_iter().zip(tids).enumerate() {
        time = time.saturating_add(difference);
        let of = |list: &[i64]| list.get(at).copied().unwrap_or_default();
        let name = name_numbers.get(at).and_then(|number| names.get(usize::try_from(*number).ok()?));
        let name = name.copied().unwrap_or_default();
        items
            .push(RawItem { time, form: RawForm::Switch { state: of(&states), tid, priority: of(&priorities), name } });
    }
}

/// The content of a kernel event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ItemKind {
    /// A context switch between two threads; `before` is 0 if it is unknown.
    Switch { cpu: u32, before: i64, next: i64 },
    /// A wake-up.
    Waking { woken: i64 },
    /// A thread creates a task, which can run from then on.
    NewTask { creator: i64, task: i64 },
    /// A new name of a thread.
    Rename,
    /// The reason why a thread slept.
    Blocked { thread: i64 },
    /// Another event of a thread.
    Other { tid: i64 },
}

/// A kernel event.
#[derive(Clone, Copy, Debug)]
pub(super) struct KernelItem {
    /// Number of its packet.
    pub(super) packet: u32,
    /// Place of its first byte; 0 for an event in columns.
    pub(super) place: u64,
    /// Time on the trace clock in nanoseconds.
    pub(super) ts: i64,
    pub(super) kind: ItemKind,
    /// For a switch, the next switch of its CPU; [`NO_ITEM`] if there is none.
    pub(super) following: u32,
}

/// All kernel events.
#[derive(Debug, Default)]
pub(super) struct KernelList {
    pub(super) items: Vec<KernelItem>,
    /// The first item with the latest time.
    pub(super) last: Option<(i64, u32)>,
    /// The last switch of each CPU, and the thread that runs since.
    running: HashMap<u32, (u32, i64)>,
    /// The wakers of wake-ups in columns, which do not state them: the threads that their CPUs run at that time.
    wakers: HashMap<u32, i64>,
    /// CPUs of the wake-ups in columns.
    wake_cpus: Vec<(u32, u32)>,
    /// True if events were lost. What they ended depends on all events of the CPU before.
    pub(super) has_losses: bool,
    /// The latest name of each thread, and the item that states it.
    pub(super) names: HashMap<i64, (u32, Box<[u8]>)>,
}

impl KernelList {
    /// Adds a bundle at a place.
    pub(super) fn add(&mut self, packet: u32, place: u64, bundle: &[u8], facts: &Facts) {
        let read = Bundle::read(bundle);
        let (cpu, clock) = (read.cpu, read.clock(facts.kernel.shift));
        self.has_losses |= read.follows_loss;
        for raw in raw_items(bundle) {
            let ts = clock.to_trace(&facts.clocks, raw.time);
            // The times of wake-ups in columns do not extend the recording.
            let (kind, place, extends) = match raw.form {
                RawForm::Message { event, tid, content } => {
                    (kind(cpu, tid, content), place + distance(bundle, event), content.is_some())
                }
                RawForm::Switch { tid, .. } => {
                    let before = self.running.get(&cpu).map_or(0, |running| running.1);
                    (ItemKind::Switch { cpu, before, next: tid }, 0, true)
                }
                RawForm::Waking { tid, .. } => (ItemKind::Waking { woken: tid }, 0, false),
            };
            let number = u32::try_from(self.items.len()).unwrap_or(NO_ITEM);
            if matches!(raw.form, RawForm::Waking { .. }) {
                self.wake_cpus.push((number, cpu));
            }
            self.items.push(KernelItem { packet, place, ts, kind, following: NO_ITEM });
            if extends && self.last.is_none_or(|(last, _)| last < ts) {
                self.last = Some((ts, number));
            }
            if let Some((tid, name)) = raw.stated_name() {
                let known = self.names.get(&tid).map(|(item, _)| self.items[*item as usize].ts);
                if known.is_none_or(|known| known <= ts) {
                    self.names.insert(tid, (number, name.into()));
                }
            }
            if let ItemKind::Switch { next, .. } = kind
                && let Some((before, _)) = self.running.insert(cpu, (number, next))
            {
                self.items[before as usize].following = number;
            }
        }
    }
}

impl KernelList {
    /// Finds the wakers of wake-ups in columns, after all bundles were added.
    pub(super) fn find_wakers(&mut self) {
        if self.wake_cpus.is_empty() {
            return;
        }
        let mut order: Vec<u32> = (0..).take(self.items.len()).collect();
        order.sort_by_key(|item| self.items[*item as usize].ts);
        let cpu_of: HashMap<u32, u32> = self.wake_cpus.iter().copied().collect();
        let mut running: HashMap<u32, i64> = HashMap::default();
        for item in order {
            if let ItemKind::Switch { cpu, next, .. } = self.items[item as usize].kind {
                running.insert(cpu, next);
            } else if let Some(waker) = cpu_of.get(&item).and_then(|cpu| running.get(cpu)) {
                self.wakers.insert(item, *waker);
            }
        }
    }

    /// The thread before a switch, and the waker of a wake-up in columns; 0 if it is unknown, and for other events.
    pub(super) fn other_thread(&self, item: usize) -> i64 {
        match self.items[item].kind {
            ItemKind::Switch { before, .. } => before,
            ItemKind::Waking { .. } => {
                u32::try_from(item).ok().and_then(|item| self.wakers.get(&item)).copied().unwrap_or_default()
            }
            ItemKind::NewTask { .. } | ItemKind::Rename | ItemKind::Blocked { .. } | ItemKind::Other { .. } => 0,
        }
    }
}

/// Returns the kind of a message.
fn kind(cpu: u32, tid: i64, content: Option<Field<'_>>) -> ItemKind {
    match content {
        Some(content) if content.number == SWITCH => {
            let (mut before, mut next) = (0, 0);
            for field in content.message() {
                match field.number {
                    2 => before = field.signed(),
                    6 => next = field.signed(),
                    _ => {}
                }
            }
            ItemKind::Switch { cpu, before, next }
        }
        Some(content) if matches!(content.number, WAKING | NEW_WAKING) => {
            ItemKind::Waking { woken: content.message().field(2).map_or(0, |woken| woken.signed()) }
        }
        Some(content) if content.number == NEW_TASK => {
            ItemKind::NewTask { creator: tid, task: content.message().field(1).map_or(0, |task| task.signed()) }
        }
        Some(content) if content.number == RENAME => ItemKind::Rename,
        Some(content) if content.number == BLOCKED => {
            ItemKind::Blocked { thread: content.message().field(1).map_or(0, |thread| thread.signed()) }
        }
        _ => ItemKind::Other { tid },
    }
}
