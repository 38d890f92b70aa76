//! State of the kernel scheduler: the running thread of each CPU, and all events that change the states of threads.

use foldhash::{HashMap, HashSet};

use super::interrupt_row::InterruptRow;

/// A thread running on a CPU.
#[derive(Clone, Debug)]
pub(super) struct Running {
    pub(super) since: i64,
    pub(super) tid: i64,
    pub(super) priority: i64,
}

/// An event that changes the states of threads, 24 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) ts: i64,
    /// The next running thread, the woken thread, or the thread that was blocked.
    pub(super) thread: i32,
    /// The previously running thread, or the waker; [`UNKNOWN`] if not recorded. For a blocked thread, the index of the
    /// function.
    pub(super) other: i32,
    pub(super) kind: EventKind,
    pub(super) cpu: u32,
}

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EventKind {
    /// A CPU switches to another thread. Contains the kernel state of the previous thread.
    Switch(u16),
    WakeUp {
        /// True if the CPU handled an interrupt, so the thread that it ran is not the waker.
        in_interrupt: bool,
    },
    /// The events of the CPU after this one were lost.
    Loss,
    /// The reason why a thread slept.
    Blocked {
        /// True if it waited for input or output.
        by_io: bool,
    },
}

pub(super) const UNKNOWN: i32 = -1;
/// Flags of events during a hardware interrupt or a softirq.
const INTERRUPT_FLAGS: u64 = 0x18;

/// The state of all CPUs, and the events that change the states of threads.
#[derive(Debug, Default)]
pub(super) struct Scheduling {
    pub(super) events: Vec<Event>,
    pub(super) running: HashMap<u32, Running>,
    /// The latest event of each CPU.
    pub(super) last_of: HashMap<u32, i64>,
    /// Functions in which threads were blocked, by the index that events contain.
    pub(super) functions: Vec<Box<str>>,
    function_numbers: HashMap<Box<str>, i32>,
    /// Rows with interrupts that have a name.
    pub(super) named_interrupts: HashSet<InterruptRow>,
}

/// Converts a thread id to the kernel's 32 bits.
fn thread(tid: i64) -> i32 {
    i32::try_from(tid).unwrap_or(UNKNOWN)
}

impl Scheduling {
    /// Takes the time of an event of a CPU.
    pub(super) fn reach(&mut self, cpu: u32, ts: i64) {
        let last = self.last_of.entry(cpu).or_insert(ts);
        *last = ts.max(*last);
    }

    /// Adds a context switch from thread `before`, if known, to thread `next`. `state` is the kernel state of the
    /// previous thread.
    pub(super) fn switch(&mut self, (ts, cpu): (i64, u32), before: Option<i64>, state: i64, next: i64) {
        let kind = EventKind::Switch(u16::try_from(state).unwrap_or_default());
        self.events.push(Event { ts, thread: thread(next), other: before.map_or(UNKNOWN, thread), kind, cpu });
    }

    /// Adds a wake-up of a thread by another. `flags` are the kernel's flags of the event.
    pub(super) fn wake(&mut self, (ts, cpu): (i64, u32), waker: Option<i64>, woken: i64, flags: u64) {
        let kind = EventKind::WakeUp { in_interrupt: flags & INTERRUPT_FLAGS != 0 };
        self.events.push(Event { ts, thread: thread(woken), other: waker.map_or(UNKNOWN, thread), kind, cpu });
    }

    /// Adds a loss of events after `ts`.
    pub(super) fn lose(&mut self, (ts, cpu): (i64, u32)) {
        self.events.push(Event { ts, thread: UNKNOWN, other: UNKNOWN, kind: EventKind::Loss, cpu });
    }

    /// Adds the reason why a thread was blocked.
    pub(super) fn block(&mut self, (ts, cpu): (i64, u32), blocked: i64, by_io: bool, function: Option<&str>) {
        let next = i32::try_from(self.functions.len()).unwrap_or(UNKNOWN);
        let number = function.map_or(UNKNOWN, |function| match self.function_numbers.get(function) {
            Some(known) => *known,
            None => {
                self.function_numbers.insert(function.into(), next);
                self.functions.push(function.into());
                next
            }
        });
        self.events.push(Event { ts, thread: thread(blocked), other: number, kind: EventKind::Blocked { by_io }, cpu });
    }
}
