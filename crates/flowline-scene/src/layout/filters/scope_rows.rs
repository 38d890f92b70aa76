//! The markers of selected rows. They are collected on first use. This can take long, so it happens in the background.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

use super::search_view::SearchView;
use flowline_index::Index;
use flowline_index::hidden::FilteredRows;
use flowline_profile::{LocalMarker, ThreadId, get_or_build};
use flowline_view::{RowSelection, RowSet, TrackId};

/// Markers in ascending order, by thread.
type MarkersByThread = BTreeMap<ThreadId, Vec<LocalMarker>>;

/// The part of a thread that is in a scope, at any time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadPart<'a> {
    /// Nothing.
    Nothing,
    /// All markers.
    All,
    /// Some markers, ordered by number, which is also start order.
    Some(&'a [LocalMarker]),
}

impl ThreadPart<'_> {
    /// Number of markers, for a thread that has `all`.
    #[must_use]
    pub const fn len(self, all: usize) -> usize {
        match self {
            Self::Nothing => 0,
            Self::All => all,
            Self::Some(markers) => markers.len(),
        }
    }
}

/// Finds the markers of tracks of registered kinds, which are derived in the background.
#[derive(Clone, Copy)]
pub(crate) struct TrackMarkers {
    /// Number of kinds whose data has been derived.
    pub(crate) derived: usize,
    /// The markers on rows, by thread, ascending.
    pub(crate) find: fn(&Index, &BTreeMap<TrackId, RowSet>) -> MarkersByThread,
}

/// The selected rows of a scope.
pub(crate) struct ScopeRows {
    index: Arc<Index>,
    shown: Arc<FilteredRows>,
    choice: RowSelection,
    search: Option<Arc<SearchView>>,
    /// The markers on the selected rows of tracks of registered kinds, by thread, ascending.
    on_tracks: BTreeMap<ThreadId, Vec<LocalMarker>>,
    /// Number of kinds of tracks whose data had been derived.
    derived: usize,
    touched: BTreeSet<ThreadId>,
    /// For threads with only some rows selected: the markers of these rows that match the search.
    partial: BTreeMap<ThreadId, OnceLock<Vec<LocalMarker>>>,
}

impl fmt::Debug for ScopeRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScopeRows").field("choice", &self.choice).finish_non_exhaustive()
    }
}

impl ScopeRows {
    pub(crate) fn new(
        (index, shown): (&Arc<Index>, &Arc<FilteredRows>),
        choice: RowSelection,
        search: Option<Arc<SearchView>>,
        tracks: TrackMarkers,
    ) -> Self {
        let on_tracks = (tracks.find)(index, &choice.tracks);
        let partial = choice.rows.keys().map(|(thread, _)| *thread).chain(on_tracks.keys().copied());
        let partial = partial.filter(|thread| !choice.threads.contains(thread));
        let mut touched = choice.touched_threads();
        touched.extend(on_tracks.keys());
        Self {
            partial: partial.map(|thread| (thread, OnceLock::new())).collect(),
            touched,
            on_tracks,
            derived: tracks.derived,
            index: Arc::clone(index),
            shown: Arc::clone(shown),
            choice,
            search,
        }
    }

    /// The rows that were drawn at the time of the selection, or since the last change of hidden entries.
    pub(crate) fn shown(&self) -> &FilteredRows {
        &self.shown
    }

    /// Number of kinds of tracks whose data had been derived, if that can change the markers; else 0.
    pub(crate) fn derived(&self) -> usize {
        if self.choice.tracks.is_empty() { 0 } else { self.derived }
    }

    /// True if the markers of the selected rows are those that `tracks` finds.
    pub(crate) fn is_current(&self, tracks: TrackMarkers) -> bool {
        self.choice.tracks.is_empty() || self.derived == tracks.derived
    }

    /// The markers on the selected rows of tracks of registered kinds, by thread, ascending.
    pub(crate) const fn on_tracks(&self) -> &BTreeMap<ThreadId, Vec<LocalMarker>> {
        &self.on_tracks
    }

    /// The selected rows.
    pub(crate) const fn choice(&self) -> &RowSelection {
        &self.choice
    }

