//! What everything is narrowed to. Chart, tables, counts, overview and lists of flows read this one value, so that they cannot
//! disagree.
//!
//! A marker is in the scope if its thread is shown, it lies in the range at least in part, and the search found it.

use std::sync::Arc;

use super::SearchView;
use crate::index::search::Hits;
use crate::index::{Activity, Index};
use crate::profile::{LocalMarker, MarkerId, Profile, Thread, ThreadId, TimeRange};
use crate::view::{Tracks, ViewState};

/// What everything is narrowed to; by default to nothing.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    selected: Option<TimeRange>,
    committed: Option<TimeRange>,
    tracks: Arc<Tracks>,
    search: Option<Arc<SearchView>>,
    /// What was counted last, perhaps of an earlier scope.
    pub(super) counts: Option<Arc<ScopeCounts>>,
    pub(super) activity: Option<Arc<ScopeActivity>>,
}

/// Identifies the markers of a scope; what was computed for another one is stale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ScopeKey {
    range: Option<(i64, i64)>,
    hidden: u64,
    search: Option<u64>,
}

/// How many markers of each thread lie in the range of a scope and are found by its search, hidden or not. Counting them takes
/// too long for a frame, so they are counted in the background.
#[derive(Clone, Debug, Default)]
pub struct ScopeCounts {
    /// What was counted: [`Scope::with_hidden`].
    pub key: ScopeKey,
    /// Numbers of markers, by thread.
    pub by_thread: Vec<usize>,
}

/// The activity in the committed range of a scope, also counted in the background.
#[derive(Clone, Debug)]
pub struct ScopeActivity {
    /// What was counted: [`Scope::without_selection`].
    pub key: ScopeKey,
    /// Its range is the committed one, or the whole recording.
    pub activity: Activity,
}

impl Scope {
    /// The scope of a view. `search` is the last complete search.
    #[must_use]
    pub fn new(view: &ViewState, search: Option<Arc<SearchView>>) -> Self {
        let committed = view.breadcrumbs.committed();
        let selected = view.range.map(|range| committed.map_or(range, |outer| range.within(outer)));
        Self { selected, committed, tracks: Arc::clone(&view.tracks), search, counts: None, activity: None }
    }

    /// Its time: the selected range, or else the committed range, or else everything.
    #[must_use]
    pub fn range(&self) -> Option<TimeRange> {
        self.selected.or(self.committed)
    }

    /// The selected range, as far as it lies in the committed one.
    #[must_use]
    pub const fn selected(&self) -> Option<TimeRange> {
        self.selected
    }

    /// The committed range, which the overview shows.
    #[must_use]
    pub const fn committed(&self) -> Option<TimeRange> {
        self.committed
    }

    /// The range that the overview shows: the committed one, or the whole recording.
    #[must_use]
    pub fn overview(&self, index: &Index) -> TimeRange {
        self.committed.unwrap_or(index.extent())
    }

    /// The search, once it is complete.
    #[must_use]
    pub fn search(&self) -> Option<&SearchView> {
        self.search.as_deref()
    }

    /// The same, to share it.
    #[must_use]
    pub const fn shared_search(&self) -> Option<&Arc<SearchView>> {
        self.search.as_ref()
    }

    /// What the search found.
    #[must_use]
    pub fn hits(&self) -> Option<&Hits> {
        self.search().map(|search| &search.hits)
    }

    /// Number of hidden threads.
    #[must_use]
    pub fn hidden_threads(&self) -> usize {
        self.tracks.hidden.len()
    }

    /// Whether everything is in the scope.
    #[must_use]
    pub fn is_everything(&self) -> bool {
        self.key() == ScopeKey::default()
    }

    /// Identifies the markers of the scope.
    #[must_use]
    pub fn key(&self) -> ScopeKey {
        ScopeKey {
            range: self.range().map(|range| (range.start.0, range.end.0)),
            hidden: if self.tracks.hidden.is_empty() { 0 } else { self.tracks.hidden_revision() },
            search: self.search().map(|search| search.number),
        }
    }

    /// The scope without the selected range: what the overview shows.
    #[must_use]
    pub fn without_selection(&self) -> Self {
        Self { selected: None, ..self.clone() }
    }

