//! What is known of the kernel's scheduler: what each processor runs, and all switches and wake-ups.

use foldhash::{HashMap, HashSet};

/// A thread on a processor.
#[derive(Clone, Debug)]
pub(super) struct Running {
    pub(super) since: i64,
    pub(super) tid: i64,
    pub(super) priority: i64,
}

/// What the processors do.
#[derive(Debug, Default)]
pub(super) struct Cpus {
    pub(super) running: HashMap<u32, Running>,
    pub(super) named: HashSet<u32>,
    /// The latest time of all.
    pub(super) last: i64,
    /// What is added to times of another clock.
    pub(super) shift: Option<i64>,
}

/// A switch or a wake-up, 24 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) ts: i64,
    /// The thread that runs next, or is woken.
    pub(super) thread: i32,
    /// The thread that ran before, or wakes the other; [`UNKNOWN`] if nobody says.
    pub(super) other: i32,
    /// Why the thread before stopped; [`WAKES`] for a wake-up.
    pub(super) state: i32,
    pub(super) cpu: u32,
}

pub(super) const UNKNOWN: i32 = -1;
pub(super) const WAKES: i32 = i32::MIN;

/// All switches and wake-ups, and names of threads.
#[derive(Debug, Default)]
pub(super) struct Scheduling {
    pub(super) events: Vec<Event>,
    pub(super) names: HashMap<i64, String>,
}

/// A thread's number as the kernel counts.
fn thread(tid: i64) -> i32 {
    i32::try_from(tid).unwrap_or(UNKNOWN)
}

impl Scheduling {
    /// Adds a switch from a thread, if it is known, which stopped for a reason, to another one.
    pub(super) fn switch(&mut self, (ts, cpu): (i64, u32), before: Option<i64>, state: i64, next: i64) {
        let state = i32::try_from(state).unwrap_or_default().max(0);
        self.events.push(Event { ts, thread: thread(next), other: before.map_or(UNKNOWN, thread), state, cpu });
    }

    /// Adds that a thread woke another one.
    pub(super) fn wake(&mut self, (ts, cpu): (i64, u32), waker: Option<i64>, woken: i64) {
        self.events.push(Event { ts, thread: thread(woken), other: waker.map_or(UNKNOWN, thread), state: WAKES, cpu });
    }
}