    /// The threads with a selected row, including rows of samples.
    pub(crate) const fn touched(&self) -> &BTreeSet<ThreadId> {
        &self.touched
    }

    /// True if markers of a thread are selected.
    pub(crate) fn has(&self, thread: ThreadId) -> bool {
        self.choice.threads.contains(&thread) || self.partial.contains_key(&thread)
    }

    /// The threads with only some rows selected.
    pub(crate) fn partial(&self) -> impl Iterator<Item = ThreadId> + '_ {
        self.partial.keys().copied()
    }

    /// True if only some rows of a thread are selected.
    pub(crate) fn is_partial(&self, thread: ThreadId) -> bool {
        self.partial.contains_key(&thread)
    }

    /// The markers of a thread with only some rows selected.
    pub(crate) fn markers(&self, thread: ThreadId) -> Option<&[LocalMarker]> {
        let markers = self.partial.get(&thread)?;
        Some(get_or_build(markers, || self.collect(thread)).as_slice())
    }

    fn collect(&self, thread: ThreadId) -> Vec<LocalMarker> {
        let mut markers = Vec::new();
        let of_thread = self.choice.rows.iter().filter(|((of, _), _)| *of == thread);
        for ((_, arrangement), rows) in of_thread {
            let shown = self.shown.layout(&self.index, *arrangement, thread);
            let layout = &shown.unwrap_or_else(|| self.index.layout(*arrangement).thread(thread)).rows;
            let numbers = rows.iter().map(|row| row as usize).take_while(|row| *row < layout.len());
            numbers.for_each(|row| markers.extend(layout.row(row)));
        }
        markers.extend(self.on_tracks.get(&thread).into_iter().flatten());
        if let Some(search) = &self.search {
            markers.retain(|marker| search.hits.contains(thread, *marker));
        }
        // Rows of two arrangements, and rows of tracks, can share markers.
        markers.sort_unstable();
        markers.dedup();
        markers
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use rayon::ThreadPoolBuilder;

    use super::*;
    use flowline_import::{Progress, read};
    use flowline_profile::{Arrangement, Profile};

    /// A trace of one thread with `markers` + 1 markers, in two rows by name; the second row is the longer one.
    fn uneven(markers: u64) -> Arc<Profile> {
        let mut text = String::from("[");
        for number in 0..=markers {
            let name = if number % 4 == 0 { "a" } else { "b" };
            let _ = writeln!(text, r#"{{"ph":"X","name":"{name}","ts":{},"dur":1,"pid":1,"tid":1}},"#, number * 3);
        }
        text.truncate(text.len() - 2);
        text.push(']');
        Arc::new(read(text.into_bytes().leak(), &Progress::default()).expect("a trace").profile)
    }

    #[test]
    fn a_job_that_collects_rows_does_not_wait_for_itself() {
        let markers = 200_000;
        let profile = uneven(markers);
        let pool = ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
        let thread = profile.threads.iter().position(|thread| !thread.markers.is_empty()).map(ThreadId::new);
        let thread = thread.expect("markers");
        let no_tracks = TrackMarkers { derived: 0, find: |_, _| BTreeMap::new() };
        // The first job builds the rows: one thread of the pool waits for the other one, which has the large row, and
        // runs another job meanwhile. The time of that moment is unknown, so the other jobs are spread over it.
        for round in 0..40 {
            let index = Arc::new(Index::build(Arc::clone(&profile), Arrangement::Stack));
            let mut choice = RowSelection::default();
            choice.add_rows(thread, Arrangement::ByName, 0..8);
            let rows = Arc::new(ScopeRows::new((&index, &Arc::default()), choice, None, no_tracks));
            let (sender, counts) = channel();
            let jobs = 4;
            for _ in 0..jobs {
                let (rows, sender) = (Arc::clone(&rows), sender.clone());
                pool.spawn_fifo(move || {
                    let count = rows.markers(thread).map(<[LocalMarker]>::len);
                    sender.send(count).expect("the test listens");
                });
                std::thread::sleep(Duration::from_micros(150 * round));
            }
            for _ in 0..jobs {
                let count = counts.recv_timeout(Duration::from_secs(100)).expect("the jobs wait for each other");
                assert_eq!(count, Some(usize::try_from(markers + 1).expect("few")));
            }
        }
    }
}
