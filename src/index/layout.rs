//! The rows of all threads in one arrangement, with their pyramids: what the chart draws and hits.

use std::sync::OnceLock;

use rayon::prelude::*;

use super::clock::Clock;
use super::pyramid::{Pyramid, RowItems};
use super::rows::ThreadRows;
use super::span::{Packed, Span, Style};
use super::style::Styles;
use crate::profile::persist::persist;
use crate::profile::{Arrangement, LocalMarker, Ns, Profile, Thread, ThreadId};

/// A row as the pyramid sees it: markers by position over the thread's columns.
pub struct RowMarkers<'a> {
    // Slices, looked up once: rows are read item by item.
    starts: &'a [Ns],
    ends: &'a [Ns],
    /// Styles of the thread's markers.
    styles: &'a [u16],
    clock: Clock,
    markers: &'a [LocalMarker],
    /// Items begin where the one before ended (summary rows, whose markers overlap).
    clipped: bool,
}

impl RowMarkers<'_> {
    /// Ticks and style of any marker of the thread, unclipped, whether it stands on this row or not.
    #[must_use]
    pub fn packed_marker(&self, marker: LocalMarker) -> Packed {
        let tick = |time| self.clock.tick(time);
        Packed::new(tick(self.starts[marker.index()]), tick(self.ends[marker.index()]), self.style(marker))
    }

    fn style(&self, marker: LocalMarker) -> Style {
        Style::from_bits(self.styles.get(marker.index()).copied().unwrap_or(0))
    }
}

impl RowItems for RowMarkers<'_> {
    fn len(&self) -> usize {
        self.markers.len()
    }

    fn packed(&self, position: usize) -> Packed {
        let marker = self.markers[position];
        let mut start = self.clock.tick(self.starts[marker.index()]);
        if self.clipped && position > 0 {
            start = start.max(self.clock.tick(self.ends[self.markers[position - 1].index()]));
        }
        let end = self.clock.tick(self.ends[marker.index()]);
        Packed::new(start, end, self.style(marker))
    }

    fn marker(&self, position: usize) -> LocalMarker {
        self.markers[position]
    }

    fn length(&self, marker: LocalMarker) -> u64 {
        let (start, end) = (self.starts[marker.index()], self.ends[marker.index()]);
        self.clock.tick(end).saturating_sub(self.clock.tick(start))
    }
}

/// The rows of a thread and a pyramid for each.
#[derive(Clone, Debug, Default)]
pub struct ThreadLayout {
    /// Which markers stand where.
    pub rows: ThreadRows,
    pyramids: Vec<Pyramid>,
    clipped: bool,
}
persist!(ThreadLayout { rows, pyramids, clipped });

/// What rows are read with: the profile, its colours and the clock.
#[derive(Clone, Copy, Debug)]
pub struct RowSource<'a> {
    /// The recording.
    pub profile: &'a Profile,
    /// Styles of its markers.
    pub styles: &'a Styles,
    /// Its ticks.
    pub clock: Clock,
}

impl ThreadLayout {
    /// Builds the pyramids of rows; `clipped` rows hold overlapping markers of which each starts where the one before ended.
    #[must_use]
    pub fn from_rows(source: RowSource<'_>, thread: &Thread, rows: ThreadRows, clipped: bool) -> Self {
        let mut layout = Self { rows, pyramids: Vec::new(), clipped };
        layout.pyramids = (0..layout.rows.len())
            .into_par_iter()
            .map(|row| Pyramid::build(&layout.items(source, thread, row)))
            .collect();
        layout
    }

