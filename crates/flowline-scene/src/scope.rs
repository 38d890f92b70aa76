//! What everything is narrowed to. Chart, tables, counts, overview and lists of flows read this one value, so that they cannot
//! disagree.
//!
//! A scope is tracks x time x search. A marker is in it if its track is, if it lies in the range at least in part, and if the
//! search found it. The tracks are the chosen rows, else the picked threads, else all threads; never hidden ones.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::SearchView;
use super::scope_rows::{ScopeRows, ThreadPart};
use super::track_counts::TrackCounts;
use flowline_index::hidden::ShownRows;
use flowline_index::search::Hits;
use flowline_index::{Activity, Index};
use flowline_profile::{CounterId, LocalMarker, MarkerId, Profile, Thread, ThreadId, TimeRange};
use flowline_view::{Chosen, RowChoice, Tracks, ViewState};

/// What everything is narrowed to; by default to nothing.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// What the axis can show: the whole recording, or two of them.
    extent: Option<TimeRange>,
    selected: Option<TimeRange>,
    committed: Option<TimeRange>,
    tracks: Arc<Tracks>,
    /// What was chosen of the tracks, hidden threads included.
    chosen: Arc<Chosen>,
    /// The picked threads that are shown, unless there are none, or rows are chosen.
    picked: Option<Arc<BTreeSet<ThreadId>>>,
    /// The chosen rows that are shown.
    rows: Option<Arc<ScopeRows>>,
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
    /// The choice of threads and that of rows, as far as they matter; 0 for none.
    picked: u64,
    rows: u64,
    /// Changes of hidden entries, if rows are chosen.
    shown: u64,
    search: Option<u64>,
}

impl ScopeKey {
    /// Whether a range narrows the scope.
    #[must_use]
    pub const fn has_range(&self) -> bool {
        self.range.is_some()
    }
}

