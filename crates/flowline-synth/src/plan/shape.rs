//! The shape of a synthetic recording before any marker is written: processes, threads, time and shares.
//!
//! Time is divided into *steps*, which all threads share. A thread owns some *ports*; each port gets the same share of
//! the markers of each step, and flows travel from port to port, one hop per step (see [`super::flows`]). Everything is
//! computed from indexes: memory use does not grow with the number of markers.

use super::flows::Routing;
use crate::json::Nanos;
use crate::options::Options;
use crate::random::mix;
use crate::share::share;
use std::ops::Range;

/// Markers per second in all threads, like in a real recording of a busy browser.
const MARKERS_PER_SECOND: u64 = 30_000;
/// Markers that a port emits in a step if flows have their default density.
const MARKERS_PER_PORT_STEP: u64 = 10;
/// Average of [`step_weight`].
const MEAN_STEP_WEIGHT_TENTHS: u64 = 47;
/// Start of the recording on the clock of its root process; later than the start of every process.
pub(crate) const START: Nanos = Nanos(1_000_000_000);
/// Start of the root process since the epoch, in sixteenths of a millisecond, which binary floats represent exactly.
pub(crate) const EPOCH: Nanos = Nanos(1_795_219_303_019_750_000);

/// Role of a thread, which determines the names of its markers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    ParentMain,
    ContentMain,
    Worker,
    Compositor,
    Renderer,
    Ipc,
    Socket,
    Timer,
    Decoder,
    Pool,
}

/// A process; the first one is the parent.
#[derive(Debug)]
pub(crate) struct Process {
    pub(crate) name: &'static str,
    pub(crate) pid: u64,
    /// Start time relative to the parent, and zero of the process's own clock.
    pub(crate) offset: Nanos,
}

/// A thread. Threads are sorted by process.
#[derive(Debug)]
pub(crate) struct Thread {
    pub(crate) name: &'static str,
    pub(crate) role: Role,
    pub(crate) process: usize,
    pub(crate) tid: u64,
    pub(crate) ports: Range<u64>,
    pub(crate) markers: u64,
}

/// The whole plan.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) seed: u64,
    pub(crate) samples: u64,
    pub(crate) steps: u64,
    pub(crate) processes: Vec<Process>,
    pub(crate) threads: Vec<Thread>,
    pub(crate) routing: Routing,
    pub(crate) end: Nanos,
    unit: u64,
    process_of_port: Vec<usize>,
}

impl Plan {
    pub(crate) fn new(options: &Options) -> Self {
        let count = options.threads.map_or_else(|| default_threads(options.markers), u64::from).max(1);
        let mut threads: Vec<Thread> = (0..count).map(nth_thread).collect();
        threads.sort_by_key(|thread| thread.process);
        let processes = processes(&threads, options.seed);
        let mut ports = 0;
        let mut process_of_port = Vec::new();
        for (index, thread) in threads.iter_mut().enumerate() {
            let first = ports;
            ports += ports_of(thread.role);
            thread.ports = first..ports;
            process_of_port.resize(process_of_port.len() + (first..ports).count(), thread.process);
            let main = thread.role == Role::ParentMain || thread.role == Role::ContentMain;
            let pid = processes[thread.process].pid;
            thread.tid = if main { pid } else { pid + 40 + index as u64 };
        }
        for thread in &mut threads {
            thread.markers =
                share(options.markers, thread.ports.end, ports) - share(options.markers, thread.ports.start, ports);
        }
        // A port-step must have room for all hops that may occur in it.
        let flows = options.flows.unwrap_or(options.markers / 10).min(options.markers / 6);
        let steps = (options.markers / MARKERS_PER_PORT_STEP).max(flows).div_ceil(ports).max(1);
        let length = share(options.markers, 1_000_000_000, MARKERS_PER_SECOND);
        let unit = (share(length, 10, MEAN_STEP_WEIGHT_TENTHS) / steps).max(100_000);
        let mut plan = Self {
            seed: options.seed,
            samples: options.samples,
            steps,
            processes,
            threads,
            routing: Routing::new(options.seed, ports, steps, flows),
            end: START,
            unit,
            process_of_port,
        };
        plan.end = (0..steps).fold(START, |time, step| time.plus(plan.step_length(step)));
        plan
    }

    /// Returns the number of markers that a thread emits in a step. The quotas of all steps add up to the thread's
    /// markers.
    pub(crate) fn quota(&self, thread: &Thread, step: u64) -> u64 {
        share(thread.markers, step + 1, self.steps) - share(thread.markers, step, self.steps)
    }

    /// Returns the length of a step in nanoseconds: mostly similar, some long, a few idle gaps.
    pub(crate) fn step_length(&self, step: u64) -> u64 {
        self.unit * step_weight(mix(self.seed ^ 0x57E9, step) % 100)
    }

