//! Search results: the matching markers and the rows that draw them.

use rayon::prelude::*;

use crate::rows::{Overlap, RowSource, Rows, ThreadLayout, ThreadRows};
use flowline_profile::{Direction, LocalMarker, MarkerId, Ns, Profile, ThreadId};

/// The matching markers by thread, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    by_thread: Vec<Vec<LocalMarker>>,
    total: usize,
}

impl Hits {
    #[inline]
    pub(super) fn new(by_thread: Vec<Vec<LocalMarker>>) -> Self {
        let total = by_thread.iter().map(Vec::len).sum();
        Self { by_thread, total }
    }

    /// Number of hits.
    #[must_use]
    #[inline]
    pub const fn total(&self) -> usize {
        self.total
    }

    /// The hits in a thread.
    #[must_use]
    #[inline]
    pub fn thread(&self, thread: ThreadId) -> &[LocalMarker] {
        self.by_thread.get(thread.index()).map_or(&[], Vec::as_slice)
    }

    /// True if a marker is a hit.
    #[must_use]
    #[inline]
    pub fn contains(&self, thread: ThreadId, marker: LocalMarker) -> bool {
        self.thread(thread).binary_search(&marker).is_ok()
    }

    /// All hits, in the order of their ids.
    pub fn iter<'a>(&'a self, profile: &'a Profile) -> impl Iterator<Item = MarkerId> + 'a {
        let of_thread = |(thread, markers): (&'a flowline_profile::Thread, &'a Vec<LocalMarker>)| {
            markers.iter().map(|marker| thread.global(*marker))
        };
        profile.threads.iter().zip(&self.by_thread).flat_map(of_thread)
    }

    /// The next or previous hit in time; ties are broken by marker id. Wraps around. Without a marker, returns the
    /// first or last hit.
    #[must_use]
    #[inline]
    pub fn step(&self, profile: &Profile, from: Option<MarkerId>, direction: Direction) -> Option<MarkerId> {
        self.step_among(profile, from, direction, |_, _| true)
    }

    /// Like [`Hits::step`], among the hits that `keep` accepts.
    #[must_use]
    pub fn step_among(
        &self,
        profile: &Profile,
        from: Option<MarkerId>,
        direction: Direction,
        keep: impl Fn(ThreadId, LocalMarker) -> bool,
    ) -> Option<MarkerId> {
        let key = |id: MarkerId| {
            profile.locate(id).map(|(thread, marker)| (profile.thread(thread).markers.start(marker), id))
        };
        let here = from.and_then(key);
        let is_kept = |id: &MarkerId| profile.locate(*id).is_some_and(|(thread, marker)| keep(thread, marker));
        let keys = || self.iter(profile).filter(is_kept).filter_map(key);
        let found = here.and_then(|here| match direction {
            Direction::Back => keys().filter(|key| *key < here).max(),
            Direction::Forward => keys().filter(|key| *key > here).min(),
        });
        let wrapped = || match direction {
            Direction::Back => keys().max(),
            Direction::Forward => keys().min(),
        };
        found.or_else(wrapped).map(|(_, id)| id)
    }

    /// The position of a hit in the order of [`Hits::step_among`], from 1; `None` if the marker is not a hit that
    /// `keep` accepts.
    #[must_use]
    pub fn rank_among(
        &self,
        profile: &Profile,
        marker: MarkerId,
        keep: impl Fn(ThreadId, LocalMarker) -> bool,
    ) -> Option<usize> {
        let start = |id: MarkerId| profile.locate(id).map(|(thread, at)| profile.thread(thread).markers.start(at));
        let is_kept = |id: &MarkerId| profile.locate(*id).is_some_and(|(thread, at)| keep(thread, at));
        let here = (start(marker)?, marker);
        let (mut before, mut is_hit) = (0, false);
        for id in self.iter(profile).filter(is_kept) {
            is_hit |= id == marker;
            before += usize::from(start(id).is_some_and(|start| (start, id) < here));
        }
        is_hit.then_some(before + 1)
    }
}

/// The hits on the rows of a layout, with the same row numbers. Every row has a pyramid of its hits.
#[derive(Clone, Debug, Default)]
pub struct HitLayout {
    threads: Vec<Option<(ThreadLayout, ThreadLayout)>>,
}

impl HitLayout {
    /// Builds the rows of all threads that have hits, in parallel. A thread whose rows are not built yet gets only its
    /// summary rows. `long` has the same meaning as in [`ThreadRows::summary`].
    #[must_use]
    #[inline]
    pub fn build(source: RowSource<'_>, layout: Rows<'_>, hits: &Hits, long: Ns) -> Self {
        Self::build_on(source, &|thread| layout.if_built(thread), &|_, _| true, hits, long)
    }

    /// Like [`HitLayout::build`], on the rows that `layout` returns. Summary rows contain only hits for which
    /// `is_shown` returns true.
    #[must_use]
    pub fn build_on<'a>(
        source: RowSource<'_>,
        layout: &(dyn Fn(ThreadId) -> Option<&'a ThreadLayout> + Sync),
        is_shown: &(dyn Fn(ThreadId, LocalMarker) -> bool + Sync),
        hits: &Hits,
        long: Ns,
    ) -> Self {
        let of_thread = |(id, thread): (ThreadId, &flowline_profile::Thread)| {
            let found = hits.thread(id);
            if found.is_empty() {
                return None;
            }
            let mut is_hit = vec![false; thread.markers.len()];
            for marker in found {
                is_hit[marker.index()] = true;
            }
            let keep = |marker: LocalMarker| is_hit[marker.index()];
            let rows = layout(id).map(|built| built.rows.filtered(keep)).unwrap_or_default();
            let shown = found.iter().copied().filter(|marker| is_shown(id, *marker));
            let summary = ThreadRows::summary_for(thread, long, shown);
            Some((
                ThreadLayout::from_rows(source, thread, rows, Overlap::None),
                ThreadLayout::from_rows(source, thread, summary, Overlap::Clipped),
            ))
        };
        let threads: Vec<_> = source.profile.threads_with_ids().collect();
        Self { threads: threads.into_par_iter().with_max_len(1).map(of_thread).collect() }
    }

    /// The hits on a thread's rows; `None` if the thread has no hits.
    #[must_use]
    #[inline]
    pub fn thread(&self, id: ThreadId) -> Option<&ThreadLayout> {
        self.threads.get(id.index())?.as_ref().map(|(rows, _)| rows)
    }

    /// The hits on the summary rows of a collapsed thread.
    #[must_use]
    #[inline]
    pub fn summary(&self, id: ThreadId) -> Option<&ThreadLayout> {
        self.threads.get(id.index())?.as_ref().map(|(_, summary)| summary)
    }
}
