//! The scope: the active filters of the whole window. Chart, tables, counts, overview and flow lists all read this one
//! value, so that they agree.
//!
//! A scope is tracks x time x search. A marker is in the scope if its track is, if it overlaps the range, and if it
//! matches the search. The tracks are the selected rows, else the selected threads, else all threads, always without
//! hidden ones.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::scope_key::{ScopeActivity, ScopeCounts, ScopeKey};
use super::scope_rows::{ScopeRows, ThreadPart, TrackMarkers};
use super::search_view::SearchView;
use super::track_counts::TrackCounts;
use flowline_index::hidden::FilteredRows;
use flowline_index::search::Hits;
use flowline_index::{Index, ThreadTimes};
use flowline_insights::overview::OverviewLanes;
use flowline_profile::{CounterId, LocalMarker, MarkerId, Profile, Thread, ThreadId, TimeRange};
use flowline_view::{RowSelection, TrackSelection, Tracks, ViewState};

/// The active filters; everything by default.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Extent of the axis: the whole recording, or two of them.
    pub(super) extent: Option<TimeRange>,
    selected: Option<TimeRange>,
    pub(super) committed: Option<TimeRange>,
    /// The visible range, if tables follow it. It stays the same while the view moves.
    visible: Option<TimeRange>,
    tracks: Arc<Tracks>,
    /// The track selection, including hidden threads.
    chosen: Arc<TrackSelection>,
    /// The visible selected threads; `None` if there are none or if rows are selected.
    selected_threads: Option<Arc<BTreeSet<ThreadId>>>,
    /// The visible selected rows.
    rows: Option<Arc<ScopeRows>>,
    search: Option<Arc<SearchView>>,
    /// The last count, possibly of an earlier scope.
    pub(crate) counts: Option<Arc<ScopeCounts>>,
    pub(crate) activity: Option<Arc<ScopeActivity>>,
    pub(crate) lanes: Option<Arc<OverviewLanes>>,
}

impl Scope {
    /// The scope of a view. `search` is the last complete search, and `before` the previous scope.
    #[must_use]
    pub fn new(view: &ViewState, search: Option<Arc<SearchView>>, before: Option<&Self>) -> Self {
        let committed = view.breadcrumbs.committed();
        let selected = view.range.map(|range| committed.map_or(range, |outer| range.within(outer)));
        let (tracks, chosen) = (Arc::clone(&view.tracks), Arc::clone(&view.chosen));
        let (counts, activity, lanes) = (None, None, None);
        let extent = Some(view.bounds().extent);
        let shown = || view.axis.visible().within(committed.unwrap_or(view.bounds().extent));
        let visible = view.follows_view.then(|| match before.and_then(|before| before.visible) {
            Some(before) if view.is_moving() => before,
            _ => shown(),
        });
        Self {
            extent,
            selected,
            committed,
            visible,
            tracks,
            chosen,
            selected_threads: None,
            rows: None,
            search,
            counts,
            activity,
            lanes,
        }
    }

    /// Restricts the scope to the selected rows or threads. Reuses the collected rows of `before`, an earlier scope, if
    /// they are the same.
    #[must_use]
    pub(crate) fn filtered_by_tracks(
        mut self,
        (index, shown): (&Arc<Index>, &Arc<FilteredRows>),
        tracks: TrackMarkers,
        before: &Self,
    ) -> Self {
        if self.chosen.is_empty() {
            return self;
        }
        let track_key = |scope: &Self| {
            let search = scope.search.as_ref().map(|search| search.number);
            (scope.chosen.revision(), scope.tracks.hidden_revision(), search)
        };
        let is_same = |rows: &Arc<ScopeRows>| rows.shown().number == shown.number && rows.is_current(tracks);
        let is_shown_so = before.rows.as_ref().is_none_or(is_same);
        if track_key(&self) == track_key(before) && is_shown_so {
            (self.selected_threads, self.rows) = (before.selected_threads.clone(), before.rows.clone());
            return self;
        }
        let mut rows = self.chosen.rows.clone();
        rows.remove_threads(&self.tracks.hidden);
        if rows.is_empty() {
            let selected_threads: BTreeSet<ThreadId> =
                self.chosen.threads.difference(&self.tracks.hidden).copied().collect();
            self.selected_threads = (!selected_threads.is_empty()).then(|| Arc::new(selected_threads));
        } else {
            self.rows = Some(Arc::new(ScopeRows::new((index, shown), rows, self.search.clone(), tracks)));
        }
        self
    }

    /// The selected rows, if rows are selected.
    #[must_use]
    pub fn rows(&self) -> Option<&RowSelection> {
        self.rows.as_ref().map(|rows| rows.choice())
    }

    /// The markers on the selected rows of tracks of registered kinds, by thread, in time order.
    pub(crate) fn markers_on_tracks(&self) -> impl Iterator<Item = (ThreadId, &[LocalMarker])> {
        let of_rows = self.rows.iter().flat_map(|rows| rows.on_tracks());
        of_rows.map(|(thread, markers)| (*thread, markers.as_slice()))
    }

