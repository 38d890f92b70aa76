//! The rows of all threads in one arrangement, with their pyramids. The chart draws them and uses them for hit testing.

use std::sync::OnceLock;

use rayon::prelude::*;

use super::clock::Clock;
use super::pyramid::{Pyramid, RowItems, Scratch};
use super::span::{Packed, Span, Style};
use super::thread_rows::ThreadRows;
use crate::colors::Styles;
use flowline_profile::persist::persist;
use flowline_profile::{
    Arrangement, LocalMarker, Ns, Profile, Thread, ThreadId, Times, get_or_build, parallel_chunk_size,
};

/// The markers of a row by position, read from the thread's columns.
pub struct RowMarkers<'a> {
    times: Times<'a>,
    /// Styles of the thread's markers.
    styles: &'a [u16],
    clock: Clock,
    markers: &'a [LocalMarker],
    overlap: Overlap,
}

impl RowMarkers<'_> {
    /// Unclipped ticks and style of any marker of the thread, even if it is on another row.
    #[must_use]
    #[inline]
    pub fn packed_marker(&self, marker: LocalMarker) -> Packed {
        let (start, end) = self.ticks(marker);
        Packed::new(start, end, self.style(marker))
    }

    /// First and last tick of a marker.
    #[inline(always)]
    fn ticks(&self, marker: LocalMarker) -> (u64, u64) {
        let range = self.times.range(marker.index());
        (self.clock.tick(range.start), self.clock.tick(range.end))
    }

    #[inline]
    fn style(&self, marker: LocalMarker) -> Style {
        Style::from_bits(self.styles.get(marker.index()).copied().unwrap_or(0))
    }
}

impl RowItems for RowMarkers<'_> {
    #[inline]
    fn len(&self) -> usize {
        self.markers.len()
    }

    fn packed(&self, position: usize) -> Packed {
        let marker = self.markers[position];
        let (mut start, end) = self.ticks(marker);
        if self.overlap == Overlap::Clipped && position > 0 {
            start = start.max(self.ticks(self.markers[position - 1]).1);
        }
        Packed::new(start, end, self.style(marker))
    }

    fn pack_all(&self, items: &mut Vec<Packed>) {
        let mut until = 0;
        items.extend(self.markers.iter().map(|marker| {
            let (start, end) = self.ticks(*marker);
            let start = if self.overlap == Overlap::Clipped { start.max(until) } else { start };
            until = end;
            Packed::new(start, end, self.style(*marker))
        }));
    }

    #[inline]
    fn marker(&self, position: usize) -> LocalMarker {
        self.markers[position]
    }

    fn length_at(&self, position: usize, packed: Packed) -> u64 {
        match self.overlap {
            Overlap::None => packed.end().saturating_sub(packed.start()),
            Overlap::Clipped => self.length(self.markers[position]),
        }
    }

    #[inline]
    fn length(&self, marker: LocalMarker) -> u64 {
        let (start, end) = self.ticks(marker);
        end.saturating_sub(start)
    }
}

/// Treatment of overlapping markers of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overlap {
    /// Markers do not overlap.
    #[default]
    None,
    /// Markers may overlap, as in summary rows. Each marker is drawn from the end of the previous one.
    Clipped,
}
persist!(enum Overlap { 0 => None, 1 => Clipped });

/// The rows of a thread and a pyramid for each.
#[derive(Clone, Debug, Default)]
pub struct ThreadLayout {
    /// The markers of each row.
    pub rows: ThreadRows,
    pyramids: Vec<Pyramid>,
    overlap: Overlap,
}
persist!(ThreadLayout { rows, pyramids, overlap });

/// The data needed to read rows: the profile, the styles of its markers, and its clock.
#[derive(Clone, Copy, Debug)]
pub struct RowSource<'a> {
    /// The recording.
    pub profile: &'a Profile,
    /// Styles of its markers.
    pub styles: &'a Styles,
    /// Its clock.
    pub clock: Clock,
}

/// A thread outside the pool, such as the window's, builds so few rows by itself: the pool may be busy for long with the rest
/// of a recording.
const FEW_ROWS: usize = 2;

impl ThreadLayout {
    /// Builds the pyramids of rows.
    #[must_use]
    pub fn from_rows(source: RowSource<'_>, thread: &Thread, rows: ThreadRows, overlap: Overlap) -> Self {
        let mut layout = Self { rows, pyramids: Vec::new(), overlap };
        let pyramid = |scratch: &mut Scratch, row| Pyramid::build_with(scratch, &layout.items(source, thread, row));
        let count = layout.rows.len();
        let pyramids = if count <= FEW_ROWS && rayon::current_thread_index().is_none() {
            let mut scratch = Scratch::default();
            (0..count).map(|row| pyramid(&mut scratch, row)).collect()
        } else {
            (0..count).into_par_iter().map_init(Scratch::default, pyramid).collect()
        };
        layout.pyramids = pyramids;
        layout
    }

