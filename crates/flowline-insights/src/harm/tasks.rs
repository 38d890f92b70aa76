//! Long tasks: of threads of Chrome that are not workers, and those that Firefox states for its main threads.

use std::collections::BTreeSet;

use super::slices::HarmfulSlice;
use crate::markers_by_name::{Named, all_markers_named_in, markers_named};
use crate::page_load::LONG_TASK;
use flowline_profile::{MarkerFlags, Ns, Profile, Thread, ThreadId, TimeRange, Value};

/// Name of the tasks of Chrome.
const TASK: &str = "RunTask";
/// Names of the events of Firefox that state a long task. On other threads than the main one, short ones are stated too.
const STATED: [&str; 2] = ["LongTask", "LongIdleTask"];
/// Name of the main threads of Firefox.
pub(super) const MAIN_THREAD: &str = "GeckoMain";

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
pub(crate) fn long_tasks(profile: &Profile) -> Vec<HarmfulSlice> {
    let is_trace = profile.source.holds_events();
    let names: &[&str] = if is_trace { &[TASK] } else { &STATED };
    let wanted = |thread: &Thread| is_trace || thread.name == MAIN_THREAD;
    // Firefox states tasks from 50 ms on.
    let least = if is_trace { LONG_TASK + Ns(1) } else { LONG_TASK };
    let is_long = |times: TimeRange| Ns(times.len()) >= least;
    let mut found = all_markers_named_in(profile, names, wanted, is_long);
    let workers = if found.is_empty() { Workers::default() } else { Workers::of(profile) };
    // The end of an incomplete task is unknown.
    let is_whole = |id: ThreadId, marker| !profile.thread(id).markers.flags(marker).has(MarkerFlags::INCOMPLETE);
    found.retain(|(_, thread, marker)| is_whole(*thread, *marker) && !workers.contains(profile, *thread));
    let slice = |(_, id, marker): Named| {
        let thread = profile.thread(id);
        HarmfulSlice { marker: thread.global(marker), times: thread.markers.range(marker) }
    };
    found.into_iter().map(slice).collect()
}