    /// The selected threads, if only threads are selected.
    #[must_use]
    pub fn selected_threads(&self) -> Option<&BTreeSet<ThreadId>> {
        self.selected_threads.as_deref()
    }

    /// The threads that are selected or have a selected row, including rows of samples; `None` for all.
    #[must_use]
    pub fn threads_with_selection(&self) -> Option<&BTreeSet<ThreadId>> {
        self.rows.as_ref().map(|rows| rows.touched()).or(self.selected_threads())
    }

    /// True if a counter is in the scope: with selected rows, only if its row is selected; with selected threads,
    /// never.
    #[must_use]
    pub fn has_counter(&self, counter: CounterId) -> bool {
        match self.rows() {
            Some(rows) => rows.counters.contains(&counter),
            None => self.selected_threads.is_none(),
        }
    }

    /// True if a thread is in the scope: visible, and with a selection, selected or with a selected row of markers.
    #[must_use]
    pub fn has(&self, thread: ThreadId) -> bool {
        let is_selected_row = match (&self.rows, &self.selected_threads) {
            (Some(rows), _) => rows.has(thread),
            (None, Some(selected_threads)) => selected_threads.contains(&thread),
            (None, None) => true,
        };
        is_selected_row && self.shows(thread)
    }

    /// The markers of a thread that are in the scope by track and search; [`Scope::is_in_range`] checks their time.
    /// Collecting the markers of rows can take long.
    #[must_use]
    pub fn part(&self, thread: ThreadId) -> ThreadPart<'_> {
        if !self.has(thread) {
            return ThreadPart::Nothing;
        }
        let rows = self.rows.as_ref().and_then(|rows| rows.markers(thread));
        rows.or_else(|| Some(self.hits()?.thread(thread))).map_or(ThreadPart::All, ThreadPart::Some)
    }

    /// The time range: the selected range, or else the visible range if tables follow it, or else the committed range, or
    /// else `None` for everything.
    #[must_use]
    pub fn range(&self) -> Option<TimeRange> {
        self.selected.or(self.visible).or(self.committed)
    }

    /// The visible range, if tables follow it and no range is selected.
    #[must_use]
    pub fn followed(&self) -> Option<TimeRange> {
        self.visible.filter(|_| self.selected.is_none())
    }

    /// The part of the selected range that is in the committed one.
    #[must_use]
    pub const fn selected(&self) -> Option<TimeRange> {
        self.selected
    }

    /// The committed range.
    #[must_use]
    pub const fn committed(&self) -> Option<TimeRange> {
        self.committed
    }

    /// The search, once it is complete.
    #[must_use]
    pub fn search(&self) -> Option<&SearchView> {
        self.search.as_deref()
    }

    /// The complete search, for sharing.
    #[must_use]
    pub const fn shared_search(&self) -> Option<&Arc<SearchView>> {
        self.search.as_ref()
    }

    /// Hits of the search.
    #[must_use]
    pub fn hits(&self) -> Option<&Hits> {
        self.search().map(|search| &search.hits)
    }

    /// The hidden threads.
    #[must_use]
    pub fn hidden(&self) -> &BTreeSet<ThreadId> {
        &self.tracks.hidden
    }

    /// Number of hidden threads.
    #[must_use]
    pub fn hidden_threads(&self) -> usize {
        self.tracks.hidden.len()
    }

    /// True if everything is in the scope.
    #[must_use]
    pub fn is_everything(&self) -> bool {
        self.key() == ScopeKey::default()
    }

    /// Identifies the markers of the scope.
    #[must_use]
    pub fn key(&self) -> ScopeKey {
        let revision = |is_effective: bool| if is_effective { self.chosen.revision() } else { 0 };
        ScopeKey {
            range: self.range().map(|range| (range.start.0, range.end.0)),
            hidden: if self.tracks.hidden.is_empty() { 0 } else { self.tracks.hidden_revision() },
            selected_threads: revision(self.selected_threads.is_some()),
            rows: revision(self.rows.is_some()),
            shown: self.rows.as_ref().map_or(0, |rows| rows.shown().number),
            derived: self.rows.as_ref().map_or(0, |rows| rows.derived()),
            search: self.search().map(|search| search.number),
        }
    }

    /// The scope without the selected range, as shown in the overview.
    #[must_use]
    pub fn without_selection(&self) -> Self {
        Self { selected: None, visible: None, ..self.clone() }
    }

    /// The scope with all threads, for counts of each thread; the row selection is kept.
    #[must_use]
    pub fn with_all_threads(&self) -> Self {
        Self { tracks: Arc::default(), selected_threads: None, ..self.clone() }
    }

    /// The scope with all tracks.
    #[must_use]
    pub fn with_all_tracks(&self) -> Self {
        Self { rows: None, ..self.with_all_threads() }
    }

    /// The threads with only some rows in the scope.
    pub fn partial_threads(&self) -> impl Iterator<Item = ThreadId> + '_ {
        self.rows.iter().flat_map(|rows| rows.partial())
    }

    /// True if counting requires examining markers.
    #[must_use]
    pub fn needs_counting(&self) -> bool {
        self.range().is_some() || self.partial_threads().next().is_some()
    }

    /// True if a thread is visible.
    #[must_use]
    pub fn shows(&self, thread: ThreadId) -> bool {
        !self.tracks.hidden.contains(&thread)
    }

    /// Number of candidates in a thread: its markers in the scope at any time.
    #[must_use]
    pub fn candidates(&self, profile: &Profile, thread: ThreadId) -> usize {
        self.part(thread).len(profile.thread(thread).markers.len())
    }

    /// A candidate by position in time order.
    #[must_use]
    pub fn candidate(&self, thread: ThreadId, position: usize) -> LocalMarker {
        let rows = self.rows.as_ref().and_then(|rows| rows.markers(thread));
        let some = rows.or_else(|| Some(self.hits()?.thread(thread)));
        some.map_or_else(|| LocalMarker::new(position), |markers| markers[position])
    }

    /// True if a marker overlaps the range.
    #[must_use]
    pub fn is_in_range(&self, thread: &Thread, marker: LocalMarker) -> bool {
        let own = thread.markers.range(marker);
        self.range().is_none_or(|range| range.overlaps(own.start, own.end))
    }

    /// True if a marker is in the scope.
    #[must_use]
    pub fn contains(&self, profile: &Profile, thread: ThreadId, marker: LocalMarker) -> bool {
        self.is_in_range(profile.thread(thread), marker)
            && match self.part(thread) {
                ThreadPart::Nothing => false,
                ThreadPart::All => true,
                ThreadPart::Some(markers) => markers.binary_search(&marker).is_ok(),
            }
    }

    /// True if any of some markers is in the scope.
    #[must_use]
    pub fn contains_one_of(&self, profile: &Profile, markers: &[MarkerId]) -> bool {
        markers
            .iter()
            .filter_map(|marker| profile.locate(*marker))
            .any(|(thread, local)| self.contains(profile, thread, local))
    }

    /// Number of markers of a row in the range. The row must be sorted by start and by end.
    #[must_use]
    pub fn count_in_row(&self, thread: &Thread, row: &[LocalMarker]) -> usize {
        count_overlapping(thread, row, self.range())
    }

    /// Number of markers of a thread in the scope, examined one by one.
    #[must_use]
    pub fn count_in_thread(&self, profile: &Profile, id: ThreadId) -> usize {
        let (thread, count) = (profile.thread(id), self.candidates(profile, id));
        if self.range().is_none() {
            return count;
        }
        (0..count).filter(|position| self.is_in_range(thread, self.candidate(id, *position))).count()
    }

    /// Number of markers of a thread that are in the range and match the search, on any row, by the last count; `None`
    /// before the first count.
    #[must_use]
    pub fn counted_in_thread(&self, profile: &Profile, id: ThreadId) -> Option<usize> {
        if self.range().is_none() {
            let all = profile.thread(id).markers.len();
            return Some(self.hits().map_or(all, |hits| hits.thread(id).len()));
        }
        self.counts.as_ref()?.by_thread.get(id.index()).copied()
    }

    /// Counts of other tracks in the range, by the last count; `None` before the first count, and without a range.
    #[must_use]
    pub fn counted_tracks(&self) -> Option<&TrackCounts> {
        self.range()?;
        self.counts.as_ref()?.tracks.as_ref()
    }

    /// Times of threads in the committed range, by the last count; `None` before the first count, and without such a range.
    #[must_use]
    pub fn counted_times(&self) -> Option<&ThreadTimes> {
        let times = self.counts.as_ref()?.times.as_ref()?;
        (times.range() == self.committed).then_some(times)
    }

    /// Number of markers in the scope, by the last count; `None` before the first count.
    #[must_use]
    pub fn counted(&self, profile: &Profile) -> Option<usize> {
        if self.needs_counting() && self.counts.is_none() {
            return None;
        }
        let of_rows = |id| self.counts.as_ref().and_then(|counts| counts.by_rows.get(&id).copied());
        let is_partial = |id| self.rows.as_ref().is_some_and(|rows| rows.is_partial(id));
        let count = |id| if is_partial(id) { of_rows(id) } else { self.counted_in_thread(profile, id) };
        Some(profile.threads_with_ids().filter(|(id, _)| self.has(*id)).filter_map(|(id, _)| count(id)).sum())
    }
}

/// Number of markers of a row in a range. The row must be sorted by start and by end.
pub(crate) fn count_overlapping(thread: &Thread, row: &[LocalMarker], range: Option<TimeRange>) -> usize {
    let Some(range) = range else { return row.len() };
    let times = thread.markers.times();
    let first = row.partition_point(|marker| {
        let own = times.range(marker.index());
        own.end <= range.start && own.start < range.start
    });
    let end = row.partition_point(|marker| times.start(marker.index()) < range.end);
    end.saturating_sub(first)
}
