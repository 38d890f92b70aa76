//! The subject of statistics: a set of markers of a recording, independent of the way it was selected.

use std::borrow::Cow;

use crate::Index;
use crate::search::Hits;
use crate::work::WorkSlices;
use flowline_profile::{Arrangement, LocalMarker, MarkerFlags, MarkerId, Profile, Thread, ThreadId, TimeRange};

/// The tracks of a subject.
#[derive(Clone, Copy, Debug, Default)]
pub enum Tracks<'a> {
    /// All threads.
    #[default]
    All,
    /// The given threads. Duplicates count once.
    Threads(&'a [ThreadId]),
    /// The given rows of an arrangement: thread, and row number in the thread.
    Rows(Arrangement, &'a [(ThreadId, usize)]),
}

/// The rule by which markers belong to a time range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RangeRule {
    /// Markers that start in the range. Each marker belongs to exactly one of several adjacent ranges.
    #[default]
    StartsInside,
    /// Markers that overlap the range ([`TimeRange::overlaps`]).
    Overlaps,
}

/// The markers that statistics are computed from: tracks x time x search.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    profile: &'a Profile,
    range: Option<TimeRange>,
    rule: RangeRule,
    span: TimeRange,
    pub(super) threads: Vec<ThreadPart<'a>>,
    /// True if the tracks include a thread of a program, whether it has candidates or not.
    pub(super) has_threads: bool,
    /// Threads that belong to the subject as a whole but have no candidates. Their samples count in summaries.
    pub(super) bare: Vec<ThreadId>,
}

/// The candidates of a thread.
#[derive(Clone, Debug)]
pub(super) struct ThreadPart<'a> {
    pub(super) id: ThreadId,
    pub(super) thread: &'a Thread,
    /// The markers that match the rows and the search, ascending; `None` for all.
    chosen: Option<Cow<'a, [LocalMarker]>>,
    /// Positions of the candidates: markers that start before the range ends and, with [`RangeRule::StartsInside`], not
    /// before it starts.
    pub(super) from: usize,
    pub(super) to: usize,
}

/// A marker that belongs to the subject.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) marker: LocalMarker,
    pub(super) start: i64,
    pub(super) end: i64,
    /// The part inside the range.
    pub(super) inside: (i64, i64),
    pub(super) flags: MarkerFlags,
}

impl Member {
    /// Its whole duration in nanoseconds; `None` for an instant.
    #[inline]
    pub(super) fn length(&self) -> Option<u64> {
        (!self.flags.has(MarkerFlags::INSTANT)).then(|| self.end.saturating_sub(self.start).max(0).cast_unsigned())
    }
}

impl ThreadPart<'_> {
    /// A candidate by position.
    #[inline]
    pub(super) fn marker(&self, position: usize) -> LocalMarker {
        match &self.chosen {
            None => LocalMarker::new(position),
            Some(chosen) => chosen[position],
        }
    }

    /// True if all markers of the thread are candidates at some time.
    pub(super) const fn is_whole(&self) -> bool {
        self.chosen.is_none()
    }

    /// The start of a candidate.
    #[inline]
    pub(super) fn start(&self, position: usize) -> i64 {
        self.thread.markers.start(self.marker(position)).0
    }

    /// The position of a marker among the candidates.
    pub(super) fn position(&self, marker: LocalMarker) -> Option<usize> {
        let position = match &self.chosen {
            None => marker.index(),
            Some(chosen) => chosen.binary_search(&marker).ok()?,
        };
        (self.from..self.to).contains(&position).then_some(position)
    }

    /// The first position in `from..to` whose candidate starts at or after a time.
    pub(super) fn first_at(&self, time: i64, from: usize, to: usize) -> usize {
        let starts_before = |marker: LocalMarker| self.thread.markers.start(marker).0 < time;
        match &self.chosen {
            None => self.thread.markers.times().partition_point_in(from..to, |start| start.0 < time),
            Some(chosen) => from + chosen[from..to].partition_point(|marker| starts_before(*marker)),
        }
    }
}

impl<'a> Subject<'a> {
    /// All markers of a recording.
    #[must_use]
    #[inline]
    pub fn everything(index: &'a Index) -> Self {
        Self::new(index, Tracks::All, None, RangeRule::default(), None)
    }

