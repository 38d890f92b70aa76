//! Derives thread states (running, runnable, sleeping) from the context switches and wake-ups of all CPUs. Bundles of
//! different CPUs are not in time order, so the states are derived after all events are read.

use foldhash::HashMap;

use super::json_text::{integer, micros, string};
use super::scheduling::{Event, UNKNOWN, WAKE_UP};
use super::writer::Writer;
use flowline_profile::{CPUS_PID, THREAD_STATE_SUFFIX};

/// The state of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Runs {
        cpu: u32,
    },
    /// Runnable; the waker is [`UNKNOWN`] without a wake-up.
    Ready {
        waker: i32,
        was_preempted: bool,
    },
    /// Sleeping, with the kernel's state bits.
    Sleeps(i32),
}

impl State {
    /// Returns the state of a thread after it was switched out.
    const fn stopped(state: i32) -> Self {
        const REASONS: i32 = 0x7ff;
        const PREEMPTED: i32 = 0x800;
        match state & REASONS {
            0 => Self::Ready { waker: UNKNOWN, was_preempted: state & PREEMPTED != 0 },
            reason => Self::Sleeps(reason),
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Runs { .. } => "Running",
            Self::Ready { was_preempted: true, .. } => "Runnable (Preempted)",
            Self::Ready { .. } => "Runnable",
            Self::Sleeps(reason) if reason & 2 != 0 => "Uninterruptible Sleep",
            Self::Sleeps(reason) if reason & 1 != 0 => "Sleeping",
            Self::Sleeps(reason) if reason & 4 != 0 => "Stopped",
            Self::Sleeps(reason) if reason & 8 != 0 => "Traced",
            Self::Sleeps(reason) if reason & (16 | 32) != 0 => "Exited",
            Self::Sleeps(reason) if reason & 512 != 0 => "Parked",
            Self::Sleeps(_) => "Not running",
        }
    }
}

impl State {
    /// Returns a reserved color name of trace viewers.
    const fn color(self) -> &'static str {
        match self {
            Self::Runs { .. } => "thread_state_running",
            Self::Ready { .. } => "thread_state_runnable",
            Self::Sleeps(reason) if reason & 2 != 0 => "thread_state_uninterruptible",
            Self::Sleeps(_) => "thread_state_sleeping",
        }
    }
}

impl Writer<'_> {
    /// Writes the states of each thread as slices on a track beside the thread, until `last`.
    pub(super) fn thread_states(&mut self, last: i64) {
        let mut events = std::mem::take(&mut self.scheduling.events);
        events.sort_by_key(|event| event.ts);
        let mut threads: HashMap<i32, (i64, State)> = HashMap::default();
        for event in events {
            if self.is_stopped() {
                return;
            }
            let Event { ts, thread, other, state, cpu } = event;
            if state == WAKE_UP {
                // A wake-up of a running or runnable thread has no effect.
                if !matches!(threads.get(&thread), Some((_, State::Runs { .. } | State::Ready { .. }))) {
                    self.enter(&mut threads, thread, ts, State::Ready { waker: other, was_preempted: false });
                }
                continue;
            }
            if other != thread {
                self.enter(&mut threads, other, ts, State::stopped(state));
            }
            self.enter(&mut threads, thread, ts, State::Runs { cpu });
        }
        let mut left: Vec<_> = threads.into_iter().collect();
        left.sort_unstable_by_key(|(thread, _)| *thread);
        for (thread, (since, state)) in left.into_iter().filter(|(_, (since, _))| *since < last) {
            self.state_slice(thread, since, last, state);
        }
    }

    /// Starts a new state of a thread. Idle CPUs run thread 0, which is not a real thread.
    fn enter(&mut self, threads: &mut HashMap<i32, (i64, State)>, thread: i32, ts: i64, state: State) {
        if thread <= 0 {
            return;
        }
        if let Some((since, before)) = threads.insert(thread, (ts, state)) {
            self.state_slice(thread, since, ts, before);
        }
    }

    fn state_slice(&mut self, thread: i32, since: i64, until: i64, state: State) {
        let owner = self.state_owner(i64::from(thread));
        self.begin_event('X', since);
        self.out.push_str(",\"dur\":");
        micros(&mut self.out, until.saturating_sub(since).max(0));
        self.out.push_str(&owner);
        self.out.push_str(",\"cat\":\"thread state\",\"name\":");
        string(&mut self.out, state.name().as_bytes());
        self.out.push_str(",\"cname\":");
        string(&mut self.out, state.color().as_bytes());
        match state {
            State::Runs { cpu } => {
                self.out.push_str(",\"args\":{\"cpu\":");
                integer(&mut self.out, cpu);
                self.out.push_str("}}");
            }
            State::Ready { waker, .. } if waker > 0 => {
                self.out.push_str(",\"args\":{\"waker_tid\":");
                integer(&mut self.out, waker);
                if let Some(name) = self.name_of(i64::from(waker)) {
                    self.out.push_str(",\"waker\":");
                    string(&mut self.out, name.as_bytes());
                }
                self.out.push_str("}}");
            }
            _ => self.out.push('}'),
        }
    }

    /// Returns the name of a thread in kernel events.
    pub(super) fn name_of(&self, tid: i64) -> Option<String> {
        let listed = self.facts.process_of(tid).and_then(|pid| self.facts.threads.get(&(pid, tid)));
        let listed = listed.map(|named| &named.name).filter(|name| !name.is_empty());
        listed.or_else(|| self.scheduling.names.get(&tid)).cloned()
    }

    /// Returns process and thread members for the state track of a thread.
    fn state_owner(&mut self, tid: i64) -> std::rc::Rc<str> {
        if let Some(known) = self.state_owners.get(&tid) {
            return std::rc::Rc::clone(known);
        }
        let pid = self.facts.process_of(tid);
        let name = self.name_of(tid).unwrap_or_else(|| format!("Thread {tid}"));
        let (owner, name) = match pid {
            Some(pid) => {
                self.name_process(pid);
                (format!(",\"pid\":{pid},\"tid\":\"{tid}{THREAD_STATE_SUFFIX}\""), format!("{name}: state"))
            }
            // The process is unknown.
            None => (
                format!(",\"pid\":\"{CPUS_PID}\",\"tid\":\"{tid}{THREAD_STATE_SUFFIX}\""),
                format!("{name} {tid}: state"),
            ),
        };
        self.name(&owner, ["thread_name", "thread_sort_index"], &name, pid.is_none().then_some(1 << 20));
        let owner: std::rc::Rc<str> = owner.into();
        self.state_owners.insert(tid, std::rc::Rc::clone(&owner));
        owner
    }
}
