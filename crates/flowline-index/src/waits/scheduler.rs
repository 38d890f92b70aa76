//! Waits for processors and wake-ups, from the thread states of the Linux scheduler.
//!
//! A *Running* slice follows a *Runnable* slice, which began when a waker woke the thread, or when the thread lost its CPU
//! to another one. Meanwhile other threads ran on the CPU. States are on the track of a thread's states, one at a time.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::causes::Cause;
use super::wait_activity::{Blocker, WaitActivity};
use crate::{Derived, Index};
use flowline_profile::{
    CPUS_PID, LocalMarker, MarkerId, Ns, Profile, StringId, THREAD_STATE_SUFFIX, Thread, ThreadId, TimeRange, Value,
    split_machine,
};

/// Category of the slices that show the state of a thread.
const STATES: &str = "thread state";
const RUNNING: &str = "Running";
const RUNNABLE: &str = "Runnable";

/// The tracks of the scheduler.
#[derive(Debug, Default)]
pub(crate) struct SchedulerTracks {
    /// Tracks with thread states, by machine and thread id.
    states: HashMap<String, ThreadId>,
    /// Tracks of CPUs, by machine and number.
    cpus: HashMap<String, ThreadId>,
}

impl Derived for SchedulerTracks {
    fn derive(index: &Index) -> Self {
        let profile = index.profile();
        let mut tracks = Self::default();
        for (id, thread) in profile.threads_with_ids() {
            let (machine, process) = split_machine(&profile.process_of(id).pid);
            if let Some(tid) = thread.tid.strip_suffix(THREAD_STATE_SUFFIX) {
                tracks.states.insert(format!("{machine}{tid}"), id);
            } else if process == CPUS_PID {
                tracks.cpus.insert(format!("{machine}{}", thread.tid), id);
            }
        }
        tracks
    }
}

/// Number of a slice's argument.
fn number(profile: &Profile, thread: ThreadId, marker: LocalMarker, key: &str) -> Option<String> {
    let payload = profile.payload(thread, marker);
    let value = payload.get(key).filter(|value| !value.is_null() && !value.is_nested())?;
    Some(value.display_js())
}

/// The machine of a thread's process.
fn machine_of(profile: &Profile, thread: ThreadId) -> &str {
    split_machine(&profile.process_of(thread).pid).0
}

/// The last marker of a thread that begins at or before a time.
fn last_until(thread: &Thread, time: Ns) -> Option<LocalMarker> {
    let after = thread.markers.times().partition_point(|start| start <= time);
    after.checked_sub(1).map(LocalMarker::new)
}

/// A marker that is the state of a thread.
struct StateSlice<'a> {
    profile: &'a Profile,
    id: ThreadId,
    thread: &'a Thread,
    local: LocalMarker,
}

impl<'a> StateSlice<'a> {
    fn new(profile: &'a Profile, id: ThreadId, local: LocalMarker) -> Option<Self> {
        let thread = profile.thread(id);
        let is_state = thread.tid.ends_with(THREAD_STATE_SUFFIX) && profile.source.holds_events();
        let is_state = is_state && profile.category_name(thread.markers.category(local)) == STATES;
        is_state.then_some(Self { profile, id, thread, local })
    }

    fn name(&self) -> &'a str {
        self.profile.strings.get(self.thread.markers.name(self.local))
    }

    fn start(&self) -> Ns {
        self.thread.markers.start(self.local)
    }

    fn end(&self) -> Ns {
        self.thread.markers.end(self.local)
    }

    fn marker(&self) -> MarkerId {
        self.thread.global(self.local)
    }

    /// The state of the thread before this one, without a gap.
    fn before(&self) -> Option<Self> {
        let local = LocalMarker::new(self.local.index().checked_sub(1)?);
        let before = Self { local, ..*self };
        (before.end() == self.start()).then_some(before)
    }

    /// The state of the thread after this one, without a gap.
    fn after(&self) -> Option<Self> {
        let next = self.local.index() + 1;
        let after = (next < self.thread.markers.len()).then(|| Self { local: LocalMarker::new(next), ..*self })?;
        (after.start() == self.end()).then_some(after)
    }

    fn is_runnable(&self) -> bool {
        self.name().starts_with(RUNNABLE)
    }

    fn argument(&self, key: &str) -> Option<String> {
        number(self.profile, self.id, self.local, key)
    }

    /// The running slice that a *Runnable* slice continues: that of the waker, or of the thread itself if it lost its
    /// CPU. A thread that an interrupt interrupted is no waker.
    fn released_by(&self, tracks: &SchedulerTracks) -> Option<MarkerId> {
        let payload = self.profile.payload(self.id, self.local);
        if payload.get("in_interrupt").is_some_and(|value| matches!(value, Value::Bool(true))) {
            return None;
        }
        let Some(waker) = self.argument("waker_tid") else {
            return self.before().filter(|before| before.name() == RUNNING).map(|before| before.marker());
        };
        let id = *tracks.states.get(&format!("{}{waker}", machine_of(self.profile, self.id)))?;
        let local = last_until(self.profile.thread(id), self.start())?;
        let running = Self::new(self.profile, id, local)?;
        (running.name() == RUNNING && running.end() >= self.start()).then(|| running.marker())
    }
}