    pub(crate) fn process_of_port(&self, port: u64) -> &Process {
        let index = usize::try_from(port).unwrap_or(0);
        &self.processes[self.process_of_port[index]]
    }
}

const fn step_weight(percent: u64) -> u64 {
    match percent {
        0..20 => 1,
        20..40 => 2,
        40..60 => 3,
        60..85 => 4,
        85..98 => 10,
        _ => 60,
    }
}

const fn default_threads(markers: u64) -> u64 {
    match markers {
        0..1_000 => 4,
        1_000..300_000 => 12,
        300_000..3_000_000 => 24,
        3_000_000..30_000_000 => 44,
        _ => 64,
    }
}

const fn ports_of(role: Role) -> u64 {
    match role {
        Role::ParentMain | Role::ContentMain => 6,
        Role::Worker | Role::Compositor | Role::Renderer | Role::Ipc | Role::Socket => 2,
        Role::Timer | Role::Decoder | Role::Pool => 1,
    }
}

/// Returns the `index`-th thread to add: first one of each kind, then content process by content process.
fn nth_thread(index: u64) -> Thread {
    const FIRST: [(usize, &str, Role); 20] = [
        (0, "GeckoMain", Role::ParentMain),
        (1, "GeckoMain", Role::ContentMain),
        (0, "Compositor", Role::Compositor),
        (0, "Renderer", Role::Renderer),
        (0, "IPC I/O Parent", Role::Ipc),
        (0, "Socket Thread", Role::Socket),
        (0, "Timer", Role::Timer),
        (1, "DOM Worker", Role::Worker),
        (1, "IPC I/O Child", Role::Ipc),
        (2, "GeckoMain", Role::ContentMain),
        (0, "IPDL Background", Role::Pool),
        (1, "ImgDecoder #1", Role::Decoder),
        (2, "IPC I/O Child", Role::Ipc),
        (2, "DOM Worker", Role::Worker),
        (1, "ImgDecoder #2", Role::Decoder),
        (0, "StreamTrans #1", Role::Pool),
        (0, "BackgroundThreadPool #1", Role::Pool),
        (1, "HTML5 Parser", Role::Pool),
        (1, "DOM Worker", Role::Worker),
        (0, "WRSceneBuilder#1", Role::Renderer),
    ];
    const LATER: [(&str, Role); 6] = [
        ("GeckoMain", Role::ContentMain),
        ("IPC I/O Child", Role::Ipc),
        ("Timer", Role::Timer),
        ("DOM Worker", Role::Worker),
        ("ImgDecoder #1", Role::Decoder),
        ("TaskController #0", Role::Pool),
    ];
    let index = usize::try_from(index).unwrap_or(0);
    let (process, name, role) = FIRST.get(index).copied().unwrap_or_else(|| {
        let later = index - FIRST.len();
        let (name, role) = LATER[later % LATER.len()];
        (3 + later / LATER.len(), name, role)
    });
    Thread { name, role, process, tid: 0, ports: 0..0, markers: 0 }
}

fn processes(threads: &[Thread], seed: u64) -> Vec<Process> {
    const NAMES: [&str; 4] = ["Isolated Web Content", "WebExtensions", "Privileged Content", "Web Content"];
    let count = threads.last().map_or(1, |thread| thread.process + 1);
    let mut processes = vec![Process { name: "Parent Process", pid: 27_067, offset: Nanos(0) }];
    processes.extend((1..count).map(|index| Process {
        name: NAMES[(index - 1) % NAMES.len()],
        // Far enough apart that the thread ids of one process never overlap those of the next.
        pid: 27_067 + index as u64 * (50 + threads.len() as u64),
        offset: Nanos(62_500 * (3_200 + mix(seed ^ 0x0FF5, index as u64) % 11_000)),
    }));
    processes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Format;

    #[test]
    fn quotas_add_up_for_any_size() {
        for (markers, threads) in [(0, None), (1, Some(1)), (999, Some(7)), (100_000, None), (12_345, Some(200))] {
            let plan =
                Plan::new(&Options { markers, format: Format::Firefox, threads, flows: None, samples: 0, seed: 3 });
            let sum: u64 =
                plan.threads.iter().flat_map(|thread| (0..plan.steps).map(|step| plan.quota(thread, step))).sum();
            assert_eq!(sum, markers);
        }
    }

    #[test]
    fn density_matches_a_real_recording() {
        for markers in [100_000, 1_000_000] {
            let plan = Plan::new(&Options {
                markers,
                format: Format::Firefox,
                threads: None,
                flows: None,
                samples: 0,
                seed: 1,
            });
            let seconds = (plan.end.0 - START.0) / 100_000_000;
            let expected = markers / 3_000;
            assert!((expected * 7 / 10..expected * 13 / 10).contains(&seconds), "{seconds} tenths for {expected}");
        }
    }
}
