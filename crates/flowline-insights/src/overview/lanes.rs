//! All lanes of the overview, for the tracks that are shown.

use std::collections::BTreeSet;

use super::cpu_lane::CpuLane;
use super::gpu_use::GpuUse;
use super::network_lane::NetworkLane;
use super::responsiveness::Responsiveness;
use crate::harm::MAIN_THREADS;
use flowline_index::Index;
use flowline_profile::{ProcessId, Thread, ThreadId, TimeRange};

/// The lanes of the overview.
#[derive(Clone, Debug)]
pub struct OverviewLanes {
    /// When the main thread of the busiest page could not react; `None` if the recording has no such thread.
    pub responsiveness: Option<Responsiveness>,
    /// Work on the streams of the GPU in a training loop, else CPU use of that thread, or else of all threads.
    pub cpu: CpuLane,
    /// Use of the GPU, if the lane shows its work.
    pub gpu: Option<GpuUse>,
    /// The threads whose CPU use is shown, if they are few.
    pub cpu_threads: Vec<ThreadId>,
    /// Network requests; `None` without any.
    pub network: Option<NetworkLane>,
}

impl OverviewLanes {
    /// Computes the lanes of a range. `selected` has the selected threads, if any; `hidden` the hidden ones. Without
    /// `has_network`, the network lane is absent: finding requests takes long.
    #[must_use]
    pub fn build(
        index: &Index,
        range: TimeRange,
        selected: Option<&BTreeSet<ThreadId>>,
        hidden: &BTreeSet<ThreadId>,
        has_network: bool,
    ) -> Self {
        let main = main_threads(index);
        let page = page_thread(index, &main);
        let has_choice = selected.is_some() || page.is_some();
        let streams = if has_choice { Vec::new() } else { index.gpu_streams() };
        let gpu = GpuUse::of(index, range, &streams);
        let mut threads = match selected {
            Some(selected) => selected.iter().copied().collect(),
            None => page.map_or(streams, |thread| vec![thread]),
        };
        if threads.is_empty() {
            let all = index.profile().threads_with_ids().map(|(id, _)| id);
            threads = all.filter(|id| !hidden.contains(id)).collect();
        }
        let mut cpu = CpuLane::of(index, range, &threads);
        if cpu.is_empty() && selected.is_none() && threads.len() == 1 {
            threads = index.profile().threads_with_ids().map(|(id, _)| id).collect();
            cpu = CpuLane::of(index, range, &threads);
        }
        let tasks = page.map_or(main, |thread| vec![thread]);
        let responsiveness = (!tasks.is_empty()).then(|| Responsiveness::of(index, page, &tasks));
        let find_requests = || NetworkLane::of(index, range, shown_processes(index, hidden));
        let network = has_network.then(find_requests).filter(|network| network.count() > 0);
        Self { responsiveness, cpu, gpu, cpu_threads: threads, network }
    }
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
