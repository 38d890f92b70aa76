//! Context switches and wake-ups that a bundle stores as columns (`FtraceEventBundle.CompactSched`, field 4): switches
//! have the columns 1 (time), 2 (state of the previous thread), 3 (next thread), 4 (its priority) and 6 (index of its name
//! in the table 5); wake-ups have 7 (time), 8 (woken thread) and 12 (flags). Times are differences to the previous row.

use crate::perfetto::wire::Field;

/// A context switch. Times are on the clock of the bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::perfetto) struct CompactSwitch<'a> {
    pub(in crate::perfetto) ts: i64,
    /// Kernel state of the previous thread.
    pub(in crate::perfetto) state: i64,
    pub(in crate::perfetto) tid: i64,
    pub(in crate::perfetto) priority: i64,
    /// The name of the next thread; empty if unknown.
    pub(in crate::perfetto) name: &'a [u8],
}

/// A wake-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::perfetto) struct CompactWakeUp {
    pub(in crate::perfetto) ts: i64,
    pub(in crate::perfetto) woken: i64,
    /// The kernel's flags, such as whether it handled an interrupt.
    pub(in crate::perfetto) flags: u64,
}

/// The columns of a message.
#[derive(Debug, Default)]
pub(in crate::perfetto) struct CompactEvents<'a> {
    names: Vec<&'a [u8]>,
    switch_times: Vec<i64>,
    states: Vec<i64>,
    tids: Vec<i64>,
    priorities: Vec<i64>,
    name_numbers: Vec<u64>,
    wake_times: Vec<i64>,
    woken: Vec<i64>,
    flags: Vec<u64>,
}

impl<'a> CompactEvents<'a> {
    pub(in crate::perfetto) fn read(message: Field<'a>) -> Self {
        let mut events = Self::default();
        for field in message.message() {
            let signed = field.numbers().map(u64::cast_signed);
            match field.number {
                1 => events.switch_times.extend(signed),
                2 => events.states.extend(signed),
                3 => events.tids.extend(signed),
                4 => events.priorities.extend(signed),
                5 => events.names.push(field.bytes()),
                6 => events.name_numbers.extend(field.numbers()),
                7 => events.wake_times.extend(signed),
                8 => events.woken.extend(signed),
                12 => events.flags.extend(field.numbers()),
                _ => {}
            }
        }
        events
    }

    pub(in crate::perfetto) fn switches(&self) -> impl Iterator<Item = CompactSwitch<'a>> + '_ {
        let of = |list: &[i64], at: usize| list.get(at).copied().unwrap_or_default();
        absolute(&self.switch_times).zip(&self.tids).enumerate().map(move |(at, (ts, tid))| {
            let name = self.name_numbers.get(at).and_then(|number| self.names.get(usize::try_from(*number).ok()?));
            let (state, priority) = (of(&self.states, at), of(&self.priorities, at));
            CompactSwitch { ts, state, tid: *tid, priority, name: name.copied().unwrap_or_default() }
        })
    }

    pub(in crate::perfetto) fn wake_ups(&self) -> impl Iterator<Item = CompactWakeUp> + '_ {
        absolute(&self.wake_times).zip(&self.woken).enumerate().map(|(at, (ts, woken))| {
            let flags = self.flags.get(at).copied().unwrap_or_default();
            CompactWakeUp { ts, woken: *woken, flags }
        })
    }
}

/// Adds differences up.
fn absolute(differences: &[i64]) -> impl Iterator<Item = i64> + '_ {
    differences.iter().scan(0_i64, |now, difference| {
        *now = now.saturating_add(*difference);
        Some(*now)
    })
}