/// The cause of a thread state: the running slice of the waker, or of the thread itself before it lost its CPU. It posted
/// the state when the thread became runnable.
pub(super) fn state_cause(index: &Index, marker: MarkerId, until: Ns) -> Option<Cause> {
    let profile = index.profile();
    let (id, local) = profile.locate(marker)?;
    let state = StateSlice::new(profile, id, local)?;
    let (runnable, arrived) = if state.name() == RUNNING {
        (state.before()?, state.start())
    } else if state.is_runnable() {
        let arrived = state.end().min(until);
        (state, arrived)
    } else {
        // A sleep ends with the wake-up.
        let arrived = state.end();
        (state.after()?, arrived)
    };
    if !runnable.is_runnable() {
        return None;
    }
    let marker = runnable.released_by(SchedulerTracks::of(index)).filter(|_| arrived <= until)?;
    Some(Cause { arrived, posted: runnable.start().min(arrived), marker, request: None })
}

/// The threads that ran on the CPU for which a thread waited; `None` if `thread` is no track of thread states, or does not
/// run at the end of the wait.
pub(super) fn cpu_activity(index: &Index, thread: ThreadId, wait: TimeRange) -> Option<WaitActivity> {
    let profile = index.profile();
    let running = StateSlice::new(profile, thread, last_until(profile.thread(thread), wait.end)?)?;
    let running = if running.is_runnable() { running.after()? } else { running };
    if running.name() != RUNNING {
        return None;
    }
    let cpu = running.argument("cpu")?;
    let tracks = SchedulerTracks::of(index);
    let id = *tracks.cpus.get(&format!("{}{cpu}", machine_of(profile, thread)))?;
    let runs = profile.thread(id);
    let times = runs.markers.times();
    let first = times.partition_point(|start| start <= wait.start).saturating_sub(1);
    let mut sums: HashMap<(StringId, Option<String>), (Blocker, i64)> = HashMap::new();
    let mut total = 0;
    for at in first..runs.markers.len() {
        let local = LocalMarker::new(at);
        let range = runs.markers.range(local);
        if range.start >= wait.end {
            break;
        }
        let ns = (range.end.min(wait.end) - range.start.max(wait.start)).0;
        if ns <= 0 {
            continue;
        }
        total += ns;
        let name = runs.markers.name(local);
        let named = !profile.strings.get(name).is_empty();
        let tid = if named { None } else { number(profile, id, local, "tid") };
        let task = tid.as_ref().map(|tid| format!("Thread {tid}"));
        let first = || (Blocker { name, task, ns: 0, count: 0, longest: runs.global(local) }, 0);
        let (blocker, longest) = sums.entry((name, tid)).or_insert_with(first);
        (blocker.ns, blocker.count) = (blocker.ns + ns, blocker.count + 1);
        if ns > *longest {
            (*longest, blocker.longest) = (ns, runs.global(local));
        }
    }
    let mut blockers: Vec<Blocker> = sums.into_values().map(|(blocker, _)| blocker).collect();
    blockers.sort_unstable_by_key(|blocker| (Reverse(blocker.ns), blocker.longest));
    // Without a run, the CPU was idle, or its events were lost.
    Some(WaitActivity { blockers, idle: 0, unknown: wait.len() - total, cpu: cpu.parse().ok() })
}

/// True for a slice that shows the state of a thread of the Linux scheduler.
#[must_use]
pub fn is_thread_state(profile: &Profile, thread: ThreadId, marker: LocalMarker) -> bool {
    StateSlice::new(profile, thread, marker).is_some()
}

/// True for a slice that shows that a thread waits for a CPU.
#[must_use]
pub fn is_runnable(profile: &Profile, marker: MarkerId) -> bool {
    let state = profile.locate(marker).and_then(|(thread, local)| StateSlice::new(profile, thread, local));
    state.is_some_and(|state| state.is_runnable())
}

/// The threads that ran on the CPU for which a thread waited during a *Runnable* state.
#[must_use]
pub fn runnable_behind(index: &Index, marker: MarkerId) -> Option<WaitActivity> {
    let profile = index.profile();
    let (id, local) = profile.locate(marker)?;
    let state = StateSlice::new(profile, id, local).filter(StateSlice::is_runnable)?;
    cpu_activity(index, id, TimeRange { start: state.start(), end: state.end() })
}
