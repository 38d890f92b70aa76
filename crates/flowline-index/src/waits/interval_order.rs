//! The stack-based intervals of a thread, ordered so that the open ones at a time are found without visiting the levels
//! of a nest.
//!
//! Intervals are ordered by start. Among equal starts the longer one comes first; among equal extents the earlier marker
//! comes first. The innermost interval that is open at a time is therefore the last one in this order that began before
//! that time and ends after it. A tree of the latest ends of consecutive intervals finds it, the interval around another
//! one, and the latest end of a part, each in logarithmic time.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::OnceLock;

use flowline_profile::{LocalMarker, MarkerFlags, Ns, Thread, TrackKind, get_or_build};

/// Number of entries that an entry of the next level of the tree summarizes.
const FAN_OUT: usize = 32;

/// The intervals of a thread in nesting order, and a tree of their latest ends.
#[derive(Debug, Default)]
pub(super) struct IntervalOrder {
    order: Box<[LocalMarker]>,
    /// From the second level up, the latest end of each [`FAN_OUT`] entries of the level below.
    latest: Vec<Box<[Ns]>>,
    /// The intervals that last, by end; among equal ends, inner ones first. Sorted on first use.
    by_end: OnceLock<Box<[LocalMarker]>>,
    /// True if no interval partly overlaps another one.
    pub(super) is_nested: bool,
}

/// A sort key that orders inner intervals after outer ones.
type Depth = (Ns, Reverse<Ns>, LocalMarker);

/// The sort key of an interval.
#[inline]
pub(super) fn depth(thread: &Thread, marker: LocalMarker) -> Depth {
    let range = thread.markers.range(marker);
    (range.start, Reverse(range.end), marker)
}

impl IntervalOrder {
    /// The intervals of a thread. Asynchronous operations do not run on a thread.
    pub(super) fn new(thread: &Thread) -> Self {
        if thread.kind == TrackKind::Async || !thread.groups.is_empty() {
            return Self::default();
        }
        let is_stacked = |marker: &LocalMarker| thread.markers.flags(*marker).has(MarkerFlags::STACK_BASED);
        let mut order: Vec<LocalMarker> = (0..thread.markers.len()).map(LocalMarker::new).filter(is_stacked).collect();
        // Threads of traces are already in this order.
        let key = |marker: &LocalMarker| depth(thread, *marker);
        if !order.is_sorted_by_key(key) {
            order.sort_unstable_by_key(key);
        }
        let ends: Vec<Ns> = order.iter().map(|marker| thread.markers.end(*marker)).collect();
        let mut latest = vec![summary(&ends)];
        while let Some(level) = latest.last().filter(|level| level.len() > 1) {
            latest.push(summary(level));
        }
        let is_nested = is_nested(thread, &order);
        Self { order: order.into(), latest, by_end: OnceLock::new(), is_nested }
    }

    /// True if there are no intervals.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The intervals in order.
    #[inline]
    pub(super) fn order(&self) -> &[LocalMarker] {
        &self.order
    }

    /// Number of intervals that begin before a time.
    #[inline]
    pub(super) fn begun_before(&self, thread: &Thread, time: Ns) -> usize {
        self.order.partition_point(|marker| thread.markers.start(*marker) < time)
    }

    /// The position of the last of the first `count` intervals that ends at `time` or later.
    pub(super) fn last_until(&self, thread: &Thread, count: usize, time: Ns) -> Option<usize> {
        let (mut level, mut before) = (0, count);
        // Up: look at the entries of the own block, then at the blocks before it.
        let mut found = loop {
            let block = before / FAN_OUT * FAN_OUT;
            let own = (block..before).rev().find(|at| self.entry(thread, level, *at) >= time);
            if let Some(own) = own {
                break own;
            }
            if block == 0 {
                return None;
            }
            (level, before) = (level + 1, before / FAN_OUT);
        };
        // Down: the last entry of the block.
        while level > 0 {
            level -= 1;
            let block = found * FAN_OUT..((found + 1) * FAN_OUT).min(self.len(level));
            found = block.rev().find(|at| self.entry(thread, level, *at) >= time)?;
        }
        Some(found)
    }

    /// The latest end of the intervals at some positions; `i64::MIN` without any.
    pub(super) fn latest_end(&self, thread: &Thread, positions: Range<usize>) -> Ns {
        let (mut level, mut found) = (0, Ns(i64::MIN));
        let Range { mut start, mut end } = positions;
        while start < end {
            // Entries at the edges, up to whole blocks.
            let is_edge = |at: usize| !at.is_multiple_of(FAN_OUT);
            while start < end && (is_edge(start) || end - start < FAN_OUT) {
                found = found.max(self.entry(thread, level, start));
                start += 1;
            }
            while start < end && is_edge(end) {
                end -= 1;
                found = found.max(self.entry(thread, level, end));
            }
            (level, start, end) = (level + 1, start / FAN_OUT, end / FAN_OUT);
        }
        found
    }

    /// The intervals that last, by end; among equal ends, inner ones first.
    pub(super) fn by_end(&self, thread: &Thread) -> &[LocalMarker] {
        let build = || -> Box<[LocalMarker]> {
            let lasts = |marker: &LocalMarker| !thread.markers.range(*marker).is_empty();
            let mut by_end: Vec<LocalMarker> = self.order.iter().copied().filter(lasts).collect();
            // Neighbors are mostly in order, which a stable sort makes use of.
            by_end.sort_by_key(|marker| (thread.markers.end(*marker), Reverse(depth(thread, *marker))));
            by_end.into()
        };
        get_or_build::<Box<[LocalMarker]>>(&self.by_end, build)
    }

    #[inline]
    fn entry(&self, thread: &Thread, level: usize, at: usize) -> Ns {
        match level.checked_sub(1) {
            None => thread.markers.end(self.order[at]),
            Some(level) => self.latest[level][at],
        }
    }

    #[inline]
    fn len(&self, level: usize) -> usize {
        level.checked_sub(1).map_or(self.order.len(), |level| self.latest[level].len())
    }
}

/// The latest end of each [`FAN_OUT`] entries of a level.
fn summary(level: &[Ns]) -> Box<[Ns]> {
    level.chunks(FAN_OUT).filter_map(|part| part.iter().copied().max()).collect()
}

/// True if each of the ordered intervals ends within those that are open at its start.
fn is_nested(thread: &Thread, order: &[LocalMarker]) -> bool {
    let mut open: Vec<Ns> = Vec::new();
    order.iter().all(|marker| {
        let range = thread.markers.range(*marker);
        while open.pop_if(|end| *end <= range.start).is_some() {}
        let fits = open.last().is_none_or(|end| range.end <= *end);
        open.push(range.end);
        fits
    })
}
