//! What is unfolded when a recording is opened: main threads, then the busiest, as far as they can be seen without scrolling.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use crate::index::Index;
use crate::index::flows::FlowTrack;
use crate::profile::{GroupKind, ThreadId};
use crate::scene::{ItemKind, Scope, THREAD_HEIGHT, TrackList, is_deep, rows_height};
use crate::view::{Tracks, ViewState};

/// At most this many threads are looked at, the main threads and the busiest ones.
const MAX_CANDIDATES: usize = 400;

/// The threads and groups that are unfolded first.
pub(super) struct FirstUnfolding {
    expanded: BTreeSet<ThreadId>,
    /// Deep groups of these threads.
    folded: BTreeSet<(ThreadId, GroupKind)>,
}

/// A thread to expand: places in points.
#[derive(Clone, Copy)]
struct Candidate {
    thread: ThreadId,
    /// Top of its heading while everything is collapsed.
    top: f64,
    /// Height of its rows.
    rows: f64,
}

impl FirstUnfolding {
    /// Chooses the threads for a chart of a height in points. If no main thread fits, the topmost one is expanded all the same.
    pub(super) fn new(index: &Index, flow_tracks: &[FlowTrack], view: &ViewState, height: f64) -> Self {
        let profile = index.profile();
        let mut collapsed = Tracks::clone(&view.tracks);
        collapsed.expanded.clear();
        let scope = Scope::new(view, None);
        let list =
            TrackList::build(index, flow_tracks, &collapsed, view.arrangement, &scope, None, TrackList::default());
        let headings = list.items().iter().filter_map(|item| match item.kind {
            ItemKind::Thread(heading) => Some((heading.thread, item.y)),
            _ => None,
        });
        let tops: HashMap<ThreadId, f64> = headings.collect();
        let mut order: Vec<(bool, Reverse<usize>, ThreadId)> = profile
            .threads_with_ids()
            .filter(|(_, thread)| !thread.markers.is_empty())
            .map(|(id, thread)| (!thread.is_main, Reverse(thread.markers.len()), id))
            .collect();
        order.sort_unstable();
        order.truncate(MAX_CANDIDATES);
        let layout = index.layout(view.arrangement);
        let mut chosen: Vec<Candidate> = Vec::new();
        for rank in order.chunk_by(|one, other| one.0 == other.0) {
            let candidates: Vec<Candidate> = rank
                .iter()
                .filter_map(|(_, _, thread)| Some((*thread, *tops.get(thread)?)))
                // What is off the screen while everything is collapsed is off the screen in any case.
                .filter(|(_, top)| *top < height)
                .filter_map(|(thread, top)| {
                    Some(Candidate { thread, top, rows: rows_height(&layout.if_built(thread)?.rows) })
                })
                .collect();
            for candidate in &candidates {
                if fits(&chosen, *candidate, height) {
                    chosen.push(*candidate);
                }
            }
            if chosen.is_empty() {
                chosen.extend(candidates.into_iter().min_by(|one, other| one.top.total_cmp(&other.top)));
            }
        }
        let expanded: BTreeSet<ThreadId> = chosen.iter().map(|candidate| candidate.thread).collect();
        let deep = |thread: &ThreadId| {
            let groups = layout.if_built(*thread).map(|layout| layout.rows.groups.as_slice()).unwrap_or_default();
            groups.iter().filter(|group| is_deep(group)).map(|group| (*thread, group.kind)).collect::<Vec<_>>()
        };
        let folded = expanded.iter().flat_map(deep).collect();
        Self { expanded, folded }
    }

    pub(super) fn apply(self, tracks: &mut Tracks) {
        (tracks.expanded, tracks.folded_groups) = (self.expanded, self.folded);
    }
}

/// Whether all rows of a thread and of those chosen before are on screen if it is expanded, too.
fn fits(chosen: &[Candidate], candidate: Candidate, height: f64) -> bool {
    let all = || chosen.iter().chain([&candidate]);
    let bottom = |of: &Candidate| {
        let above: f64 = all().filter(|other| other.top < of.top).map(|other| other.rows).sum();
        of.top + above + THREAD_HEIGHT + of.rows
    };
    all().all(|of| bottom(of) <= height)
}