    /// A layout of other rows of the same thread. Unchanged rows reuse their pyramids.
    pub(crate) fn rebuilt(&self, source: RowSource<'_>, thread: &Thread, rows: ThreadRows) -> Self {
        let mut layout = Self { rows, pyramids: Vec::new(), overlap: self.overlap };
        let pyramid = |row: usize| {
            let is_same = row < self.rows.len() && self.rows.row(row) == layout.rows.row(row);
            let known = self.pyramids.get(row).filter(|_| is_same);
            known.cloned().unwrap_or_else(|| Pyramid::build(&layout.items(source, thread, row)))
        };
        let pyramids = (0..layout.rows.len()).into_par_iter().map(pyramid).collect();
        layout.pyramids = pyramids;
        layout
    }

    /// The markers of a row.
    #[must_use]
    pub fn items<'a>(&'a self, source: RowSource<'a>, thread: &'a Thread, row: usize) -> RowMarkers<'a> {
        RowMarkers {
            times: thread.markers.times(),
            styles: source.styles.bits_from(thread.first_marker, thread.markers.len()),
            clock: source.clock,
            markers: self.rows.row(row),
            overlap: self.overlap,
        }
    }

    /// The pyramid of a row.
    #[must_use]
    #[inline]
    pub fn pyramid(&self, row: usize) -> &Pyramid {
        &self.pyramids[row]
    }

    /// The spans of a row that touch a range of ticks, at `ticks_per_pixel`.
    #[must_use]
    pub fn spans(
        &self,
        source: RowSource<'_>,
        thread: &Thread,
        row: usize,
        ticks_per_pixel: f64,
        from: u64,
        to: u64,
    ) -> Vec<Span> {
        let mut spans = Vec::new();
        let items = self.items(source, thread, row);
        self.pyramids[row].visit_spans(&items, ticks_per_pixel, from, to, |span| spans.push(span));
        spans
    }

    /// The position of a marker on a row, if it is there.
    #[must_use]
    pub fn position(&self, thread: &Thread, row: usize, marker: LocalMarker) -> Option<usize> {
        let start = |marker: LocalMarker| thread.markers.start(marker);
        let markers = self.rows.row(row);
        let first = markers.partition_point(|&other| start(other) < start(marker));
        // Markers with equal starts are not ordered by number (longer ones come first).
        let mut same = markers[first..].iter().take_while(|&&other| start(other) == start(marker));
        Some(first + same.position(|&other| other == marker)?)
    }

    /// The row of a marker, and its position there.
    #[must_use]
    #[inline]
    pub fn find(&self, thread: &Thread, marker: LocalMarker) -> Option<(usize, usize)> {
        (0..self.rows.len()).find_map(|row| Some((row, self.position(thread, row, marker)?)))
    }

    /// True if every row has its pyramid.
    #[inline]
    pub(crate) fn is_consistent(&self) -> bool {
        let pyramids = self.pyramids.len() == self.rows.len() && self.pyramids.iter().all(Pyramid::is_consistent);
        pyramids && self.rows.is_consistent()
    }

    /// Heap bytes of the rows and of the pyramids.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> (usize, usize) {
        (self.rows.bytes(), self.pyramids.iter().map(Pyramid::bytes).sum())
    }
}

/// Maximum number of markers of a thread whose rows are built on first use instead of with the index. A recording may
/// have a million such threads, most of which are never viewed.
const FEW: usize = 64;

/// True if the rows of a thread are built on first use.
#[inline]
pub(crate) fn is_small(thread: &Thread) -> bool {
    thread.markers.len() <= FEW
}

/// The rows of all threads in one arrangement. A thread's rows are built on first use. Entries are boxed to stay small
/// because there may be a million threads.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    threads: Vec<OnceLock<Box<ThreadLayout>>>,
}
persist!(Layout { threads });

impl Layout {
    /// A layout in which no thread's rows are built yet.
    #[must_use]
    #[inline]
    pub(crate) fn empty(threads: usize) -> Self {
        Self { threads: (0..threads).map(|_| OnceLock::new()).collect() }
    }

    /// Builds the pyramids of the given rows, one entry per thread, in parallel. Threads without rows are built later.
    #[must_use]
    pub(crate) fn with_pyramids(source: RowSource<'_>, rows: Vec<Option<Box<ThreadRows>>>, overlap: Overlap) -> Self {
        let job_len = parallel_chunk_size(rows.len());
        let threads = rows.into_par_iter().zip(&source.profile.threads).with_max_len(job_len);
        let built = |(rows, thread): (Option<Box<ThreadRows>>, &Thread)| {
            let layout = |rows: Box<ThreadRows>| Box::new(ThreadLayout::from_rows(source, thread, *rows, overlap));
            rows.map_or_else(OnceLock::new, |rows| OnceLock::from(layout(rows)))
        };
        Self { threads: threads.map(built).collect() }
    }

