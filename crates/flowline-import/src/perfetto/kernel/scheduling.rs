//! State of the kernel scheduler: the running thread of each CPU, and all events that change the states of threads.

use foldhash::{HashMap, HashSet};

use super::interrupt_row::InterruptRow;

/// A thread running on a CPU.
#[derive(Clone, Debug)]
pub(in crate::perfetto) struct Running {
    pub(in crate::perfetto) since: i64,
    pub(in crate::perfetto) tid: i64,
    pub(in crate::perfetto) priority: i64,
}

/// An event that changes the states of threads, 24 bytes.
#[derive(Clone, Copy, Debug)]
pub(in crate::perfetto) struct Event {
    pub(in crate::perfetto) ts: i64,
    /// The next running thread, the woken thread, or the thread that was blocked.
    pub(in crate::perfetto) thread: i32,
    /// The previously running thread, or the waker; [`UNKNOWN`] if not recorded. For a blocked thread, the index of the
    /// function.
    pub(in crate::perfetto) other: i32,
    pub(in crate::perfetto) kind: EventKind,
    pub(in crate::perfetto) cpu: u32,
}

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::perfetto) enum EventKind {
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

pub(in crate::perfetto) const UNKNOWN: i32 = -1;
/// Flags of events during a hardware interrupt or a softirq.
const INTERRUPT_FLAGS: u64 = 0x18;

/// The state of all CPUs, and the events that change the states of threads.
#[derive(Debug, Default)]
pub(in crate::perfetto) struct Scheduling {
    pub(in crate::perfetto) events: Vec<Event>,
    pub(in crate::perfetto) running: HashMap<u32, Running>,
    /// The latest event of each CPU.
    pub(in crate::perfetto) last_of: HashMap<u32, i64>,
    /// Functions in which threads were blocked, by the index that events contain.
    pub(in crate::perfetto) functions: Vec<Box<str>>,
    function_numbers: HashMap<Box<str>, i32>,
    /// Rows with interrupts that have a name.
    pub(in crate::perfetto) named_interrupts: HashSet<InterruptRow>,
}

/// Converts a thread id to the kernel's 32 bits.
fn thread(tid: i64) -> i32 {
    i32::try_from(tid).unwrap_or(UNKNOWN)
}

impl Scheduling {
    /// Takes the time of an event of a CPU.
    pub(in crate::perfetto) fn reach(&mut self, cpu: u32, ts: i64) {
        let last = self.last_of.entry(cpu).or_insert(ts);
        *last = ts.max(*last);
    }

    /// Adds a context switch from thread `before`, if known, to thread `next`. `state` is the kernel state of the
    /// previous thread.
    pub(in crate::perfetto) fn switch(&mut self, (ts, cpu): (i64, u32), before: Option<i64>, state: i64, next: i64) {
        let kind = EventKind::Switch(u16::try_from(state).unwrap_or_default());
        self.events.push(Event { ts, thread: thread(next), other: before.map_or(UNKNOWN, thread), kind, cpu });
    }

    /// Adds a wake-up of a thread by another. `flags` are the kernel's flags of the event.
    pub(in crate::perfetto) fn wake(&mut self, (ts, cpu): (i64, u32), waker: Option<i64>, woken: i64, flags: u64) {
        let kind = EventKind::WakeUp { in_interrupt: flags & INTERRUPT_FLAGS != 0 };
        self.events.push(Event { ts, thread: thread(woken), other: waker.map_or(UNKNOWN, thread), kind, cpu });
    }

    /// Adds a loss of events after `ts`.
    pub(in crate::perfetto) fn lose(&mut self, (ts, cpu): (i64, u32)) {
        self.events.push(Event { ts, thread: UNKNOWN, other: UNKNOWN, kind: EventKind::Loss, cpu });
    }

    /// Adds the reason why a thread was blocked.
    pub(in crate::perfetto) fn block(
        &mut self,
        (ts, cpu): (i64, u32),
        blocked: i64,
        by_io: bool,
        function: Option<&str>,
    ) {
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
