//! The rank of each thread, which decides order and initial expansion. It estimates how much a thread worked from what is
//! known without reading the text of the recording, so it is never shown: [`ThreadTimes`](super::ThreadTimes) has the times.

use rayon::prelude::*;

use super::thread_time::rank_of_samples;
use super::work_slices::WorkSlices;
use crate::long_intervals::long_in;
use flowline_profile::persist::persist;
use flowline_profile::{
    Column, MarkerFlags, Ns, ProcessId, Profile, THREAD_STATE_SUFFIX, Thread, ThreadId, TimeRange, TrackKind,
    parallel_chunk_size,
};

/// Rank of each thread and process: an estimate of its work in nanoseconds.
#[derive(Clone, Debug, Default)]
pub struct WorkRank {
    /// By thread.
    threads: Column<i64>,
    /// The sums of the threads of each process.
    processes: Column<i64>,
    /// The busiest threads of each process, for graphs.
    busiest: Vec<Vec<ThreadId>>,
    /// Numbers of the threads that did next to nothing, ascending.
    idle: Column<u32>,
}
persist!(WorkRank { threads, processes, busiest, idle });

/// At most this many threads of a process are remembered as its busiest.
const MOST_BUSIEST: usize = 8;

/// Parts of the names of markers that matter even if they take no time: requests, frames, crashes.
const NOTABLE: [&str; 10] = [
    "beginframe",
    "contentfulpaint",
    "crash",
    "drawframe",
    "droppedframe",
    "layoutshift",
    "network",
    "refreshdrivertick",
    "resource",
    "vsync",
];

impl WorkRank {
    /// Ranks all threads, in parallel. If any thread has samples, threads without samples count half, because markers
    /// also cover time in which a thread waits. Long intervals that do not nest, such as network requests, are not counted.
    /// Only time within `range` counts, which leaves out wrong times.
    pub(crate) fn build(profile: &Profile, range: TimeRange) -> Self {
        let long = long_in(range);
        let has_samples = |thread: &Thread| thread.samples.as_ref().is_some_and(|samples| samples.has_calls());
        let sampled = profile.threads.par_iter().any(has_samples);
        let job_len = parallel_chunk_size(profile.threads.len());
        let rank_of = |thread: &Thread| match rank_of_samples(profile, thread) {
            Some(time) => time.0,
            None => covered(profile, thread, range, long) / if sampled { 2 } else { 1 },
        };
        let busy: Vec<i64> = profile.threads.par_iter().with_max_len(job_len).map(rank_of).collect();
        let most = busy.iter().copied().max().unwrap_or(0);
        let below = (range.len() / 1000).min(most / 100);
        let is_notable: Vec<bool> = profile.strings.iter().map(|(_, name)| is_notable(name)).collect();
        let is_idle = |(busy, thread): (&i64, &Thread), is_sampled: bool| {
            let has_contents = !thread.markers.is_empty() || is_sampled;
            let names = || thread.markers.attributes().items().iter().map(|own| own.name.index());
            let has_states = thread.tid.ends_with(THREAD_STATE_SUFFIX);
            let has_intervals =
                || thread.markers.attributes().items().iter().any(|own| !own.flags.has(MarkerFlags::INSTANT));
            let has_operations = || thread.kind != TrackKind::Thread && has_intervals();
            let is_lasting = || has_states || has_operations() || WorkSlices::of(profile, thread).is_stream();
            !has_contents
                || (*busy < below && !is_lasting() && !names().any(|name| is_notable.get(name) == Some(&true)))
        };
        let idle = (0_u32..).zip(busy.iter().zip(&profile.threads));
        let idle: Vec<u32> =
            idle.filter(|(_, own)| is_idle(*own, has_samples(own.1))).map(|(number, _)| number).collect();
        let busiest = busiest(profile, &busy);
        let mut processes = vec![0_i64; profile.processes.len()];
        for (thread, busy) in profile.threads.iter().zip(&busy) {
            let sum = &mut processes[thread.process.index()];
            *sum = sum.saturating_add(*busy);
        }
        Self { idle: idle.into(), processes: processes.into(), busiest, threads: busy.into() }
    }

    /// True for a thread that did next to nothing: it was busy for less than a thousandth of the recording and less than a
    /// hundredth of the busiest thread's time, and it has no request, frame or crash. A thread without contents is idle, too.
    /// Tracks of operations, of streams of a GPU and of thread states are never idle.
    #[must_use]
    pub fn is_idle(&self, thread: ThreadId) -> bool {
        u32::try_from(thread.index()).is_ok_and(|number| self.idle.binary_search(&number).is_ok())
    }

    /// Rank of a thread.
    #[must_use]
    pub fn thread(&self, thread: ThreadId) -> Ns {
        Ns(self.threads.get(thread.index()).copied().unwrap_or(0))
    }

    /// Rank of a process: the sum of its threads.
    #[must_use]
    pub fn process(&self, process: ProcessId) -> Ns {
        Ns(self.processes.get(process.index()).copied().unwrap_or(0))
    }

    /// The busiest threads of a process; only those that were busy at all.
    #[must_use]
    pub fn busiest_of(&self, process: ProcessId) -> &[ThreadId] {
        self.busiest.get(process.index()).map_or(&[], Vec::as_slice)
    }

    /// True if there is a rank for each thread.
    pub(crate) fn is_consistent(&self, threads: usize) -> bool {
        self.threads.len() == threads
    }
}

/// The busiest threads of each process.
fn busiest(profile: &Profile, busy: &[i64]) -> Vec<Vec<ThreadId>> {
    let mut busiest: Vec<Vec<ThreadId>> = vec![Vec::new(); profile.processes.len()];
    for (id, thread) in profile.threads_with_ids().filter(|(id, _)| busy[id.index()] > 0) {
        busiest[thread.process.index()].push(id);
    }
    for threads in &mut busiest {
        threads.sort_by_key(|id| std::cmp::Reverse(busy[id.index()]));
        threads.truncate(MOST_BUSIEST);
        threads.shrink_to_fit();
    }
    busiest
}

/// True if a name contains one of the [`NOTABLE`] parts.
fn is_notable(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    NOTABLE.iter().any(|part| name.contains(part))
}

/// Nanoseconds of a range that work covers, with intervals that do not nest unless they are long.
fn covered(profile: &Profile, thread: &Thread, within: TimeRange, long: Ns) -> i64 {
    let (attributes, work) = (thread.markers.attributes(), WorkSlices::of(profile, thread));
    let (mut covered, mut until) = (0_i64, i64::MIN);
    for (marker, range) in thread.markers.times().ranges().enumerate() {
        if !work.is_drawn(attributes.number(marker), Ns(range.len()), long) {
            continue;
        }
        let (from, end) = (range.start.max(within.start).0.max(until), range.end.min(within.end).0);
        if end > from {
            covered = covered.saturating_add(end - from);
            until = end;
        }
    }
    covered
}
