//! The functions that events called, as searchable names: `reflow, app.js:14`.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rayon::prelude::*;

use flowline_index::Index;
use flowline_profile::{LocalMarker, MarkerId, StringId, Thread, ThreadId};

/// At most this many calls of a thread are read, the first ones.
const MAX_READ: usize = 200_000;
/// The event that states a call. Other events that are titled with a function only surround it.
const CALL: &str = "FunctionCall";

/// The calls of a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Calls {
    pub(super) longest: MarkerId,
    pub(super) count: u64,
    /// Length of the longest call.
    length: i64,
}

impl Calls {
    fn join(self, other: Self) -> Self {
        let count = self.count + other.count;
        let is_first = (self.length, Reverse(self.longest)) >= (other.length, Reverse(other.longest));
        Self { count, ..if is_first { self } else { other } }
    }
}

/// The called functions with their calls, those with most calls first.
pub(super) fn called_functions(index: &Index, is_wanted: &(dyn Fn() -> bool + Sync)) -> Vec<(String, Calls)> {
    let profile = index.profile();
    let Some(call) = profile.strings.find(CALL).filter(|name| profile.is_call_name(*name)) else { return Vec::new() };
    let has_calls = |thread: &Thread| thread.markers.attributes().items().iter().any(|own| own.name == call);
    let threads = profile.threads_with_ids().filter(|(_, thread)| has_calls(thread));
    let threads: Vec<ThreadId> = threads.map(|(id, _)| id).collect();
    let of_thread = |id: ThreadId| of_thread(index, id, call, is_wanted);
    let parts: Vec<BTreeMap<String, Calls>> = threads.into_par_iter().map(of_thread).collect();
    let mut all: BTreeMap<String, Calls> = BTreeMap::new();
    for (title, calls) in parts.into_iter().flatten() {
        all.entry(title).and_modify(|own| *own = own.join(calls)).or_insert(calls);
    }
    let mut all: Vec<(String, Calls)> = all.into_iter().collect();
    all.sort_by_key(|(_, calls)| (Reverse(calls.count), calls.longest));
    all
}

fn of_thread(
    index: &Index,
    id: ThreadId,
    call: StringId,
    is_wanted: &(dyn Fn() -> bool + Sync),
) -> BTreeMap<String, Calls> {
    let profile = index.profile();
    let thread = profile.thread(id);
    let mut functions: BTreeMap<String, Calls> = BTreeMap::new();
    let markers = (0..thread.markers.len()).map(LocalMarker::new);
    for marker in markers.filter(|marker| thread.markers.name(*marker) == call).take(MAX_READ) {
        if !is_wanted() {
            break;
        }
        let Some(title) = profile.call_title(id, marker) else { continue };
        let own = Calls { longest: thread.global(marker), count: 1, length: thread.markers.range(marker).len() };
        functions.entry(title).and_modify(|calls| *calls = calls.join(own)).or_insert(own);
    }
    functions
}
