//! The time of one thread or track within a range.

use super::cpu_time::{CpuTime, covered, cpu_time_of_slices, cpu_time_of_states, cpu_time_of_table, samples_in};
use super::work_slices::{WorkSlices, is_state_track};
use flowline_profile::{CategoryId, Ns, Profile, Thread, ThreadId, ThreadSamples, TimeRange};

/// Name of the category without work.
const IDLE: &str = "Idle";

/// Kind of a thread or track of a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimedKind {
    /// A thread of a program.
    #[default]
    Thread,
    /// The stream of a GPU.
    Stream,
    /// A core, with the threads that ran on it.
    Core,
    /// Another track: asynchronous operations, frames, states of a thread.
    Track,
}

/// The time of a thread or track within a range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThreadTime {
    /// Kind of the thread or track.
    pub kind: TimedKind,
    /// The time that a thread ran on a CPU; `None` if the recording does not contain it.
    pub cpu: Option<CpuTime>,
    /// The time that its outermost slices cover, without message loops and waiting; or else the time of its samples that are
    /// not idle. For a stream, the time of kernels, copies and fills. `None` without slices and samples that have times.
    pub busy: Option<Ns>,
    /// On an axis without times: the length of its samples on the axis, the sum of their weights.
    pub amount: Option<Ns>,
}

impl ThreadTime {
    /// Measures a thread or track. If `has_clocks`, slices may have CPU times; reading them takes long.
    pub(super) fn measure(profile: &Profile, id: ThreadId, range: Option<TimeRange>, has_clocks: bool) -> Self {
        let thread = profile.thread(id);
        let work = WorkSlices::of(profile, thread);
        let kind = kind_of(profile, id, &work);
        let samples = thread.samples.as_deref();
        let from_slices = || work.has_work().then(|| covered(thread, &work, range));
        let from_samples = || samples.and_then(|samples| length_of_samples(profile, samples, range));
        let busy = if profile.source.holds_events() {
            from_slices().or_else(from_samples)
        } else {
            from_samples().or_else(from_slices)
        };
        if !profile.meta.capabilities.axis.is_time() {
            return Self { kind, amount: from_samples(), ..Self::default() };
        }
        if kind != TimedKind::Thread {
            let is_states = is_state_track(profile, thread);
            let cpu = is_states.then(|| cpu_time_of_states(profile, thread, range));
            return Self { kind, cpu, busy, amount: None };
        }
        let states = || {
            let tracks = profile.with_nested_tracks(id).map(|track| profile.thread(track));
            tracks
                .into_iter()
                .find(|track| is_state_track(profile, track) && track.parent.is_none_or(|owner| owner == id))
        };
        let from_states = states().map(|states| cpu_time_of_states(profile, states, range));
        let table = samples.map(|samples| &samples.cpu);
        let cpu = from_states
            .or_else(|| cpu_time_of_table(profile, table?, range))
            .or_else(|| cpu_time_of_slices(profile, id, range, busy?).filter(|_| has_clocks));
        Self { kind, cpu, busy, amount: None }
    }
}

/// The CPU time of a thread's samples, else their busy time; `None` without samples.
pub(super) fn rank_of_samples(profile: &Profile, thread: &Thread) -> Option<Ns> {
    let samples = thread.samples.as_deref().filter(|samples| samples.has_calls())?;
    let cpu = cpu_time_of_table(profile, &samples.cpu, None).map(|cpu| cpu.time);
    cpu.or_else(|| length_of_samples(profile, samples, None))
}

/// The time of a thread's samples that are not idle, or on an axis without times their length on it; `None` without such
/// samples.
#[must_use]
pub fn sampled_busy(profile: &Profile, thread: ThreadId, range: TimeRange) -> Option<Ns> {
    length_of_samples(profile, profile.samples(thread)?, Some(range))
}

fn kind_of(profile: &Profile, id: ThreadId, work: &WorkSlices) -> TimedKind {
    let thread = profile.thread(id);
    if work.is_stream() {
        TimedKind::Stream
    } else if profile.is_thread(id) {
        TimedKind::Thread
    } else if flowline_profile::is_cpus_pid(&profile.process_of(id).pid) && !is_state_track(profile, thread) {
        TimedKind::Core
    } else {
        TimedKind::Track
    }
}

/// The time of the samples that are not idle, each from its own time to the next one; without times, the sum of their
/// lengths on the axis. `None` if samples have neither.
fn length_of_samples(profile: &Profile, samples: &ThreadSamples, range: Option<TimeRange>) -> Option<Ns> {
    let (table, axis) = (&samples.cpu, profile.meta.capabilities.axis);
    let idle: Vec<bool> = profile.categories.iter().map(|category| category.name == IDLE).collect();
    let is_idle = |category: CategoryId| idle.get(category.index()).copied().unwrap_or(false);
    if let Some(calls) = samples.calls.as_ref().filter(|calls| table.is_empty() && !calls.is_empty()) {
        let outermost = (0..calls.len()).filter(|call| calls.depth[*call] == 0);
        let busy = outermost.filter(|call| !is_idle(profile.stacks.category_of(calls.stack[*call])));
        let part = |call: usize| {
            let own = TimeRange::new(calls.start[call], calls.end[call]);
            range.map_or(own, |range| own.within(range)).len()
        };
        return axis.is_time().then(|| Ns(busy.map(part).fold(0, i64::saturating_add)));
    }
    if table.is_empty() || (axis.is_time() && !table.weight.is_empty() && !table.weight_unit.axis().is_time()) {
        return None;
    }
    let within = samples_in(table, range);
    let length = |sample: usize| match sample + 1 < within.end {
        true if axis.is_time() => table.time[sample + 1].0.saturating_sub(table.time[sample].0),
        _ => profile.sample_length(table, sample).0,
    };
    let runs = |sample: &usize| table.stack(*sample).is_some_and(|stack| !is_idle(profile.stacks.category_of(stack)));
    Some(Ns(within.clone().filter(runs).map(length).fold(0, i64::saturating_add)))
}
