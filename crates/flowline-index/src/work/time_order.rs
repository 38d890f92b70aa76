//! The order of processes and threads by time: the page first, then by how long they were busy. Numbers of markers and
//! samples never decide, because bookkeeping is frequent and short.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::work_slices::{WorkSlices, is_state_track};
use crate::Index;
use flowline_profile::{Ns, ProcessId, Profile, Thread, ThreadId, TrackKind, is_cpus_pid};

/// Name of the track of a build on which its critical path is.
const CRITICAL_PATH: &str = "Critical Path";
/// Beginning of the names of markers for the steps of a training loop, which are only in recordings of PyTorch.
const PROFILER_STEP: &str = "ProfilerStep#";
/// Beginning of the names of threads with the work of a GPU in recordings of PyTorch.
const GPU_STREAM: &str = "stream ";

/// Beginning of the names of the tracks of Android's frame timeline with the frames that were presented.
pub const ACTUAL_FRAMES: &str = "Actual frames";
/// The same for the frames as they were expected.
const EXPECTED_FRAMES: &str = "Expected frames";
/// End of the name of the process that composes the screen of Android.
const COMPOSITOR: &str = "surfaceflinger";
/// Name of the threads of Android's apps that draw.
pub const RENDER_THREAD: &str = "RenderThread";
/// Processes of PyTorch's recordings that contain no work.
const METADATA: [&str; 3] = ["Process Spans", "Spans", "Traces"];
/// Categories of the calls that launch work on a GPU.
const LAUNCHES: [&str; 4] = ["cuda_driver", "cuda_runtime", "hip_runtime", "privateuse1_runtime"];

/// True for a track of Android's frame timeline.
fn is_frame_track(thread: &Thread) -> bool {
    let is_named = |name: &&str| thread.name.starts_with(*name);
    thread.kind == TrackKind::Async && [ACTUAL_FRAMES, EXPECTED_FRAMES].iter().any(is_named)
}

/// The number of the CPU of a track with what ran on it.
fn core_number(profile: &Profile, thread: &Thread) -> Option<u64> {
    let is_core = is_cpus_pid(&profile.processes[thread.process.index()].pid) && !is_state_track(profile, thread);
    thread.tid.parse().ok().filter(|_| is_core)
}

/// True if a thread launches work on a GPU.
fn launches_kernels(profile: &Profile, thread: &Thread) -> bool {
    let categories = thread.markers.attributes().items().iter().map(|own| profile.category_name(own.category()));
    categories.into_iter().any(|category| LAUNCHES.contains(&category))
}

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

/// Facts about a process that decide its place.
#[derive(Clone, Copy, Default)]
struct ProcessFacts {
    /// The time of the busiest of its main threads.
    main: Ns,
    /// The time of all its threads.
    all: Ns,
    is_page: bool,
    has_streams: bool,
    launches_kernels: bool,
    has_slices: bool,
    /// Number of frames that it presented, by the frame timeline.
    frames: usize,
}

impl ProcessFacts {
    /// True unless the busiest process worked ten times as much.
    const fn is_major(self, most: i64) -> bool {
        self.all.0.saturating_mul(MINOR) >= most
    }
}

/// The work of the busiest process, in nanoseconds.
fn most_work(profile: &Profile, facts: &[ProcessFacts]) -> i64 {
    let programs = facts.iter().zip(&profile.processes).filter(|(_, process)| !is_cpus_pid(&process.pid));
    programs.map(|(own, _)| own.all.0).max().unwrap_or(0)
}

/// The place of a process, from the top.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ProcessPlace {
    /// The busiest GPU of a training loop, and the process that launched its kernels.
    Gpu,
    Launcher,
    /// The page or app in the foreground.
    Foreground,
    Page,
    Compositor,
    Cpus,
    Other,
    /// Annotations of a whole recording.
    Metadata,
}

/// A page or app with less than one in so many of the work of the busiest process is not the subject of the recording.
const MINOR: i64 = 10;

impl Index {
    /// The order by time: the busiest GPU of a training loop and the process that feeds it; the page or app that was in the
    /// foreground, other pages by the time of their main threads; the compositor of Android and the CPUs of a system; then all
    /// others by the time of all their threads. Within a process: the critical path of a build, tracks without a thread, the
    /// main thread, the thread that draws, the others by time. CPUs are in the order of their numbers. Equal ones stay in the
    /// recording's order.
    #[must_use]
    pub fn time_order(&self) -> TimeOrder {
        let facts = self.process_facts();
        let foreground = self.foreground_of(&facts);
        let most = most_work(self.profile(), &facts);
        let by_streams = |own: &&(ProcessId, ProcessFacts)| own.1.has_streams;
        let numbered: Vec<(ProcessId, ProcessFacts)> = (0..).map(ProcessId::new).zip(facts.iter().copied()).collect();
        let first_gpu =
            numbered.iter().filter(by_streams).max_by_key(|(id, own)| (own.all, Reverse(*id))).map(|own| own.0);
        let mut processes: Vec<ProcessId> = numbered.iter().map(|(id, _)| *id).collect();
        processes.sort_by_key(|id| {
            let own = facts[id.index()];
            let place = self.place_of(*id, own, (foreground, first_gpu, most));
            let is_page = place == ProcessPlace::Page;
            (place, Reverse(if is_page { (own.main, own.all) } else { (own.all, own.main) }))
        });
        TimeOrder { processes, threads: self.thread_order() }
    }

