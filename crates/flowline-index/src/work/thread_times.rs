//! The times of all threads, processes and GPUs, within the recording or a part of it. Every figure of time beside a name
//! comes from here.

use rayon::prelude::*;

use super::process_time::{Measure, ProcessTime};
use super::thread_time::{ThreadTime, TimedKind};
use super::work_slices::is_gpu_work;
use crate::Index;
use crate::index::Derived;
use crate::statistics::{has_cpu_times, may_have_cpu_times};
use flowline_profile::{Ns, ProcessId, Profile, ThreadId, TimeRange, parallel_chunk_size};

/// The times of all threads and processes.
#[derive(Clone, Debug, Default)]
pub struct ThreadTimes {
    threads: Vec<ThreadTime>,
    processes: Vec<Option<ProcessTime>>,
    range: Option<TimeRange>,
}

impl ThreadTimes {
    /// Measures all threads in a range, in parallel; without a range, in the whole recording. Reads the CPU times of slices,
    /// so it belongs on the pool.
    #[must_use]
    pub fn measure(profile: &Profile, range: Option<TimeRange>) -> Self {
        let (has_clocks, count) = (may_have_cpu_times(profile) || has_cpu_times(profile), profile.threads.len());
        let ids = (0..count).into_par_iter().with_max_len(parallel_chunk_size(count)).map(ThreadId::new);
        let threads: Vec<ThreadTime> = ids.map(|id| ThreadTime::measure(profile, id, range, has_clocks)).collect();
        let mut members: Vec<Vec<ThreadId>> = vec![Vec::new(); profile.processes.len()];
        for (id, thread) in profile.threads_with_ids() {
            members[thread.process.index()].push(id);
        }
        let of_process = |members: &Vec<ThreadId>| {
            let times = || members.iter().map(|id| &threads[id.index()]);
            let threads_or_cores = ProcessTime::sum(times()).or_else(|| ProcessTime::of_cores(times()));
            threads_or_cores.or_else(|| of_streams(profile, members, &threads, range))
        };
        let processes = members.iter().map(of_process).collect();
        Self { threads, processes, range }
    }

    /// The time of a thread or track.
    #[must_use]
    pub fn thread(&self, thread: ThreadId) -> ThreadTime {
        self.threads.get(thread.index()).copied().unwrap_or_default()
    }

    /// The figure beside a thread or track.
    #[must_use]
    pub fn of_thread(&self, thread: ThreadId) -> Option<ProcessTime> {
        ProcessTime::of_thread(&self.thread(thread))
    }

    /// The sum of the threads among some threads and tracks.
    #[must_use]
    pub fn of_threads(&self, threads: &[ThreadId]) -> Option<ProcessTime> {
        ProcessTime::sum(threads.iter().filter_map(|thread| self.threads.get(thread.index())))
    }

    /// The figure beside a process: the sum of its threads; of a process of a GPU, the time with work on any stream.
    #[must_use]
    pub fn of_process(&self, process: ProcessId) -> Option<ProcessTime> {
        self.processes.get(process.index()).copied().flatten()
    }

    /// The threads of a process with their figures, longest first; only those that worked.
    #[must_use]
    pub fn parts_of(&self, profile: &Profile, process: ProcessId) -> Vec<(ThreadId, Ns)> {
        let Some(all) = self.of_process(process) else { return Vec::new() };
        let own = profile.threads_with_ids().filter(|(_, thread)| thread.process == process);
        let time = |id: ThreadId| {
            let time = self.thread(id);
            match all.measure {
                Measure::Cpu => time.cpu.map(|cpu| cpu.time).filter(|_| time.kind == TimedKind::Thread),
                Measure::Busy => time.busy.filter(|_| time.kind == TimedKind::Thread),
                Measure::Gpu => time.busy.filter(|_| time.kind == TimedKind::Stream),
                Measure::Amount => time.amount,
                Measure::Core | Measure::Covered => time.busy.filter(|_| time.kind == TimedKind::Core),
            }
        };
        let mut parts: Vec<(ThreadId, Ns)> = own.filter_map(|(id, _)| Some((id, time(id)?))).collect();
        parts.retain(|(_, time)| time.0 > 0);
        parts.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
        parts
    }

    /// The range of the times; `None` for the whole recording.
    #[must_use]
    pub const fn range(&self) -> Option<TimeRange> {
        self.range
    }
}

impl Derived for ThreadTimes {
    fn derive(index: &Index) -> Self {
        Self::measure(index.profile(), None)
    }
}

/// The time with work on any of the streams among some tracks; `None` without streams.
fn of_streams(
    profile: &Profile,
    members: &[ThreadId],
    times: &[ThreadTime],
    range: Option<TimeRange>,
) -> Option<ProcessTime> {
    let streams: Vec<ThreadId> =
        members.iter().copied().filter(|id| times[id.index()].kind == TimedKind::Stream).collect();
    let threads = streams.iter().filter(|id| times[id.index()].busy.is_some_and(|busy| busy.0 > 0)).count();
    let time = gpu_busy(profile, &streams, range);
    (!streams.is_empty()).then(|| ProcessTime { time, measure: Measure::Gpu, threads, ..ProcessTime::default() })
}

/// The time in which at least one of some streams of a GPU ran a kernel, copied or filled memory.
#[must_use]
pub fn gpu_busy(profile: &Profile, streams: &[ThreadId], range: Option<TimeRange>) -> Ns {
    let mut work: Vec<(i64, i64)> = Vec::new();
    for stream in streams {
        let markers = &profile.thread(*stream).markers;
        let attributes = markers.attributes();
        let counts: Vec<bool> = attributes.items().iter().map(|own| is_gpu_work(profile, own.category())).collect();
        let own = markers.times().ranges().enumerate().filter(|(marker, _)| counts[attributes.number(*marker)]);
        let parts = own.map(|(_, own)| range.map_or(own, |range| own.within(range)));
        work.extend(parts.filter(|part| !part.is_empty()).map(|part| (part.start.0, part.end.0)));
    }
    work.sort_unstable();
    let (mut busy, mut until) = (0_i64, i64::MIN);
    for (start, end) in work {
        busy = busy.saturating_add((end - start.max(until)).max(0));
        until = until.max(end);
    }
    Ns(busy)
}
