//! Derives thread states (running, runnable, sleeping) from the context switches and wake-ups of all CPUs. Bundles of
//! different CPUs are not in time order, so the states are derived after all events are read.

use std::rc::Rc;

use foldhash::HashMap;

use super::scheduling::{Event, EventKind, UNKNOWN};
use super::task_states::{Sleep, Stopped};
use crate::perfetto::event::{Args, Owner, OwnerId, TraceEvent};
use crate::perfetto::json_text::{integer, string};
use crate::perfetto::output::Output;
use crate::perfetto::writer::{Writer, emit};
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
        by_interrupt: bool,
    },
    Sleeps {
        sleep: Sleep,
        blocked: Option<Blocked>,
    },
}

/// The reason of a sleep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Blocked {
    by_io: bool,
    /// Index of the function; [`UNKNOWN`] if not recorded.
    function: i32,
}

impl From<Stopped> for State {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Runnable { was_preempted } => Self::Ready { waker: UNKNOWN, was_preempted, by_interrupt: false },
            Stopped::Sleeps(sleep) => Self::Sleeps { sleep, blocked: None },
        }
    }
}

impl State {
    const fn name(self) -> &'static str {
        match self {
            Self::Runs { .. } => "Running",
            Self::Ready { was_preempted: true, .. } => "Runnable (Preempted)",
            Self::Ready { .. } => "Runnable",
            Self::Sleeps { sleep, blocked: None } => sleep.name(),
            Self::Sleeps { blocked: Some(Blocked { by_io: true, .. }), .. } => "Uninterruptible Sleep (IO)",
            Self::Sleeps { blocked: Some(_), .. } => "Uninterruptible Sleep (non-IO)",
        }
    }

    /// Returns a reserved color name of trace viewers.
    const fn color(self) -> &'static str {
        match self {
            Self::Runs { .. } => "thread_state_running",
            Self::Ready { .. } => "thread_state_runnable",
            Self::Sleeps { blocked: Some(Blocked { by_io: true, .. }), .. } => "thread_state_iowait",
            Self::Sleeps { sleep: Sleep::Uninterruptible, .. } => "thread_state_uninterruptible",
            Self::Sleeps { .. } => "thread_state_sleeping",
        }
    }
}

/// A state that began.
#[derive(Clone, Copy, Debug)]
struct Entered {
    since: i64,
    state: State,
}

/// The current states of all threads.
#[derive(Debug, Default)]
struct Current {
    threads: HashMap<i32, Entered>,
    /// The thread that each CPU runs.
    running: HashMap<u32, i32>,
    /// The last uninterruptible sleep of a thread and its end, if its reason may follow: the kernel states it after the
    /// wake-up.
    slept: HashMap<i32, (Entered, i64)>,
}