    /// The process of the page or app that was in the foreground, unless another process worked ten times as much: the page, or
    /// else the process with most frames in the frame timeline, or else the busiest program of a recording of the scheduler.
    #[must_use]
    pub fn foreground_process(&self) -> Option<ProcessId> {
        self.foreground_of(&self.process_facts())
    }

    fn foreground_of(&self, facts: &[ProcessFacts]) -> Option<ProcessId> {
        let profile = self.profile();
        let is_program = |id: &ProcessId| !is_cpus_pid(&profile.processes[id.index()].pid);
        let all = || (0..facts.len()).map(ProcessId::new).filter(is_program);
        let most = most_work(profile, facts);
        let is_major = |id: &ProcessId| self.names_page(*id) || facts[id.index()].is_major(most);
        let app = all().filter(|id| facts[id.index()].frames > 0 && !self.is_compositor(*id));
        let app = app.max_by_key(|id| (facts[id.index()].frames, Reverse(*id)));
        // In a recording of the scheduler, a program with slices of its own is the subject.
        let has_cpus = profile.processes.iter().any(|process| is_cpus_pid(&process.pid));
        let traced = all().filter(|id| has_cpus && facts[id.index()].has_slices);
        let traced = traced.max_by_key(|id| (facts[id.index()].all, Reverse(*id)));
        self.page_process().filter(is_major).or(app).or(traced)
    }

    /// The tracks of CPUs with what ran on them, by their numbers.
    #[must_use]
    pub fn cores(&self) -> Vec<ThreadId> {
        let profile = self.profile();
        let core = |(id, thread): (ThreadId, &Thread)| Some((core_number(profile, thread)?, id));
        let mut cores: Vec<(u64, ThreadId)> = profile.threads_with_ids().filter_map(core).collect();
        cores.sort_unstable();
        cores.into_iter().map(|(_, id)| id).collect()
    }

    fn process_facts(&self) -> Vec<ProcessFacts> {
        let profile = self.profile();
        let has_steps = has_steps(profile);
        let mut facts = vec![ProcessFacts::default(); profile.processes.len()];
        for (id, thread) in profile.threads_with_ids() {
            let (own, busy) = (&mut facts[thread.process.index()], self.rank().thread(id));
            if thread.is_main {
                own.main = own.main.max(busy);
            }
            if thread.kind == TrackKind::Async && thread.name.starts_with(ACTUAL_FRAMES) {
                own.frames += thread.markers.len();
                continue;
            }
            if is_frame_track(thread) {
                continue;
            }
            own.all = Ns(own.all.0.saturating_add(busy.0));
            own.is_page |= self.pages().showed_page(profile, thread);
            own.has_streams |= has_steps && thread.name.starts_with(GPU_STREAM);
            own.launches_kernels |= has_steps && launches_kernels(profile, thread);
            own.has_slices |=
                thread.kind == TrackKind::Thread && !is_state_track(profile, thread) && thread.markers.has_slices();
        }
        facts
    }

    /// True if the recording names the page of a process. It is a subject of the recording then, however little it worked. The
    /// processes of Firefox are made for pages of certain sites.
    fn names_page(&self, process: ProcessId) -> bool {
        self.pages().of(process).is_some() || !self.profile().source.holds_events()
    }

    fn is_compositor(&self, process: ProcessId) -> bool {
        self.profile().processes[process.index()].name.ends_with(COMPOSITOR)
    }

    fn place_of(
        &self,
        id: ProcessId,
        own: ProcessFacts,
        (foreground, first_gpu, most): (Option<ProcessId>, Option<ProcessId>, i64),
    ) -> ProcessPlace {
        let process = &self.profile().processes[id.index()];
        let has_app = foreground.is_some() || first_gpu.is_some();
        match own {
            _ if Some(id) == first_gpu => ProcessPlace::Gpu,
            _ if first_gpu.is_some() && METADATA.contains(&process.name.as_str()) => ProcessPlace::Metadata,
            _ if first_gpu.is_some() && own.launches_kernels => ProcessPlace::Launcher,
            _ if Some(id) == foreground => ProcessPlace::Foreground,
            _ if own.is_page && (self.names_page(id) || own.is_major(most)) => ProcessPlace::Page,
            _ if has_app && self.is_compositor(id) => ProcessPlace::Compositor,
            _ if is_cpus_pid(&process.pid) => ProcessPlace::Cpus,
            _ => ProcessPlace::Other,
        }
    }

    /// Rank of each thread within its process.
    fn thread_order(&self) -> Vec<u32> {
        let profile = self.profile();
        let mut order: Vec<ThreadId> = (0..profile.threads.len()).map(ThreadId::new).collect();
        let tree_time = self.tree_times();
        order.sort_by_key(|id| {
            let thread = profile.thread(*id);
            let core = core_number(profile, thread);
            let place = match thread.kind {
                _ if thread.name == CRITICAL_PATH => 0,
                _ if is_frame_track(thread) => 1,
                _ if core.is_some() => 2,
                _ if thread.is_main => 3,
                _ if thread.name == RENDER_THREAD => 4,
                TrackKind::Global | TrackKind::Process if thread.parent.is_none() => 2,
                _ => 5,
            };
            let time = tree_time.get(id).copied().unwrap_or_else(|| self.rank().thread(*id));
            (place, core, Reverse(if core.is_some() || place == 1 { Ns(0) } else { time }))
        });
        let mut threads = vec![0; order.len()];
        for (rank, id) in (0..).zip(order) {
            threads[id.index()] = rank;
        }
        threads
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
