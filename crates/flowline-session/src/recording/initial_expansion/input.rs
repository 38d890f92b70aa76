//! The recording, its view and the room for it; what a thread needs of it.

use std::collections::BTreeSet;
use std::sync::Arc;

use flowline_index::Index;
use flowline_index::flows::FlowTrack;
use flowline_index::hidden::FilteredRows;
use flowline_profile::{GroupKind, ThreadId, TimeRange};
use flowline_scene::{
    InViewFilter, ROW_HEIGHT, RowFilter, SamplesHeading, Scope, StackRows, THREAD_HEIGHT, TrackItem as _, TrackList,
    kind_on_tracks, rows_height, stack_rows_in,
};
use flowline_view::{Tracks, ViewState};

use super::candidates::{Candidate, Places};

/// The recording, its view and the room for it.
#[derive(Clone, Copy)]
pub(crate) struct ExpansionInput<'a> {
    pub(crate) index: &'a Index,
    pub(crate) shown: &'a Arc<FilteredRows>,
    pub(crate) flow_tracks: &'a [FlowTrack],
    pub(crate) view: &'a ViewState,
    /// Height of the chart in points.
    pub(crate) height: f64,
}

impl ExpansionInput<'_> {
    /// The list of tracks in a state.
    pub(super) fn list(&self, tracks: &Tracks) -> TrackList {
        let (arrangement, calls) = (self.view.arrangement, self.view.call_functions);
        let view = InViewFilter { range: self.range(), selected: None };
        let stacks = StackRows::needed((self.index, self.shown), tracks, (arrangement, calls), view);
        let scope = Scope::new(self.view, None, None);
        TrackList::build(
            (self.index, self.shown),
            self.flow_tracks,
            tracks,
            (arrangement, calls),
            (&scope, None, None),
            RowFilter { in_view: None, stacks: &stacks },
            TrackList::default(),
        )
    }

    fn range(&self) -> TimeRange {
        self.view.axis.visible()
    }

    /// A thread with its place and the height of its rows, and of those that are expanded with it; `None` if it is not listed or
    /// its rows are not built.
    pub(super) fn candidate(&self, (places, cores): (&Places, &[ThreadId]), thread: ThreadId) -> Option<Candidate> {
        let all = together(cores, thread).into_iter().map(|thread| self.single(places, thread));
        all.reduce(|all, own| {
            let (all, own) = all.zip(own)?;
            Some(Candidate { rows: all.rows + own.rows, ..all })
        })?
    }

    fn single(&self, places: &Places, thread: ThreadId) -> Option<Candidate> {
        let (index, profile) = (self.index, self.index.profile());
        let (top, group) = match places.headings.get(&thread) {
            Some(top) => (*top, None),
            None => places.members.get(&thread).map(|(top, group)| (*top, Some(*group)))?,
        };
        let layout = self.shown.layout(index, self.view.arrangement, thread)?;
        let on_tracks = kind_on_tracks(profile, self.view.arrangement);
        let all = rows_height(&layout.rows, on_tracks);
        let stack = layout.rows.groups.iter().find(|group| group.kind == GroupKind::Stack).map(|group| group.rows);
        let needed = stack_rows_in((index, self.shown), self.view.arrangement, thread, self.range());
        let unneeded = stack.zip(needed).map_or(0, |(all, needed)| all.saturating_sub(needed));
        // Other tracks are listed below the rows.
        let nested = f64::from(profile.thread(thread).nested) * THREAD_HEIGHT;
        let rows = all - f64::from(unneeded) * ROW_HEIGHT + samples_height(index, thread) + nested;
        // A listed member of a group has a heading of its own.
        let heading = group.map_or(0.0, |_| THREAD_HEIGHT);
        Some(Candidate { thread, top, rows: rows + heading, group })
    }
}

/// The threads that are expanded with a thread: CPUs are compared with each other, so all of them are.
pub(super) fn together(cores: &[ThreadId], thread: ThreadId) -> Vec<ThreadId> {
    if cores.contains(&thread) { cores.to_vec() } else { vec![thread] }
}

/// The threads whose stack charts are initially expanded: those without markers.
pub(crate) fn initial_stack_charts(index: &Index) -> BTreeSet<ThreadId> {
    let threads = (0..index.profile().threads.len()).map(ThreadId::new);
    threads.filter(|thread| starts_with_chart(index, *thread)).collect()
}

fn starts_with_chart(index: &Index, thread: ThreadId) -> bool {
    index.profile().thread(thread).markers.is_empty() && has_chart(index, thread)
}

fn has_chart(index: &Index, thread: ThreadId) -> bool {
    index.cpu().get(thread).is_some_and(|track| track.depth > 0)
}

/// Height in points of a thread's samples as initially shown.
fn samples_height(index: &Index, thread: ThreadId) -> f64 {
    let Some(track) = index.cpu().get(thread) else { return 0.0 };
    let expanded = starts_with_chart(index, thread);
    let rows = if expanded { f64::from(track.depth) } else { 0.0 };
    SamplesHeading::new(thread, track, expanded).height() + rows * ROW_HEIGHT
}