/// How many markers of each thread lie in the range of a scope and are found by its search, hidden or not. Counting them takes
/// too long for a frame, so they are counted in the background.
#[derive(Clone, Debug, Default)]
pub struct ScopeCounts {
    /// What was counted: [`Scope::with_all_threads`].
    pub key: ScopeKey,
    /// Numbers of markers, by thread, whichever rows are chosen.
    pub by_thread: Vec<usize>,
    /// Numbers of markers on the chosen rows, of threads of which only some rows are chosen.
    pub by_rows: BTreeMap<ThreadId, usize>,
    /// What lies in the range besides markers.
    pub tracks: Option<TrackCounts>,
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
        let (tracks, chosen) = (Arc::clone(&view.tracks), Arc::clone(&view.chosen));
        let (counts, activity) = (None, None);
        let extent = Some(view.bounds().extent);
        Self { extent, selected, committed, tracks, chosen, picked: None, rows: None, search, counts, activity }
    }

    /// Narrows it to the chosen rows or threads. `before` is an earlier scope, whose collected rows are kept if they are
    /// the same.
    #[must_use]
    pub(super) fn narrowed_to_tracks(mut self, index: &Arc<Index>, shown: &Arc<ShownRows>, before: &Self) -> Self {
        if self.chosen.is_empty() {
            return self;
        }
        let track_key = |scope: &Self| {
            let search = scope.search.as_ref().map(|search| search.number);
            (scope.chosen.revision(), scope.tracks.hidden_revision(), search)
        };
        let is_shown_so = before.rows.as_ref().is_none_or(|rows| rows.shown().number == shown.number);
        if track_key(&self) == track_key(before) && is_shown_so {
            (self.picked, self.rows) = (before.picked.clone(), before.rows.clone());
            return self;
        }
        let mut rows = self.chosen.rows.clone();
        rows.remove_threads(&self.tracks.hidden);
        if rows.is_empty() {
            let picked: BTreeSet<ThreadId> = self.chosen.threads.difference(&self.tracks.hidden).copied().collect();
            self.picked = (!picked.is_empty()).then(|| Arc::new(picked));
        } else {
            self.rows = Some(Arc::new(ScopeRows::new((index, shown), rows, self.search.clone())));
        }
        self
    }

    /// The chosen rows, if it is about rows.
    #[must_use]
    pub fn rows(&self) -> Option<&RowChoice> {
        self.rows.as_ref().map(|rows| rows.choice())
    }

    /// The picked threads, if it is about threads.
    #[must_use]
    pub fn picked(&self) -> Option<&BTreeSet<ThreadId>> {
        self.picked.as_deref()
    }

    /// The threads that were chosen, by picking them or by choosing one of their rows, perhaps one of samples; `None` for
    /// all.
    #[must_use]
    pub fn chosen_threads(&self) -> Option<&BTreeSet<ThreadId>> {
        self.rows.as_ref().map(|rows| rows.touched()).or(self.picked())
    }

    /// Whether a counter is in it: with chosen rows, only if its row is among them; with picked threads, none is.
    #[must_use]
    pub fn has_counter(&self, counter: CounterId) -> bool {
        match self.rows() {
            Some(rows) => rows.counters.contains(&counter),
            None => self.picked.is_none(),
        }
    }

    /// Whether a thread is in it: shown, and picked or with a chosen row of markers if anything is chosen.
    #[must_use]
    pub fn has(&self, thread: ThreadId) -> bool {
        let is_chosen = match (&self.rows, &self.picked) {
            (Some(rows), _) => rows.has(thread),
            (None, Some(picked)) => picked.contains(&thread),
            (None, None) => true,
        };
        is_chosen && self.shows(thread)
    }

    /// Which markers of a thread are in it by their track and by the search; [`Scope::is_in_range`] says whether they are
    /// by their time. Collecting the markers of rows may take long.
    #[must_use]
    pub fn part(&self, thread: ThreadId) -> ThreadPart<'_> {
        if !self.has(thread) {
            return ThreadPart::Nothing;
        }
        let rows = self.rows.as_ref().and_then(|rows| rows.markers(thread));
        rows.or_else(|| Some(self.hits()?.thread(thread))).map_or(ThreadPart::All, ThreadPart::Some)
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

    /// The range that the overview shows: the committed one, or everything that the axis can show.
    #[must_use]
    pub fn overview(&self, index: &Index) -> TimeRange {
        self.committed.or(self.extent).unwrap_or(index.extent())
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
        let revision = |is_effective: bool| if is_effective { self.chosen.revision() } else { 0 };
        ScopeKey {
            range: self.range().map(|range| (range.start.0, range.end.0)),
            hidden: if self.tracks.hidden.is_empty() { 0 } else { self.tracks.hidden_revision() },
            picked: revision(self.picked.is_some()),
            rows: revision(self.rows.is_some()),
            shown: self.rows.as_ref().map_or(0, |rows| rows.shown().number),
            search: self.search().map(|search| search.number),
        }
    }

    /// The scope without the selected range: what the overview shows.
    #[must_use]
    pub fn without_selection(&self) -> Self {
        Self { selected: None, ..self.clone() }
    }

    /// The scope with all threads, for counts of each thread; rows stay.
    #[must_use]
    pub fn with_all_threads(&self) -> Self {
        Self { tracks: Arc::default(), picked: None, ..self.clone() }
    }

    /// The scope with all tracks.
    #[must_use]
    pub fn with_all_tracks(&self) -> Self {
        Self { rows: None, ..self.with_all_threads() }
    }

    /// The threads of which only some rows are in it.
    pub fn partial_threads(&self) -> impl Iterator<Item = ThreadId> + '_ {
        self.rows.iter().flat_map(|rows| rows.partial())
    }

    /// Whether markers must be looked at to count them.
    #[must_use]
    pub fn needs_counting(&self) -> bool {
        self.range().is_some() || self.partial_threads().next().is_some()
    }

    /// Whether a thread is shown.
    #[must_use]
    pub fn shows(&self, thread: ThreadId) -> bool {
        !self.tracks.hidden.contains(&thread)
    }

    /// Number of candidates in a thread: its markers in the scope, whatever their time.
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

    /// Whether a marker lies in the range.
    #[must_use]
    pub fn is_in_range(&self, thread: &Thread, marker: LocalMarker) -> bool {
        let own = thread.markers.range(marker);
        self.range().is_none_or(|range| range.overlaps(own.start, own.end))
    }

    /// Whether a marker is in the scope.
    #[must_use]
    pub fn contains(&self, profile: &Profile, thread: ThreadId, marker: LocalMarker) -> bool {
        self.is_in_range(profile.thread(thread), marker)
            && match self.part(thread) {
                ThreadPart::Nothing => false,
                ThreadPart::All => true,
                ThreadPart::Some(markers) => markers.binary_search(&marker).is_ok(),
            }
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
        count_overlapping(thread, row, self.range())
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

    /// How many markers of a thread are in the range and found, on whichever row, as last counted; `None` before the first
    /// count.
    #[must_use]
    pub fn counted_in_thread(&self, profile: &Profile, id: ThreadId) -> Option<usize> {
        if self.range().is_none() {
            let all = profile.thread(id).markers.len();
            return Some(self.hits().map_or(all, |hits| hits.thread(id).len()));
        }
        self.counts.as_ref()?.by_thread.get(id.index()).copied()
    }

    /// What lies in the range besides markers, as last counted; `None` before the first count, and without a range.
    #[must_use]
    pub fn counted_tracks(&self) -> Option<&TrackCounts> {
        self.range()?;
        self.counts.as_ref()?.tracks.as_ref()
    }

    /// How many markers are in the scope, as last counted; `None` before the first count.
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

/// How many markers of a row, which is sorted by start and by end, lie in a range.
pub(super) fn count_overlapping(thread: &Thread, row: &[LocalMarker], range: Option<TimeRange>) -> usize {
    let Some(range) = range else { return row.len() };
    let times = thread.markers.times();
    let first = row.partition_point(|marker| {
        let own = times.range(marker.index());
        own.end <= range.start && own.start < range.start
    });
    let end = row.partition_point(|marker| times.start(marker.index()) < range.end);
    end.saturating_sub(first)
}
