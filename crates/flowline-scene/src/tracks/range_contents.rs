//! Contents of a range: whether the chart shows any of them, and the markers nearest to a range without contents.
//!
//! Markers that their schema hides from rows are contents, too: activity graphs contain them.

use crate::layout::{InViewFilter, Item, ItemKind, SceneInput};
use crate::tracks::registered::track_kind;
use flowline_index::Index;
use flowline_profile::{LocalMarker, MarkerId, Ns, Thread, ThreadId, TimeRange};

/// The last marker before a range and the first one after it, with the times between them and the range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NearestMarkers {
    /// The marker that ends last before the range.
    pub before: Option<(MarkerId, Ns)>,
    /// The marker that begins first after the range.
    pub after: Option<(MarkerId, Ns)>,
}

impl NearestMarkers {
    /// The nearest markers of some threads; `None` if one of the threads has contents in the range. This may be slow.
    #[must_use]
    pub fn of(index: &Index, threads: impl Iterator<Item = ThreadId>, range: TimeRange) -> Option<Self> {
        let mut found = Self::default();
        for id in threads {
            if is_in_view(index, id, range) {
                return None;
            }
            let (thread, rows) = (index.profile().thread(id), &index.summary(id).rows);
            for row in (0..rows.len()).map(|row| rows.row(row)) {
                let [before, after] = around(thread, row, range);
                let before = before.map(|at| (thread.global(at), range.start - thread.markers.end(at)));
                let after = after.map(|at| (thread.global(at), thread.markers.start(at) - range.end));
                found = Self { before: nearer(found.before, before), after: nearer(found.after, after) };
            }
        }
        Some(found)
    }
}

fn nearer(one: Option<(MarkerId, Ns)>, other: Option<(MarkerId, Ns)>) -> Option<(MarkerId, Ns)> {
    one.into_iter().chain(other).min_by_key(|(_, distance)| *distance)
}

/// The last marker before a range and the first one after it, on a row that is sorted by start and by end and has no marker in
/// the range.
fn around(thread: &Thread, row: &[LocalMarker], range: TimeRange) -> [Option<LocalMarker>; 2] {
    let after = row.partition_point(|marker| thread.markers.end(*marker) < range.start);
    [after.checked_sub(1), Some(after)].map(|at| row.get(at?).copied())
}

fn is_in_view(index: &Index, thread: ThreadId, range: TimeRange) -> bool {
    InViewFilter { range, selected: None }.shows_thread(index, thread)
}

/// True if an item may show something in a closed range. Items that are not examined have contents.
#[must_use]
pub fn has_contents(input: &SceneInput<'_>, item: &Item, range: TimeRange) -> bool {
    let index = input.index;
    let of_thread = |thread: ThreadId| is_in_view(index, thread, range);
    match item.kind {
        ItemKind::Thread(heading) => of_thread(heading.thread),
        ItemKind::Row(row) => of_thread(row.thread),
        ItemKind::CollapsedGroup(group) => of_thread(group.thread),
        ItemKind::Samples(heading) => of_thread(heading.thread),
        ItemKind::Calls(row) => of_thread(row.thread),
        ItemKind::Process(_) | ItemKind::ThreadGroup(_) => {
            item.kind.graph(input).is_some_and(|graph| graph.threads.into_iter().any(of_thread))
        }
        ItemKind::Track(_) | ItemKind::TrackRow(_) => {
            let clock = index.clock();
            let ticks = (clock.tick(range.start), clock.tick(range.end));
            item.kind.track_rows(input).is_some_and(|(track, mut rows)| {
                let kind = track_kind(track.kind);
                kind.is_some_and(|kind| rows.any(|row| kind.shows_row(index, track.number, row, ticks)))
            })
        }
        ItemKind::MoreRows(_)
        | ItemKind::MoreGroups(_)
        | ItemKind::MoreThreads(_)
        | ItemKind::MoreCounters(_)
        | ItemKind::CounterHeading(_)
        | ItemKind::IdleThreads(_) => false,
        ItemKind::Counter(_)
        | ItemKind::FlowTrack(_)
        | ItemKind::FlowRow(_)
        | ItemKind::FlowLaneHeading(_)
        | ItemKind::FlowLane(_)
        | ItemKind::InstantLanes(_)
        | ItemKind::OutsideLanes(_) => true,
    }
}
