//! The kernel events of a trace, in the order in which the importer reads them.

use foldhash::HashMap;

use crate::perfetto::first_pass::Facts;
use crate::perfetto::kernel::thread_names::{MAX_NAME, renamed};
use crate::perfetto::packet::{distance, id};
use crate::perfetto::wire::{Field, Fields};

/// Field numbers of kernel events.
pub(super) const SWITCH: u64 = 4;
pub(super) const WAKING: u64 = 20;
const NEW_WAKING: u64 = 114;
pub(super) const RENAME: u64 = 236;
/// Bundle clock without adjustments.
const RAW_CLOCK: u64 = 4;
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
    /// A wake-up in columns.
    Waking { tid: i64 },
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
    let mut names: Vec<&[u8]> = Vec::new();
    for field in columns.message() {
        match field.number {
            5 => names.push(field.bytes()),
            number @ (1..=4 | 6..=8) => {
                let list = usize::try_from(number).ok().and_then(|number| lists.get_mut(number));
                list.into_iter().for_each(|list| list.extend(field.numbers().map(u64::cast_signed)));
            }
            _ => {}
        }
    }
    let [_, times, states, tids, priorities, _, name_numbers, wake_times, woken] = lists;
    let mut time = 0_i64;
    for (difference, tid) in wake_times.into_iter().zip(woken) {
        time = time.saturating_add(difference);
        items.push(RawItem { time, form: RawForm::Waking { tid } });
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
    /// A new name of a thread.
    Rename,
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
    shift: Option<i64>,
    /// The last name of each thread, and the item that states it.
    pub(super) names: HashMap<i64, (u32, Box<[u8]>)>,
}

impl KernelList {
    /// Adds a bundle at a place.
    pub(super) fn add(&mut self, packet: u32, place: u64, bundle: &[u8], facts: &Facts) {
        let (mut cpu, mut clock, mut own, mut boot) = (0, 0, None, None);
        for field in Fields::new(bundle) {
            match field.number {
                1 => cpu = id(&field),
                5 => clock = field.number(),
                6 => own = Some(field.signed()),
                7 => boot = Some(field.signed()),
                _ => {}
            }
        }
        let shift = match (clock, own.zip(boot)) {
            (0, _) => 0,
            (_, Some((own, boot))) => *self.shift.get_or_insert_with(|| boot.saturating_sub(own)),
            (_, None) => self.shift.unwrap_or_default(),
        };
        for raw in raw_items(bundle) {
            let ts = match clock {
                RAW_CLOCK => facts.clocks.raw_to_trace(raw.time),
                _ => facts.clocks.kernel_to_trace(raw.time.saturating_add(shift)),
            };
            // The times of wake-ups in columns do not extend the recording.
            let (kind, place, extends) = match raw.form {
                RawForm::Message { event, tid, content } => {
                    (kind(cpu, tid, content), place + distance(bundle, event), content.is_some())
                }
                RawForm::Switch { tid, .. } => {
                    let before = self.running.get(&cpu).map_or(0, |running| running.1);
                    (ItemKind::Switch { cpu, before, next: tid }, 0, true)
                }
                RawForm::Waking { tid } => (ItemKind::Waking { woken: tid }, 0, false),
            };
            let number = u32::try_from(self.items.len()).unwrap_or(NO_ITEM);
            self.items.push(KernelItem { packet, place, ts, kind, following: NO_ITEM });
            if extends && self.last.is_none_or(|(last, _)| last < ts) {
                self.last = Some((ts, number));
            }
            if let Some((tid, name)) = raw.stated_name() {
                self.names.insert(tid, (number, name.into()));
            }
            if let ItemKind::Switch { next, .. } = kind
                && let Some((before, _)) = self.running.insert(cpu, (number, next))
            {
                self.items[before as usize].following = number;
            }
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
        Some(content) if content.number == RENAME => ItemKind::Rename,
        _ => ItemKind::Other { tid },
    }
}