    /// A thread's rows, if they are built.
    #[inline]
    pub(crate) fn if_built(&self, id: ThreadId) -> Option<&ThreadLayout> {
        self.threads.get(id.index())?.get().map(|layout| &**layout)
    }

    /// The summary rows of a thread, built on first use.
    pub(crate) fn summary(&self, source: RowSource<'_>, long: Ns, id: ThreadId) -> &ThreadLayout {
        get_or_build::<Box<ThreadLayout>>(&self.threads[id.index()], || {
            let thread = source.profile.thread(id);
            let rows = ThreadRows::summary(thread, long);
            Box::new(ThreadLayout::from_rows(source, thread, rows, Overlap::Clipped))
        })
    }

    /// A thread's rows, built on first use.
    pub(crate) fn thread(&self, source: RowSource<'_>, arrangement: Arrangement, id: ThreadId) -> &ThreadLayout {
        get_or_build::<Box<ThreadLayout>>(&self.threads[id.index()], || {
            let thread = source.profile.thread(id);
            let rows = ThreadRows::build(source.profile, thread, arrangement);
            Box::new(ThreadLayout::from_rows(source, thread, rows, Overlap::None))
        })
    }

    /// True if there is an entry for each of `threads` threads and all built entries are consistent.
    #[inline]
    pub(crate) fn is_consistent(&self, threads: usize) -> bool {
        let mut built = self.threads.iter().filter_map(OnceLock::get);
        self.threads.len() == threads && built.all(|layout| layout.is_consistent())
    }

    /// Heap bytes of rows and pyramids.
    #[inline]
    pub(crate) fn bytes(&self) -> (usize, usize) {
        let built = self.threads.iter().filter_map(OnceLock::get);
        built.map(|layout| layout.bytes()).fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
    }
}

/// The rows of a recording's threads in one arrangement.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// The arrangement.
    pub arrangement: Arrangement,
    pub(crate) source: RowSource<'a>,
    pub(crate) layout: &'a Layout,
}

impl<'a> Rows<'a> {
    /// A thread's rows, built on first use. Building can be slow in the arrangement that the recording did not open
    /// with, so the window uses [`Rows::if_built`] and builds rows on the pool.
    #[inline]
    pub fn thread(&self, id: ThreadId) -> &'a ThreadLayout {
        self.layout.thread(self.source, self.arrangement, id)
    }

    /// A thread's rows, if they are built or small enough to build immediately.
    #[must_use]
    #[inline]
    pub fn if_built(&self, id: ThreadId) -> Option<&'a ThreadLayout> {
        let is_small = || self.source.profile.threads.get(id.index()).is_some_and(is_small);
        self.layout.if_built(id).or_else(|| is_small().then(|| self.thread(id)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_profile::{CategoryId, Marker, MarkerFlags, MarkerTable, PayloadRef, StringId, TimeRange};

    #[test]
    fn pack_all_agrees_with_packing_each_item() {
        let mut random = fastrand::Rng::with_seed(3);
        let times: Vec<(i64, i64)> =
            (0..500).map(|_| (random.i64(0..4000), random.i64(0..200) * random.i64(0..2))).collect();
        let marker = |&(start, duration): &(i64, i64)| Marker {
            start: Ns(start),
            end: Ns(start + duration),
            name: StringId(0),
            category: CategoryId(0),
            kind: None,
            flags: MarkerFlags::default(),
            payload: PayloadRef::NONE,
            begin: PayloadRef::NONE,
            supplement: None,
        };
        let table = MarkerTable::build(times.iter().map(marker).collect());
        let markers: Vec<LocalMarker> = (0..table.len()).map(LocalMarker::new).collect();
        let styles: Vec<u16> = (0..500).map(|at| at % 16).collect();
        // Times before the clock's first tick or after its last tick are clamped.
        let mut clipped = 0;
        for range in [(0, 5000), (1000, 2000), (0, 1 << 50)] {
            let clock = Clock::covering(TimeRange::new(Ns(range.0), Ns(range.1)));
            for overlap in [Overlap::None, Overlap::Clipped] {
                let row = RowMarkers { times: table.times(), styles: &styles, clock, markers: &markers, overlap };
                let mut packed = Vec::new();
                row.pack_all(&mut packed);
                assert!(packed.iter().copied().eq((0..row.len()).map(|position| row.packed(position))), "{range:?}");
                for (position, packed) in packed.iter().enumerate() {
                    assert_eq!(row.length_at(position, *packed), row.length(row.marker(position)));
                    clipped += usize::from(packed.start() > row.packed_marker(row.marker(position)).start());
                }
            }
        }
        assert!(clipped > 100, "{clipped} markers were clipped");
    }
}
