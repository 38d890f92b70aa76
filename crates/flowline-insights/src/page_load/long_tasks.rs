//! Long tasks: the time in which the main thread of a page could not react.
//!
//! Chrome states tasks (`RunTask`), Firefox long ones (`LongTask`). In other recordings, the topmost slices of a thread
//! are its tasks.

use crate::markers_by_name::{all_markers_named_in, has_markers_named};
use flowline_profile::{LocalMarker, MarkerFlags, MarkerId, Ns, Profile, ThreadId, TimeRange};

/// Tasks longer than this are long.
pub const LONG_TASK: Ns = Ns(50_000_000);

/// A long task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongTask {
    /// The marker.
    pub marker: MarkerId,
    /// Its times.
    pub times: TimeRange,
}

/// The long tasks of some threads, by start.
#[derive(Clone, Debug, Default)]
pub struct LongTasks(Vec<LongTask>);

impl LongTasks {
    /// The long tasks of threads.
    #[must_use]
    pub fn of(profile: &Profile, threads: &[ThreadId]) -> Self {
        let is_trace = profile.source.holds_events();
        let names: &[&str] = if is_trace { &["RunTask"] } else { &["LongTask"] };
        let is_long = |times: TimeRange| Ns(times.len()) > LONG_TASK;
        let mut found: Vec<LongTask> = match has_markers_named(profile, names) {
            true => {
                let stated = all_markers_named_in(profile, names, |_| true, is_long).into_iter();
                let own = stated.filter(|(_, id, _)| threads.contains(id));
                own.map(|(_, id, marker)| task(profile, id, marker)).collect()
            }
            false => threads.iter().flat_map(|id| topmost(profile, *id)).collect(),
        };
        found.sort_by_key(|task| (task.times.start, task.marker));
        Self(found)
    }

    /// The tasks by start.
    #[must_use]
    pub fn list(&self) -> &[LongTask] {
        &self.0
    }

    /// The sum of what exceeds 50 ms in each.
    #[must_use]
    pub fn blocking(&self) -> Ns {
        Ns(self.0.iter().map(|task| task.times.len() - LONG_TASK.0).sum())
    }
}

fn task(profile: &Profile, id: ThreadId, marker: LocalMarker) -> LongTask {
    let thread = profile.thread(id);
    LongTask { marker: thread.global(marker), times: thread.markers.range(marker) }
}

/// The slices of a thread that no other one contains.
fn topmost(profile: &Profile, id: ThreadId) -> Vec<LongTask> {
    let thread = profile.thread(id);
    let attributes = thread.markers.attributes();
    let nests: Vec<bool> = attributes.items().iter().map(|own| own.flags.has(MarkerFlags::STACK_BASED)).collect();
    let mut until = i64::MIN;
    let slices = thread.markers.times().ranges().enumerate().filter(|(marker, _)| nests[attributes.number(*marker)]);
    let topmost = slices.filter(|(_, range)| {
        let is_topmost = range.start.0 >= until;
        until = until.max(range.end.0);
        is_topmost
    });
    let long = topmost.filter(|(_, range)| Ns(range.len()) > LONG_TASK);
    long.map(|(marker, _)| task(profile, id, LocalMarker::new(marker))).collect()
}