    /// The scope with all threads, for counts of each thread.
    #[must_use]
    pub fn with_hidden(&self) -> Self {
        Self { tracks: Arc::default(), ..self.clone() }
    }

    /// Whether a thread is shown.
    #[must_use]
    pub fn shows(&self, thread: ThreadId) -> bool {
        !self.tracks.hidden.contains(&thread)
    }

    /// Number of candidates in a thread: its markers or those found, none if it is hidden. Not all need lie in the range.
    #[must_use]
    pub fn candidates(&self, profile: &Profile, thread: ThreadId) -> usize {
        match self.hits() {
            _ if !self.shows(thread) => 0,
            Some(hits) => hits.thread(thread).len(),
            None => profile.thread(thread).markers.len(),
        }
    }

    /// A candidate by position in time order.
    #[must_use]
    pub fn candidate(&self, thread: ThreadId, position: usize) -> LocalMarker {
        self.hits().map_or_else(|| LocalMarker::new(position), |hits| hits.thread(thread)[position])
    }

    /// Whether a marker lies in the range.
    #[must_use]
    pub fn is_in_range(&self, thread: &Thread, marker: LocalMarker) -> bool {
        let (starts, ends) = (&thread.markers.start, &thread.markers.end);
        self.range().is_none_or(|range| range.overlaps(starts[marker.index()], ends[marker.index()]))
    }

    /// Whether a marker is in the scope.
    #[must_use]
    pub fn contains(&self, profile: &Profile, thread: ThreadId, marker: LocalMarker) -> bool {
        self.shows(thread)
            && self.is_in_range(profile.thread(thread), marker)
            && self.hits().is_none_or(|hits| hits.contains(thread, marker))
    }

    /// Whether one of some markers is in the scope.
    #[must_use]
    pub fn contains_one_of(&self, profile: &Profile, markers: &[MarkerId]) -> bool {
        markers
            .iter()
            .filter_map(|marker| profile.locate(*marker))
            .any(|(thread, local)| self.contains(profile, thread, local))
    }

    /// How many markers of a row lie in the range. A row is sorted by start and by end.
    #[must_use]
    pub fn count_in_row(&self, thread: &Thread, row: &[LocalMarker]) -> usize {
        let Some(range) = self.range() else { return row.len() };
        let (starts, ends) = (&thread.markers.start, &thread.markers.end);
        let first = row.partition_point(|marker| {
            let (start, end) = (starts[marker.index()], ends[marker.index()]);
            end <= range.start && start < range.start
        });
        let end = row.partition_point(|marker| starts[marker.index()] < range.end);
        end.saturating_sub(first)
    }

    /// How many markers of a thread are in the scope, looked at one by one.
    #[must_use]
    pub fn count_in_thread(&self, profile: &Profile, id: ThreadId) -> usize {
        let (thread, count) = (profile.thread(id), self.candidates(profile, id));
        if self.range().is_none() {
            return count;
        }
        (0..count).filter(|position| self.is_in_range(thread, self.candidate(id, *position))).count()
    }

    /// How many markers of a thread are in the scope, as last counted; `None` before the first count.
    #[must_use]
    pub fn counted_in_thread(&self, profile: &Profile, id: ThreadId) -> Option<usize> {
        if self.range().is_none() {
            return Some(self.candidates(profile, id));
        }
        self.counts.as_ref()?.by_thread.get(id.index()).copied().filter(|_| self.shows(id))
    }

    /// How many markers are in the scope, as last counted; `None` before the first count.
    #[must_use]
    pub fn counted(&self, profile: &Profile) -> Option<usize> {
        if self.range().is_some() && self.counts.is_none() {
            return None;
        }
        Some(profile.threads_with_ids().filter_map(|(id, _)| self.counted_in_thread(profile, id)).sum())
    }

    /// The activity to show in the overview, and whether it is the one of this scope and not yet an older or a wider one.
    #[must_use]
    pub fn activity<'a>(&'a self, index: &'a Index) -> (&'a Activity, bool) {
        let key = self.without_selection().key();
        match &self.activity {
            _ if key == ScopeKey::default() => (index.activity(), true),
            Some(narrowed) => (&narrowed.activity, narrowed.key == key),
            None => (index.activity(), false),
        }
    }
}