    /// The markers of some tracks, in a time range if one is given, that match a search if one is given.
    #[must_use]
    pub fn new(
        index: &'a Index,
        tracks: Tracks<'_>,
        range: Option<TimeRange>,
        rule: RangeRule,
        hits: Option<&'a Hits>,
    ) -> Self {
        let profile: &'a Profile = index.profile();
        let rows = rows_by_thread(index, tracks);
        let mut is_named = vec![false; profile.threads.len()];
        if let Tracks::Threads(ids) = tracks {
            for id in ids {
                if let Some(named) = is_named.get_mut(id.index()) {
                    *named = true;
                }
            }
        }
        let mut parts = Vec::new();
        for (id, _) in profile.threads_with_ids() {
            let is_selected_row = match tracks {
                Tracks::All => true,
                Tracks::Threads(_) => is_named[id.index()],
                Tracks::Rows(..) => rows.get(id.index()).is_some_and(Option::is_some),
            };
            if !is_selected_row {
                continue;
            }
            let found = hits.map(|hits| hits.thread(id));
            let chosen = match (rows.get(id.index()).cloned().flatten(), found) {
                (None, found) => found.map(Cow::Borrowed),
                (Some(row), None) => Some(Cow::Owned(row)),
                (Some(mut row), Some(found)) => {
                    row.retain(|marker| found.binary_search(marker).is_ok());
                    Some(Cow::Owned(row))
                }
            };
            parts.push((id, chosen));
        }
        Self::of_parts(index, parts, range, rule)
    }

    /// Parts of threads in a time range: for each thread, markers in ascending order, or all markers.
    #[must_use]
    pub fn of_parts(
        index: &'a Index,
        parts: Vec<(ThreadId, Option<Cow<'a, [LocalMarker]>>)>,
        range: Option<TimeRange>,
        rule: RangeRule,
    ) -> Self {
        let profile: &'a Profile = index.profile();
        let is_own = |(id, _): &(ThreadId, _)| {
            profile.is_thread(*id) && !WorkSlices::of(profile, profile.thread(*id)).is_stream()
        };
        let has_threads = parts.iter().any(is_own);
        let (mut threads, mut bare) = (Vec::new(), Vec::new());
        for (id, chosen) in parts {
            let thread = profile.thread(id);
            let to = chosen.as_ref().map_or(thread.markers.len(), |chosen| chosen.len());
            let mut part = ThreadPart { id, thread, chosen, from: 0, to };
            if let Some(range) = range {
                part.to = part.first_at(range.end.0, 0, part.to);
                if rule == RangeRule::StartsInside {
                    part.from = part.first_at(range.start.0, 0, part.to);
                }
            }
            if part.from < part.to {
                threads.push(part);
            } else if part.is_whole() {
                bare.push(id);
            }
        }
        Self { profile, range, rule, span: range.unwrap_or(index.extent()), threads, has_threads, bare }
    }

    /// The recording.
    #[must_use]
    #[inline]
    pub const fn profile(&self) -> &'a Profile {
        self.profile
    }

    /// The time range, if there is one.
    #[must_use]
    #[inline]
    pub const fn range(&self) -> Option<TimeRange> {
        self.range
    }

    /// The rule by which markers belong to the range.
    #[must_use]
    #[inline]
    pub const fn rule(&self) -> RangeRule {
        self.rule
    }

    /// The time span of the subject: its range, or the whole recording.
    #[must_use]
    #[inline]
    pub const fn span(&self) -> TimeRange {
        self.span
    }

    /// All markers of the subject, thread by thread.
    pub fn markers(&self) -> impl Iterator<Item = MarkerId> + '_ {
        self.threads.iter().flat_map(move |part| {
            let members = (part.from..part.to).filter_map(move |position| self.member(part, position));
            members.map(move |member| part.thread.global(member.marker))
        })
    }

    /// Number of candidates, which is an upper bound of the number of markers.
    #[inline]
    pub(super) fn candidates(&self) -> usize {
        self.threads.iter().map(|part| part.to - part.from).sum()
    }

    /// A candidate, if it is in the range.
    #[inline(always)]
    pub(super) fn member(&self, part: &ThreadPart<'_>, position: usize) -> Option<Member> {
        let marker = part.marker(position);
        let markers = &part.thread.markers;
        let (start, end) = (markers.start(marker), markers.end(marker));
        let mut inside = (start.0, end.0);
        if let Some(range) = self.range {
            if self.rule == RangeRule::Overlaps && !range.overlaps(start, end) {
                return None;
            }
            inside = (start.0.max(range.start.0), end.0.min(range.end.0));
        }
        Some(Member { marker, start: start.0, end: end.0, inside, flags: markers.flags(marker) })
    }
}

/// The markers of the selected rows of each thread, ascending; `None` for threads without a selected row. Empty unless
/// `tracks` selects rows.
fn rows_by_thread(index: &Index, tracks: Tracks<'_>) -> Vec<Option<Vec<LocalMarker>>> {
    let Tracks::Rows(arrangement, chosen) = tracks else { return Vec::new() };
    let mut chosen = chosen.to_vec();
    chosen.sort_unstable();
    chosen.dedup();
    let mut rows = vec![None; index.profile().threads.len()];
    let layout = index.layout(arrangement);
    for (id, row) in chosen {
        let Some(slot) = rows.get_mut(id.index()) else { continue };
        let all = &layout.thread(id).rows;
        let markers: &mut Vec<LocalMarker> = slot.get_or_insert_default();
        if row < all.len() {
            markers.extend_from_slice(all.row(row));
        }
    }
    rows.iter_mut().flatten().for_each(|markers| markers.sort_unstable());
    rows
}
