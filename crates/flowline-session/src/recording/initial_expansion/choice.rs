//! What is initially expanded, chosen by rank.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use flowline_index::{Index, RENDER_THREAD};
use flowline_profile::{Arrangement, CounterId, Ns, Thread, ThreadId};
use flowline_view::Tracks;

use super::candidates::{Candidate, Places, fits};
use super::fill::{Fill, open, owners};
use super::input::{ExpansionInput, initial_stack_charts, together};

/// Maximum number of threads examined.
const MAX_CANDIDATES: usize = 400;
/// Number of counters of each process that are listed if a recording consists of counters.
const LEAST_COUNTERS: usize = 3;

/// The tracks as initially expanded.
pub(crate) struct InitialExpansion {
    tracks: Tracks,
    arrangement: Arrangement,
}

/// The main threads of the page's process first, then by work, markers and samples.
type Rank = (u8, Reverse<(Ns, bool, usize, u64)>, ThreadId);

impl InitialExpansion {
    /// Selects what is expanded in a chart. The first thread is expanded even if it does not fit or is off screen.
    pub(crate) fn new(input: ExpansionInput<'_>) -> Self {
        let ExpansionInput { index, view, height, .. } = input;
        let mut plan = Tracks::clone(&view.tracks);
        plan.expanded = containers(index);
        plan.shown_members.clear();
        plan.open_groups.clear();
        plan.show_empty.clear();
        plan.collapsed_groups.clear();
        plan.stack_charts = initial_stack_charts(index);
        plan.shown_counters = least_counters(index, &plan);
        let list = input.list(&plan);
        let cores = index.cores();
        let order = ranked(index, &cores);
        let mut chosen: Vec<Candidate> = Vec::new();
        let mut left: Vec<ThreadId> = Vec::new();
        let places = Places::of(&list);
        for (rank, thread) in order.iter().copied().enumerate() {
            let Some(candidate) = input.candidate((&places, &cores), thread) else {
                // A track below a collapsed one.
                left.push(thread);
                continue;
            };
            // A thread that is off screen while all threads are collapsed stays off screen.
            let is_off_screen = rank > 0 && candidate.top >= height;
            // Rows of the first thread that do not fit are below the edge, and so is everything below it.
            if !is_off_screen && (chosen.is_empty() || fits(&chosen, candidate, height)) {
                chosen.push(candidate);
            } else {
                left.push(thread);
            }
        }
        for thread in chosen.iter().flat_map(|candidate| together(&cores, candidate.thread)) {
            open(&mut plan, index, view.arrangement, thread);
        }
        let tracks = Fill::new(input, cores, left, plan).run();
        Self { tracks, arrangement: view.arrangement }
    }

    pub(crate) fn apply(self, tracks: &mut Tracks) {
        tracks.opened.insert(self.arrangement, self.tracks.expanded.clone());
        let plan = self.tracks;
        (tracks.expanded, tracks.shown_members, tracks.open_groups) =
            (plan.expanded, plan.shown_members, plan.open_groups);
        (tracks.collapsed_groups, tracks.stack_charts) = (plan.collapsed_groups, plan.stack_charts);
        (tracks.shown_counters, tracks.show_empty) = (plan.shown_counters, plan.show_empty);
    }
}

/// The threads in the order in which they are expanded.
fn ranked(index: &Index, cores: &[ThreadId]) -> Vec<ThreadId> {
    let profile = index.profile();
    let page = index.foreground_process();
    let samples = |id| index.cpu().get(id).map_or(0, |track| track.samples);
    let has_content = |(id, thread): &(ThreadId, &Thread)| !thread.markers.is_empty() || index.cpu().get(*id).is_some();
    let rank = |(id, thread): (ThreadId, &Thread)| -> Rank {
        let place = match Some(thread.process) == page {
            true if thread.is_main => 0,
            true if thread.name == RENDER_THREAD => 1,
            _ => 2,
        };
        (place, Reverse((index.rank().thread(id), thread.is_main, thread.markers.len(), samples(id))), id)
    };
    let mut order: Vec<Rank> = profile.threads_with_ids().filter(has_content).map(rank).collect();
    order.sort_unstable();
    // CPUs are expanded together, so the first one represents all of them.
    let is_candidate = |thread: &ThreadId| cores.first().is_none_or(|first| thread == first || !cores.contains(thread));
    order.into_iter().map(|(_, _, thread)| thread).filter(is_candidate).take(MAX_CANDIDATES).collect()
}

/// The first counters of each process with many, if the recording consists of counters.
fn least_counters(index: &Index, tracks: &Tracks) -> BTreeSet<CounterId> {
    let has_others = index.profile().marker_count() > 0 || !index.cpu().is_empty();
    if has_others {
        return BTreeSet::new();
    }
    let folded = owners(index).filter(|process| !tracks.counters.contains(process));
    folded.flat_map(|process| index.counters().for_process(process).take(LEAST_COUNTERS)).collect()
}

/// The threads and tracks without contents of their own, but with tracks below them.
fn containers(index: &Index) -> BTreeSet<ThreadId> {
    let is_container = |(id, thread): &(ThreadId, &Thread)| {
        thread.nested > 0 && thread.markers.is_empty() && index.cpu().get(*id).is_none()
    };
    index.profile().threads_with_ids().filter(is_container).map(|(id, _)| id).collect()
}
