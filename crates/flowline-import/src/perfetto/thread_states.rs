//! Derives thread states (running, runnable, sleeping) from the context switches and wake-ups of all CPUs. Bundles of
//! different CPUs are not in time order, so the states are derived after all events are read.

use std::rc::Rc;

use foldhash::HashMap;

use super::event::{Args, Owner, OwnerId, TraceEvent};
use super::json_text::{integer, string};
use super::output::Output;
use super::scheduling::{Event, UNKNOWN, WAKE_UP};
use super::writer::{Writer, emit};
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

impl<O: Output> Writer<'_, O> {
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
        let waker = match state {
            State::Ready { waker, .. } if waker > 0 => self.name_of(i64::from(waker)),
            _ => None,
        };
        let args = |out: &mut String| match state {
            State::Runs { cpu } => {
                out.push_str("{\"cpu\":");
                integer(out, cpu);
                out.push('}');
            }
            State::Ready { waker: tid, .. } => {
                out.push_str("{\"waker_tid\":");
                integer(out, tid);
                if let Some(name) = &waker {
                    out.push_str(",\"waker\":");
                    string(out, name.as_bytes());
                }
                out.push('}');
            }
            State::Sleeps(_) => out.push_str("{}"),
        };
        let has_args = matches!(state, State::Runs { .. } | State::Ready { waker: 1.., .. });
        let event = TraceEvent {
            duration: Some(until.saturating_sub(since).max(0)),
            categories: "thread state".into(),
            name: Some(state.name().into()),
            color: state.color(),
            args: if has_args { Args::Made(&args) } else { Args::None },
            ..TraceEvent::new(b'X', since, &owner)
        };
        emit(&mut self.output, self.facts, &mut self.place, &event);
    }

    /// Returns the name of a thread in kernel events.
    pub(super) fn name_of(&self, tid: i64) -> Option<String> {
        let listed = self.facts.process_of(tid).and_then(|pid| self.facts.threads.get(&(pid, tid)));
        let listed = listed.map(|named| &named.name).filter(|name| !name.is_empty());
        listed.or_else(|| self.cpus.names.get(&tid)).cloned()
    }

    /// Returns the owner of the state track of a thread.
    fn state_owner(&mut self, tid: i64) -> Rc<Owner> {
        if let Some(known) = self.state_owners.get(&tid) {
            return Rc::clone(known);
        }
        let pid = self.facts.process_of(tid);
        let name = self.name_of(tid).unwrap_or_else(|| format!("Thread {tid}"));
        let thread = Some(OwnerId::Name(format!("{tid}{THREAD_STATE_SUFFIX}").into()));
        let (process, name) = match pid {
            Some(pid) => {
                self.name_process(pid);
                (OwnerId::Number(pid), format!("{name}: state"))
            }
            // The process is unknown.
            None => (OwnerId::Name(CPUS_PID.into()), format!("{name} {tid}: state")),
        };
        let owner = Rc::new(Owner { process, thread });
        self.name(&owner, ["thread_name", "thread_sort_index"], &name, pid.is_none().then_some(1 << 20));
        self.state_owners.insert(tid, Rc::clone(&owner));
        owner
    }
}