    /// A row's items.
    #[must_use]
    pub fn items<'a>(&'a self, source: RowSource<'a>, thread: &'a Thread, row: usize) -> RowMarkers<'a> {
        RowMarkers {
            starts: &thread.markers.start,
            ends: &thread.markers.end,
            styles: source.styles.of(thread.first_marker, thread.markers.len()),
            clock: source.clock,
            markers: self.rows.row(row),
            clipped: self.clipped,
        }
    }

    /// The pyramid of a row.
    #[must_use]
    pub fn pyramid(&self, row: usize) -> &Pyramid {
        &self.pyramids[row]
    }

    /// The spans of a row that touch a range of ticks when a pixel lasts `ticks_per_pixel`.
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

    /// The position of a marker on a row, if it stands there.
    #[must_use]
    pub fn position(&self, thread: &Thread, row: usize, marker: LocalMarker) -> Option<usize> {
        let start = |marker: LocalMarker| thread.markers.start[marker.index()];
        let markers = self.rows.row(row);
        let first = markers.partition_point(|&other| start(other) < start(marker));
        // Equal starts may stand in another order than their numbers (longer first).
        let mut same = markers[first..].iter().take_while(|&&other| start(other) == start(marker));
        Some(first + same.position(|&other| other == marker)?)
    }

    /// The row a marker stands on, and its position there.
    #[must_use]
    pub fn find(&self, thread: &Thread, marker: LocalMarker) -> Option<(usize, usize)> {
        (0..self.rows.len()).find_map(|row| Some((row, self.position(thread, row, marker)?)))
    }

    /// Whether every row has its pyramid.
    pub(super) fn is_whole(&self) -> bool {
        let pyramids = self.pyramids.len() == self.rows.len() && self.pyramids.iter().all(Pyramid::is_whole);
        pyramids && self.rows.is_whole()
    }

    /// Heap bytes of the rows and of the pyramids.
    #[must_use]
    pub fn bytes(&self) -> (usize, usize) {
        (self.rows.bytes(), self.pyramids.iter().map(Pyramid::bytes).sum())
    }
}

/// The rows of threads in one arrangement, each made when it is first asked for.
#[derive(Debug, Default)]
pub(super) struct Layout {
    threads: Vec<OnceLock<ThreadLayout>>,
}
persist!(Layout { threads });

impl Layout {
    /// Of so many threads, none of them made.
    #[must_use]
    pub(super) fn empty(threads: usize) -> Self {
        Self { threads: (0..threads).map(|_| OnceLock::new()).collect() }
    }

    /// Builds the pyramids of rows, one entry a thread, in parallel.
    #[must_use]
    pub(super) fn with_pyramids(source: RowSource<'_>, rows: Vec<ThreadRows>) -> Self {
        let threads = rows.into_par_iter().zip(&source.profile.threads).with_max_len(1);
        let made = |(rows, thread)| OnceLock::from(ThreadLayout::from_rows(source, thread, rows, false));
        Self { threads: threads.map(made).collect() }
    }

    /// A thread's rows, if they were made already.
    pub(super) fn made(&self, id: ThreadId) -> Option<&ThreadLayout> {
        self.threads.get(id.index())?.get()
    }

    /// A thread's rows. They are made outside of the lock: who makes them uses the pool, on which another may ask for the
    /// same rows and would wait for itself.
    pub(super) fn thread(&self, source: RowSource<'_>, arrangement: Arrangement, id: ThreadId) -> &ThreadLayout {
        let slot = &self.threads[id.index()];
        slot.get().unwrap_or_else(|| {
            let thread = source.profile.thread(id);
            let rows = ThreadRows::build(source.profile, thread, arrangement);
            let made = ThreadLayout::from_rows(source, thread, rows, false);
            slot.get_or_init(|| made)
        })
    }

    /// Whether it is of `threads` threads, and what was made of them is whole.
    pub(super) fn is_whole(&self, threads: usize) -> bool {
        let mut made = self.threads.iter().filter_map(OnceLock::get);
        self.threads.len() == threads && made.all(ThreadLayout::is_whole)
    }

    /// Heap bytes of rows and pyramids.
    pub(super) fn bytes(&self) -> (usize, usize) {
        let made = self.threads.iter().filter_map(OnceLock::get);
        made.map(ThreadLayout::bytes).fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
    }
}

/// The rows of a recording's threads in one arrangement.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// The arrangement.
    pub arrangement: Arrangement,
    pub(super) source: RowSource<'a>,
    pub(super) layout: &'a Layout,
}

impl<'a> Rows<'a> {
    /// A thread's rows; those of an arrangement that the recording did not begin with are made now if nobody asked before,
    /// which can take long: the window looks at [`Rows::made`] and has them made elsewhere.
    pub fn thread(&self, id: ThreadId) -> &'a ThreadLayout {
        self.layout.thread(self.source, self.arrangement, id)
    }

    /// A thread's rows, if they were made already.
    #[must_use]
    pub fn made(&self, id: ThreadId) -> Option<&'a ThreadLayout> {
        self.layout.made(id)
    }
}
