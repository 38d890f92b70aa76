//! All lanes of the overview, for the tracks that are shown.

use std::collections::BTreeSet;

use super::cpu_lane::CpuLane;
use super::gpu_use::GpuUse;
use super::late_frames::LateFrames;
use super::network_lane::NetworkLane;
use super::responsiveness::Responsiveness;
use crate::harm::MAIN_THREADS;
use flowline_index::Index;
use flowline_profile::{ProcessId, Thread, ThreadId, TimeRange, is_cpus_pid};

/// The lanes of the overview.
#[derive(Clone, Debug)]
pub struct OverviewLanes {
    /// When the main thread of the busiest page could not react; `None` if the recording has no such thread.
    pub responsiveness: Option<Responsiveness>,
    /// Work on the streams of the GPU in a training loop, else CPU use of the process of the page or of the busiest one.
    pub cpu: CpuLane,
    /// Use of the GPU, if the lane shows its work.
    pub gpu: Option<GpuUse>,
    /// The threads whose CPU use is shown.
    pub cpu_threads: Vec<ThreadId>,
    /// The process whose CPU use is shown; `None` for the GPU, or if threads of several are added up.
    pub cpu_process: Option<ProcessId>,
    /// Network requests; `None` without any.
    pub network: Option<NetworkLane>,
}

impl OverviewLanes {
    /// Computes the lanes of a range, without the `hidden` threads. Without `has_network`, the network lane is absent:
    /// finding requests takes long.
    #[must_use]
    pub fn build(index: &Index, range: TimeRange, hidden: &BTreeSet<ThreadId>, has_network: bool) -> Self {
        let main = main_threads(index);
        let page = page_thread(index, &main);
        let streams = if page.is_some() { Vec::new() } else { index.gpu_streams() };
        let gpu = GpuUse::of(index, range, &streams);
        let process = if streams.is_empty() { cpu_process(index, page) } else { None };
        let is_shown = |id: &ThreadId| !hidden.contains(id);
        let mut threads = process.map_or(streams, |process| threads_of(index, process));
        threads.retain(is_shown);
        let mut cpu = CpuLane::of(index, range, &threads);
        let mut cpu_process = process;
        if cpu.is_empty() {
            // Work on tracks that are no threads, or only in hidden threads of the process.
            threads = index.profile().threads_with_ids().map(|(id, _)| id).filter(is_shown).collect();
            cpu = CpuLane::of(index, range, &threads);
            cpu_process = None;
        }
        let tasks = page.map_or(main, |thread| vec![thread]);
        let of_tasks = || (!tasks.is_empty()).then(|| Responsiveness::of(index, page, &tasks));
        let frames = if page.is_none() { LateFrames::of(index) } else { None };
        let responsiveness = frames.map(Responsiveness::LateFrames).or_else(of_tasks);
        let find_requests = || NetworkLane::of(index, range, shown_processes(index, hidden));
        let network = has_network.then(find_requests).filter(|network| network.count() > 0);
        Self { responsiveness, cpu, gpu, cpu_threads: threads, cpu_process, network }
    }
}

/// A process of a page is not the subject of the CPU lane if another one has this many times as much work.
const MUCH_BUSIER: i64 = 10;

/// The process whose CPU use is shown: that of the page, unless another one worked much more; else the busiest.
fn cpu_process(index: &Index, page: Option<ThreadId>) -> Option<ProcessId> {
    let profile = index.profile();
    let rank = |process: ProcessId| index.rank().process(process).0;
    let all = (0..profile.processes.len()).map(ProcessId::new);
    let programs = all.filter(|process| !is_cpus_pid(&profile.processes[process.index()].pid));
    let busiest = programs.max_by_key(|process| (rank(*process), std::cmp::Reverse(*process)))?;
    let page = page.map(|thread| profile.thread(thread).process);
    Some(page.filter(|page| rank(*page).saturating_mul(MUCH_BUSIER) >= rank(busiest)).unwrap_or(busiest))
}

/// The threads of a process, without its other tracks.
fn threads_of(index: &Index, process: ProcessId) -> Vec<ThreadId> {
    let threads = index.profile().threads_with_ids().filter(|(_, thread)| thread.process == process);
    threads.map(|(id, _)| id).filter(|id| index.profile().is_thread(*id)).collect()
}

/// True for processes with a thread that is not hidden.
fn shown_processes(index: &Index, hidden: &BTreeSet<ThreadId>) -> impl Fn(ProcessId) -> bool {
    let shown = index.profile().threads_with_ids().filter(|(id, _)| !hidden.contains(id));
    let shown: BTreeSet<ProcessId> = shown.map(|(_, thread)| thread.process).collect();
    move |process| shown.contains(&process)
}

/// The main threads of pages, or else of the browser.
fn main_threads(index: &Index) -> Vec<ThreadId> {
    let profile = index.profile();
    let named = |thread: &Thread| MAIN_THREADS.contains(&thread.name.as_str());
    let threads: Vec<(ThreadId, &Thread)> = profile.threads_with_ids().filter(|(_, thread)| named(thread)).collect();
    let of_pages = threads.iter().filter(|(_, thread)| index.pages().showed_page(profile, thread));
    let of_pages: Vec<ThreadId> = of_pages.map(|(id, _)| *id).collect();
    if of_pages.is_empty() { threads.into_iter().map(|(id, _)| id).collect() } else { of_pages }
}

/// The main thread of the busiest page.
fn page_thread(index: &Index, main: &[ThreadId]) -> Option<ThreadId> {
    let process = index.page_process()?;
    main.iter().copied().find(|id| index.profile().thread(*id).process == process)
}
