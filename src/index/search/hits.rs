//! The markers a search found, and the rows they are drawn on.

use rayon::prelude::*;

use crate::index::layout::{RowSource, Rows, ThreadLayout};
use crate::index::rows::ThreadRows;
use crate::profile::{LocalMarker, MarkerId, Ns, Profile, ThreadId};

/// The markers that match, by thread, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    by_thread: Vec<Vec<LocalMarker>>,
    total: usize,
}

impl Hits {
    pub(super) fn new(by_thread: Vec<Vec<LocalMarker>>) -> Self {
        let total = by_thread.iter().map(Vec::len).sum();
        Self { by_thread, total }
    }

    /// Number of markers found.
    #[must_use]
    pub const fn total(&self) -> usize {
        self.total
    }

    /// The markers found in a thread.
    #[must_use]
    pub fn thread(&self, thread: ThreadId) -> &[LocalMarker] {
        self.by_thread.get(thread.index()).map_or(&[], Vec::as_slice)
    }

    /// Whether a marker was found.
    #[must_use]
    pub fn contains(&self, thread: ThreadId, marker: LocalMarker) -> bool {
        self.thread(thread).binary_search(&marker).is_ok()
    }

    /// All markers found, in the order of their ids.
    pub fn iter<'a>(&'a self, profile: &'a Profile) -> impl Iterator<Item = MarkerId> + 'a {
        let of_thread = |(thread, markers): (&'a crate::profile::Thread, &'a Vec<LocalMarker>)| {
            markers.iter().map(|marker| thread.global(*marker))
        };
        profile.threads.iter().zip(&self.by_thread).flat_map(of_thread)
    }

    /// The hit after (or before) a marker in time, ties broken by marker id; wraps around.
    #[must_use]
    pub fn step(&self, profile: &Profile, from: Option<MarkerId>, forward: bool) -> Option<MarkerId> {
        let key = |id: MarkerId| {
            profile.locate(id).map(|(thread, marker)| (profile.thread(thread).markers.start[marker.index()], id))
        };
        let here = from.and_then(key);
        let keys = || self.iter(profile).filter_map(key);
        let found = match (here, forward) {
            (Some(here), true) => keys().filter(|key| *key > here).min(),
            (Some(here), false) => keys().filter(|key| *key < here).max(),
            (None, _) => None,
        };
        let wrapped = || if forward { keys().min() } else { keys().max() };
        found.or_else(wrapped).map(|(_, id)| id)
    }
}

/// The hits on the rows of a layout, each row with a pyramid of its own hits; row numbers are the layout's.
#[derive(Clone, Debug, Default)]
pub struct HitLayout {
    threads: Vec<Option<(ThreadLayout, ThreadLayout)>>,
}

impl HitLayout {
    /// Builds for all threads that have hits, in parallel; where a thread's rows are not made, for its collapsed line only.
    /// `long` as for [`ThreadRows::summary`].
    #[must_use]
    pub fn build(source: RowSource<'_>, layout: Rows<'_>, hits: &Hits, long: Ns) -> Self {
        let of_thread = |(id, thread): (ThreadId, &crate::profile::Thread)| {
            let found = hits.thread(id);
            if found.is_empty() {
                return None;
            }
            let mut is_hit = vec![false; thread.markers.len()];
            for marker in found {
                is_hit[marker.index()] = true;
            }
            let keep = |marker: LocalMarker| is_hit[marker.index()];
            let rows = layout.made(id).map(|made| made.rows.filtered(keep)).unwrap_or_default();
            let summary = ThreadRows::summary_of(thread, long, found.iter().copied());
            Some((
                ThreadLayout::from_rows(source, thread, rows, false),
                ThreadLayout::from_rows(source, thread, summary, true),
            ))
        };
        let threads: Vec<_> = source.profile.threads_with_ids().collect();
        Self { threads: threads.into_par_iter().with_max_len(1).map(of_thread).collect() }
    }

    /// The hits on a thread's rows; `None` when it has none.
    #[must_use]
    pub fn thread(&self, id: ThreadId) -> Option<&ThreadLayout> {
        self.threads.get(id.index())?.as_ref().map(|(rows, _)| rows)
    }

    /// The hits on a collapsed thread's row.
    #[must_use]
    pub fn summary(&self, id: ThreadId) -> Option<&ThreadLayout> {
        self.threads.get(id.index())?.as_ref().map(|(_, summary)| summary)
    }
}