impl<O: Output> Writer<'_, O> {
    /// Writes the states of each thread as slices on a track beside the thread, until `last`.
    pub(in crate::perfetto) fn thread_states(&mut self, last: i64) {
        let mut events = std::mem::take(&mut self.scheduling.events);
        events.sort_by_key(|event| event.ts);
        let mut current = Current::default();
        for event in events {
            if self.is_stopped() {
                return;
            }
            self.change_states(&mut current, &event);
        }
        let mut left: Vec<_> = current.threads.into_iter().collect();
        left.sort_unstable_by_key(|(thread, _)| *thread);
        let mut slept: Vec<_> = current.slept.into_iter().collect();
        slept.sort_unstable_by_key(|(thread, _)| *thread);
        for (thread, (entered, until)) in slept {
            self.state_slice(thread, entered, until);
        }
        for (thread, entered) in left.into_iter().filter(|(_, entered)| entered.since < last) {
            self.state_slice(thread, entered, last);
        }
    }

    fn change_states(&mut self, current: &mut Current, event: &Event) {
        let Event { ts, thread, other, kind, cpu } = *event;
        let is_running = |current: &Current, thread: i32| {
            current.threads.get(&thread).is_some_and(|entered| entered.state == State::Runs { cpu })
        };
        match kind {
            EventKind::Switch(state) => {
                let running = current.running.insert(cpu, thread);
                if let Some(running) = running.filter(|running| *running != other && is_running(current, *running)) {
                    // Another thread was running, so the switch that ended this run was lost, and with it the state.
                    self.leave(current, running, ts);
                }
                if other != thread {
                    self.enter(current, other, ts, self.facts.kernel.states.stopped(i64::from(state)).into());
                }
                self.enter(current, thread, ts, State::Runs { cpu });
            }
            EventKind::WakeUp { in_interrupt } => {
                // A wake-up of a running or runnable thread has no effect.
                let state = current.threads.get(&thread).map(|entered| entered.state);
                if !matches!(state, Some(State::Runs { .. } | State::Ready { .. })) {
                    let waker = if other == UNKNOWN { current.running.get(&cpu).copied() } else { Some(other) };
                    let waker = waker.unwrap_or(UNKNOWN);
                    let state = State::Ready { waker, was_preempted: false, by_interrupt: in_interrupt };
                    self.enter(current, thread, ts, state);
                }
            }
            EventKind::Loss => {
                let running = current.running.remove(&cpu);
                if let Some(running) = running.filter(|running| is_running(current, *running)) {
                    self.leave(current, running, ts);
                }
            }
            EventKind::Blocked { by_io } => {
                let slept = current.slept.get_mut(&thread).map(|(entered, _)| entered);
                let sleep = match current.threads.get_mut(&thread) {
                    Some(now) if matches!(now.state, State::Sleeps { .. }) => Some(now),
                    _ => slept,
                };
                if let Some(Entered { state: State::Sleeps { sleep: Sleep::Uninterruptible, blocked }, .. }) = sleep {
                    *blocked = Some(Blocked { by_io, function: other });
                }
            }
        }
    }

    /// Starts a new state of a thread. Idle CPUs run thread 0, which is not a real thread.
    fn enter(&mut self, current: &mut Current, thread: i32, ts: i64, state: State) {
        if thread <= 0 {
            return;
        }
        self.leave(current, thread, ts);
        current.threads.insert(thread, Entered { since: ts, state });
    }

    /// Ends the state of a thread. Its next state is unknown.
    fn leave(&mut self, current: &mut Current, thread: i32, ts: i64) {
        let Some(before) = current.threads.remove(&thread) else { return };
        let is_blocked = matches!(before.state, State::Sleeps { sleep: Sleep::Uninterruptible, .. });
        let slept = match is_blocked {
            true => current.slept.insert(thread, (before, ts)),
            // The reason of a sleep precedes the end of the thread's next run.
            false if matches!(before.state, State::Runs { .. }) => current.slept.remove(&thread),
            false => None,
        };
        if let Some((entered, until)) = slept {
            self.state_slice(thread, entered, until);
        }
        if !is_blocked {
            self.state_slice(thread, before, ts);
        }
    }

    fn state_slice(&mut self, thread: i32, entered: Entered, until: i64) {
        let Entered { since, state } = entered;
        let owner = self.state_owner(i64::from(thread));
        let facts = self.facts;
        let waker = match state {
            State::Ready { waker, .. } if waker > 0 => facts.thread_name(i64::from(waker)),
            _ => None,
        };
        let blocked = match state {
            State::Sleeps { blocked, .. } => blocked,
            _ => None,
        };
        let function =
            blocked.and_then(|blocked| self.scheduling.functions.get(usize::try_from(blocked.function).ok()?));
        let args = |out: &mut String| match state {
            State::Runs { cpu } => {
                out.push_str("{\"cpu\":");
                integer(out, cpu);
                out.push('}');
            }
            State::Ready { waker: tid, by_interrupt, .. } => {
                out.push_str("{\"waker_tid\":");
                integer(out, tid);
                if let Some(name) = waker {
                    out.push_str(",\"waker\":");
                    string(out, name.as_bytes());
                }
                // The interrupted thread is not the cause of the wake-up.
                out.push_str(if by_interrupt { ",\"in_interrupt\":true}" } else { "}" });
            }
            State::Sleeps { .. } => {
                let by_io = blocked.is_some_and(|blocked| blocked.by_io);
                out.push_str(if by_io { "{\"io_wait\":true" } else { "{\"io_wait\":false" });
                if let Some(function) = function {
                    out.push_str(",\"blocked_function\":");
                    string(out, function.as_bytes());
                }
                out.push('}');
            }
        };
        let has_args = blocked.is_some() || matches!(state, State::Runs { .. } | State::Ready { waker: 1.., .. });
        let event = TraceEvent {
            duration: Some(until.saturating_sub(since).max(0)),
            categories: "thread state".into(),
            name: Some(state.name().into()),
            color: state.color(),
            args: if has_args { Args::Made(&args) } else { Args::None },
            ..TraceEvent::new(b'X', since, &owner)
        };
        emit(&mut self.output, facts, &mut self.place, &event);
    }

    /// Returns the owner of the state track of a thread.
    fn state_owner(&mut self, tid: i64) -> Rc<Owner> {
        if let Some(known) = self.state_owners.get(&tid) {
            return Rc::clone(known);
        }
        let pid = self.facts.process_of(tid);
        let name = self.facts.thread_name(tid).map_or_else(|| format!("Thread {tid}"), str::to_owned);
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
        self.name(&owner, ["thread_name", "thread_sort_index"], &name, pid.is_none().then_some(1 << 40));
        self.state_owners.insert(tid, Rc::clone(&owner));
        owner
    }
}
