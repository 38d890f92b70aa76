//! Initial expansion of tracks: the page's main thread or else the busiest thread, then others by busy time as long as they
//! fit without scrolling. Threads and tracks that only contain tracks are always expanded.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use flowline_index::Index;
use flowline_index::flows::FlowTrack;
use flowline_profile::{Arrangement, GroupKind, Ns, Thread, ThreadId};
use flowline_scene::{
    ItemKind, ROW_HEIGHT, SamplesHeading, Scope, THREAD_HEIGHT, TrackItem as _, TrackList, is_deep, kind_on_tracks,
    rows_height,
};
use flowline_view::{Tracks, ViewState};

/// Maximum number of threads examined.
const MAX_CANDIDATES: usize = 400;

/// The initially expanded threads and collapsed groups.
pub(crate) struct InitialExpansion {
    expanded: BTreeSet<ThreadId>,
    arrangement: Arrangement,
    /// Deep groups of the expanded threads.
    collapsed: BTreeSet<(ThreadId, GroupKind)>,
}

/// The main threads of the page's process first, then by busy time, markers and samples.
type Rank = (bool, Reverse<(Ns, bool, usize, u64)>, ThreadId);

/// A thread to expand, with positions in points.
#[derive(Clone, Copy)]
struct Candidate {
    thread: ThreadId,
    /// Top of its heading while all threads are collapsed.
    top: f64,
    /// Height of its rows.
    rows: f64,
}

impl InitialExpansion {
    /// Selects the threads for a chart of a height in points. The first thread is expanded even if it does not
    /// fit or is off screen.
    pub(crate) fn new(index: &Index, flow_tracks: &[FlowTrack], view: &ViewState, height: f64) -> Self {
        let profile = index.profile();
        let mut collapsed = Tracks::clone(&view.tracks);
        collapsed.expanded = containers(index);
        let scope = Scope::new(view, None, None);
        let rows = (view.arrangement, view.call_functions);
        let list = TrackList::build(
            (index, &Arc::default()),
            flow_tracks,
            &collapsed,
            rows,
            (&scope, None, None),
            None,
            TrackList::default(),
        );
        let headings = list.items().iter().filter_map(|item| match item.kind {
            ItemKind::Thread(heading) => Some((heading.thread, item.y)),
            _ => None,
        });
        let tops: HashMap<ThreadId, f64> = headings.collect();
        let page = index.page_process();
        let samples = |id| index.cpu().get(id).map_or(0, |track| track.samples);
        let mut order: Vec<Rank> = profile
            .threads_with_ids()
            .filter(|(id, thread)| !thread.markers.is_empty() || index.cpu().get(*id).is_some())
            .map(|(id, thread)| {
                let is_page = thread.is_main && Some(thread.process) == page;
                (!is_page, Reverse((index.rank().thread(id), thread.is_main, thread.markers.len(), samples(id))), id)
            })
            .collect();
        order.sort_unstable();
        order.truncate(MAX_CANDIDATES);
        let layout = index.layout(view.arrangement);
        let on_tracks = kind_on_tracks(profile, view.arrangement);
        let candidates = order
            .iter()
            .filter_map(|(_, _, thread)| Some((*thread, *tops.get(thread)?)))
            .enumerate()
            // A thread that is off screen while all threads are collapsed stays off screen.
            .filter(|(rank, (_, top))| *rank == 0 || *top < height)
            .filter_map(|(_, (thread, top))| {
                // Other tracks are listed below the rows.
                let nested = f64::from(profile.thread(thread).nested) * THREAD_HEIGHT;
                let rows = rows_height(&layout.if_built(thread)?.rows, on_tracks)
                    + samples_height(index, view, thread)
                    + nested;
                Some(Candidate { thread, top, rows })
            });
        let mut chosen: Vec<Candidate> = Vec::new();
        for candidate in candidates {
            // Rows of the first thread that do not fit are below the edge, and so is everything below it.
            if chosen.is_empty() || fits(&chosen, candidate, height) {
                chosen.push(candidate);
            }
        }
        let expanded: BTreeSet<ThreadId> = chosen.iter().map(|candidate| candidate.thread).collect();
        let deep = |thread: &ThreadId| {
            let groups = layout.if_built(*thread).map(|layout| layout.rows.groups.as_slice()).unwrap_or_default();
            groups.iter().filter(|group| is_deep(group)).map(|group| (*thread, group.kind)).collect::<Vec<_>>()
        };
        let deep_groups = expanded.iter().flat_map(deep).collect();
        let expanded = expanded.into_iter().chain(collapsed.expanded).collect();
        Self { expanded, arrangement: view.arrangement, collapsed: deep_groups }
    }

    pub(crate) fn apply(self, tracks: &mut Tracks) {
        tracks.opened.insert(self.arrangement, self.expanded.clone());
        (tracks.expanded, tracks.collapsed_groups) = (self.expanded, self.collapsed);
    }
}

/// The threads and tracks without contents of their own, but with tracks below them.
fn containers(index: &Index) -> BTreeSet<ThreadId> {
    let is_container = |(id, thread): &(ThreadId, &Thread)| {
        thread.nested > 0 && thread.markers.is_empty() && index.cpu().get(*id).is_none()
    };
    index.profile().threads_with_ids().filter(is_container).map(|(id, _)| id).collect()
}

/// The threads whose stack charts are initially expanded: those without markers.
pub(crate) fn initial_stack_charts(index: &Index) -> BTreeSet<ThreadId> {
    let is_all = |thread: &ThreadId| index.profile().thread(*thread).markers.is_empty();
    let has_chart = |thread: &ThreadId| index.cpu().get(*thread).is_some_and(|track| track.depth > 0);
    let threads = (0..index.profile().threads.len()).map(ThreadId::new);
    threads.filter(is_all).filter(has_chart).collect()
}

/// Height in points of a thread's samples as initially shown.
fn samples_height(index: &Index, view: &ViewState, thread: ThreadId) -> f64 {
    let Some(track) = index.cpu().get(thread) else { return 0.0 };
    let expanded = view.tracks.stack_charts.contains(&thread);
    let rows = if expanded { f64::from(track.depth) } else { 0.0 };
    SamplesHeading::new(thread, track, expanded).height() + rows * ROW_HEIGHT
}

/// True if all rows of a thread and of the selected threads remain on screen if the thread is expanded as well.
fn fits(chosen: &[Candidate], candidate: Candidate, height: f64) -> bool {
    let all = || chosen.iter().chain([&candidate]);
    let bottom = |of: &Candidate| {
        let above: f64 = all().filter(|other| other.top < of.top).map(|other| other.rows).sum();
        of.top + above + THREAD_HEIGHT + of.rows
    };
    all().filter(|of| of.top < height).all(|of| bottom(of) <= height)
}
