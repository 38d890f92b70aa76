//! Long tasks: times in which a thread could not react to anything else. Marks, sums, the overview and insights read this list.
//!
//! Chrome states the tasks of its threads (`RunTask`), of which workers do not count; Firefox the long ones of its main threads
//! (`LongTask`, `LongIdleTask`). Where a recording states none, the topmost slices of main threads are their tasks.

use std::collections::BTreeSet;

use super::slices::{HarmfulSlice, HarmfulSlices};
use crate::markers_by_name::{Named, all_markers_named_in, has_markers_named, markers_named};
use flowline_index::{Derived, Index};
use flowline_profile::{LocalMarker, MarkerFlags, Ns, Profile, Thread, ThreadId, TimeRange, Value};

/// Tasks longer than this are long.
pub const LONG_TASK: Ns = Ns(50_000_000);

/// Names of threads that must stay responsive.
pub const MAIN_THREADS: [&str; 3] = ["CrRendererMain", FIREFOX_MAIN, "CrBrowserMain"];

/// Name of the main threads of Firefox.
pub(super) const FIREFOX_MAIN: &str = "GeckoMain";
/// Name of the tasks of Chrome.
const TASK: &str = "RunTask";
/// Names of the events of Firefox that state a long task. On other threads than the main one, short ones are stated too.
const STATED: [&str; 2] = ["LongTask", "LongIdleTask"];

/// The long tasks of a recording.
#[derive(Clone, Debug, Default)]
pub struct LongTasks(HarmfulSlices);

impl LongTasks {
    /// The tasks, by thread and start.
    #[must_use]
    pub const fn slices(&self) -> &HarmfulSlices {
        &self.0
    }

    /// The tasks of some threads, by start.
    #[must_use]
    pub fn of_threads(&self, profile: &Profile, threads: &[ThreadId]) -> Vec<HarmfulSlice> {
        let own = threads.iter().flat_map(|thread| self.0.of_thread(profile, *thread));
        let mut own: Vec<HarmfulSlice> = own.copied().collect();
        own.sort_by_key(|task| (task.times.start, task.marker));
        own
    }
}

impl Derived for LongTasks {
    fn derive(index: &Index) -> Self {
        Self(HarmfulSlices::new(long_tasks(index.profile())))
    }
}

/// The threads of a trace that are workers: process and thread id.
#[derive(Debug, Default)]
struct Workers(BTreeSet<(String, String)>);

impl Workers {
    fn of(profile: &Profile) -> Self {
        let stated = markers_named(profile, &["TracingSessionIdForWorker"], |_| true);
        let worker = |(_, id, marker): Named| {
            let payload = profile.payload_in(profile.thread(id), marker);
            let tid = payload.get("data")?.get("workerThreadId").map(Value::display_js)?;
            Some((profile.process_of(id).pid.to_string(), tid))
        };
        Self(stated.into_iter().filter_map(worker).collect())
    }

    fn contains(&self, profile: &Profile, id: ThreadId) -> bool {
        let key = || (profile.process_of(id).pid.to_string(), profile.thread(id).tid.to_string());
        !self.0.is_empty() && self.0.contains(&key())
    }
}

/// The long tasks of a recording, by thread and start.
fn long_tasks(profile: &Profile) -> Vec<HarmfulSlice> {
    let is_trace = profile.source.holds_events();
    let names: &[&str] = if is_trace { &[TASK] } else { &STATED };
    if !has_markers_named(profile, names) {
        let main = profile.threads_with_ids().filter(|(_, thread)| MAIN_THREADS.contains(&thread.name.as_str()));
        return main.flat_map(|(id, _)| topmost(profile, id)).collect();
    }
    let wanted = |thread: &Thread| is_trace || thread.name == FIREFOX_MAIN;
    // Firefox states tasks from 50 ms on.
    let least = if is_trace { LONG_TASK + Ns(1) } else { LONG_TASK };
    let is_long = |times: TimeRange| Ns(times.len()) >= least;
    let mut found = all_markers_named_in(profile, names, wanted, is_long);
    let workers = if found.is_empty() { Workers::default() } else { Workers::of(profile) };
    found.retain(|(_, thread, marker)| is_whole(profile, *thread, *marker) && !workers.contains(profile, *thread));
    found.into_iter().map(|(_, id, marker)| slice(profile, id, marker)).collect()
}

/// True for a task whose begin and end are known.
fn is_whole(profile: &Profile, id: ThreadId, marker: LocalMarker) -> bool {
    !profile.thread(id).markers.flags(marker).has(MarkerFlags::INCOMPLETE)
}

fn slice(profile: &Profile, id: ThreadId, marker: LocalMarker) -> HarmfulSlice {
    let thread = profile.thread(id);
    HarmfulSlice { marker: thread.global(marker), times: thread.markers.range(marker) }
}

/// The long ones of the slices of a thread that no other one contains.
fn topmost(profile: &Profile, id: ThreadId) -> Vec<HarmfulSlice> {
    let thread = profile.thread(id);
    let attributes = thread.markers.attributes();
    let own = attributes.items().iter();
    let nests: Vec<bool> =
        own.map(|own| own.flags.has(MarkerFlags::STACK_BASED) && !profile.is_waiting_state(thread, own.name)).collect();
    let mut until = i64::MIN;
    let slices = thread.markers.times().ranges().enumerate().filter(|(marker, _)| nests[attributes.number(*marker)]);
    let topmost = slices.filter(|(_, range)| {
        let is_topmost = range.start.0 >= until;
        until = until.max(range.end.0);
        is_topmost
    });
    let long = topmost.filter(|(_, range)| Ns(range.len()) > LONG_TASK).map(|(marker, _)| LocalMarker::new(marker));
    long.filter(|marker| is_whole(profile, id, *marker)).map(|marker| slice(profile, id, marker)).collect()
}
