//! State of the kernel scheduler: the running thread of each CPU, and all context switches and wake-ups.

use std::sync::Arc;

use foldhash::HashMap;

/// A thread running on a CPU.
#[derive(Clone, Debug)]
pub(super) struct Running {
    pub(super) since: i64,
    pub(super) tid: i64,
    pub(super) priority: i64,
}

/// The state of all CPUs.
#[derive(Clone, Debug, Default)]
pub(super) struct Cpus {
    pub(super) running: HashMap<u32, Running>,
    /// Names of threads that the kernel stated last.
    pub(super) names: Arc<HashMap<i64, String>>,
    /// The latest time of all kernel events.
    pub(super) last: i64,
}

/// A context switch or a wake-up, 24 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) ts: i64,
    /// The next running thread, or the woken thread.
    pub(super) thread: i32,
    /// The previously running thread, or the waker; [`UNKNOWN`] if not recorded.
    pub(super) other: i32,
    /// Kernel state of the previous thread; [`WAKE_UP`] for a wake-up.
    pub(super) state: i32,
    pub(super) cpu: u32,
}

pub(super) const UNKNOWN: i32 = -1;
pub(super) const WAKE_UP: i32 = i32::MIN;

/// All context switches and wake-ups.
#[derive(Debug, Default)]
pub(super) struct Scheduling {
    pub(super) events: Vec<Event>,
}

/// Converts a thread id to the kernel's 32 bits.
fn thread(tid: i64) -> i32 {
    i32::try_from(tid).unwrap_or(UNKNOWN)
}

impl Scheduling {
    /// Adds a context switch from thread `before`, if known, to thread `next`. `state` is the kernel state of the
    /// previous thread.
    pub(super) fn switch(&mut self, (ts, cpu): (i64, u32), before: Option<i64>, state: i64, next: i64) {
        let state = i32::try_from(state).unwrap_or_default().max(0);
        self.events.push(Event { ts, thread: thread(next), other: before.map_or(UNKNOWN, thread), state, cpu });
    }

    /// Adds a wake-up of a thread by another.
    pub(super) fn wake(&mut self, (ts, cpu): (i64, u32), waker: Option<i64>, woken: i64) {
        self.events.push(Event {
            ts,
            thread: thread(woken),
            other: waker.map_or(UNKNOWN, thread),
            state: WAKE_UP,
            cpu,
        });
    }
}
