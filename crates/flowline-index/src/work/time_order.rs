//! The order of processes and threads by time: the page first, then by how long they were busy. Numbers of markers and
//! samples never decide, because bookkeeping is frequent and short.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::work_slices::WorkSlices;
use crate::Index;
use flowline_profile::{Ns, ProcessId, Profile, Thread, ThreadId, TrackKind};

/// Name of the track of a build on which its critical path is.
const CRITICAL_PATH: &str = "Critical Path";
/// Beginning of the names of markers for the steps of a training loop, which are only in recordings of PyTorch.
const PROFILER_STEP: &str = "ProfilerStep#";
/// Beginning of the names of threads with the work of a GPU in recordings of PyTorch.
const GPU_STREAM: &str = "stream ";

/// True if a recording has steps of a training loop.
fn has_steps(profile: &Profile) -> bool {
    profile.strings.iter().any(|(_, name)| name.starts_with(PROFILER_STEP))
}

/// Processes and threads in the order of their time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeOrder {
    /// All processes from the top.
    pub processes: Vec<ProcessId>,
    /// Rank of each thread within its process.
    pub threads: Vec<u32>,
}

/// Time of the threads of a process.
#[derive(Clone, Copy, Default)]
struct ProcessTime {
    /// The busiest of its main threads.
    main: Ns,
    all: Ns,
    is_page: bool,
    has_streams: bool,
}

impl Index {
    /// The order by time: processes with GPU work of a training loop, the page that was in the foreground, other pages by the time
    /// of their main threads, then all others by the time of all their threads. Within a process: the critical path of a build, tracks without a thread, the main
    /// thread, the others by time. Equal ones stay in the recording's order.
    #[must_use]
    pub fn time_order(&self) -> TimeOrder {
        let profile = self.profile();
        let has_steps = has_steps(profile);
        let mut times = vec![ProcessTime::default(); profile.processes.len()];
        for (id, thread) in profile.threads_with_ids() {
            let (time, busy) = (&mut times[thread.process.index()], self.rank().thread(id));
            if thread.is_main {
                time.main = time.main.max(busy);
            }
            time.all = Ns(time.all.0.saturating_add(busy.0));
            time.is_page |= self.pages().showed_page(profile, thread);
            time.has_streams |= has_steps && thread.name.starts_with(GPU_STREAM);
        }
        let foreground = self.pages().tabs().first().map(|tab| tab.process);
        let mut processes: Vec<ProcessId> = (0..times.len()).map(ProcessId::new).collect();
        processes.sort_by_key(|id| {
            let time = times[id.index()];
            (
                !time.has_streams,
                Some(*id) != foreground,
                !time.is_page,
                Reverse(if time.is_page { (time.main, time.all) } else { (time.all, time.main) }),
            )
        });
        let mut order: Vec<ThreadId> = (0..profile.threads.len()).map(ThreadId::new).collect();
        let tree_time = self.tree_times();
        order.sort_by_key(|id| {
            let thread = profile.thread(*id);
            let place = match thread.kind {
                _ if thread.name == CRITICAL_PATH => 0,
                _ if thread.is_main => 2,
                TrackKind::Global | TrackKind::Process if thread.parent.is_none() => 1,
                _ => 3,
            };
            (place, Reverse(tree_time.get(id).copied().unwrap_or_else(|| self.rank().thread(*id))))
        });
        let mut threads = vec![0; order.len()];
        for (rank, id) in (0..).zip(order) {
            threads[id.index()] = rank;
        }
        TimeOrder { processes, threads }
    }

    /// The streams of GPUs.
    #[must_use]
    pub fn gpu_streams(&self) -> Vec<ThreadId> {
        let profile = self.profile();
        let is_stream = |thread: &Thread| WorkSlices::of(profile, thread).is_stream();
        profile.threads_with_ids().filter(|(_, thread)| is_stream(thread)).map(|(id, _)| id).collect()
    }

    /// Time of the tracks that only contain others: that of the busiest of these.
    fn tree_times(&self) -> BTreeMap<ThreadId, Ns> {
        let profile: &Profile = self.profile();
        let containers =
            profile.threads_with_ids().filter(|(_, thread)| thread.nested > 0 && thread.markers.is_empty());
        let busiest = |id| profile.nested_tracks(id).map(|id| self.rank().thread(id)).max().unwrap_or_default();
        containers.map(|(id, _)| (id, self.rank().thread(id).max(busiest(id)))).collect()
    }
}
