//! The open intervals of a thread at a time. Stack-based intervals are arranged in lines, with outer intervals on
//! earlier lines.

use std::cmp::Reverse;
use std::sync::OnceLock;

use super::interval_order::{IntervalOrder, depth};
use crate::rows::ThreadRows;
use flowline_profile::{Arrangement, GroupKind, LocalMarker, MarkerFlags, Ns, Profile, Thread, ThreadId, TimeRange};

/// Name of Firefox markers for the times at which a thread is awake.
const AWAKE: &str = "Awake";

/// The nested intervals and rows of threads and the times at which threads are awake, each built on first use.
#[derive(Debug, Default)]
pub struct ThreadStacks {
    orders: Vec<OnceLock<Box<IntervalOrder>>>,
    rows: Vec<OnceLock<Box<ThreadRows>>>,
    awake: Vec<OnceLock<Option<Box<[TimeRange]>>>>,
}

impl ThreadStacks {
    /// Creates empty slots for `threads` threads.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        Self { orders: empty(threads), rows: empty(threads), awake: empty(threads) }
    }

    /// Number of threads.
    #[must_use]
    #[inline]
    pub fn threads(&self) -> usize {
        self.rows.len()
    }

    /// The stack of a thread. `built` are its rows in the stack arrangement, if they are already built.
    pub(crate) fn stack<'a>(
        &'a self,
        profile: &'a Profile,
        id: ThreadId,
        built: Option<&'a ThreadRows>,
    ) -> ThreadStack<'a> {
        let thread = profile.thread(id);
        let order = self.orders[id.index()].get_or_init(|| Box::new(IntervalOrder::new(thread)));
        ThreadStack { profile, thread, order, built, slot: &self.rows[id.index()] }
    }

    /// The times at which a thread was awake, sorted and without overlap; `None` if the recording does not contain
    /// them.
    pub(super) fn awake(&self, profile: &Profile, id: ThreadId) -> Option<&[TimeRange]> {
        let read = || {
            let name = profile.strings.find(AWAKE)?;
            let markers = &profile.thread(id).markers;
            let mut ranges: Vec<TimeRange> = Vec::new();
            for marker in (0..markers.len()).map(LocalMarker::new).filter(|marker| markers.name(*marker) == name) {
                let range = markers.range(marker);
                match ranges.last_mut().filter(|last| last.end >= range.start) {
                    Some(last) => last.end = last.end.max(range.end),
                    None => ranges.push(range),
                }
            }
            (!ranges.is_empty()).then(|| ranges.into())
        };
        self.awake.get(id.index())?.get_or_init(read).as_deref()
    }
}

/// Empty slots for values that are built on first use.
fn empty<T>(count: usize) -> Vec<OnceLock<T>> {
    (0..count).map(|_| OnceLock::new()).collect()
}

/// The stack-based intervals of a thread.
pub(crate) struct ThreadStack<'a> {
    profile: &'a Profile,
    thread: &'a Thread,
    order: &'a IntervalOrder,
    built: Option<&'a ThreadRows>,
    slot: &'a OnceLock<Box<ThreadRows>>,
}

impl<'a> ThreadStack<'a> {
    /// True if the thread has no intervals.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    #[inline]
    fn start(&self, marker: LocalMarker) -> Ns {
        self.thread.markers.start(marker)
    }

    #[inline]
    fn end(&self, marker: LocalMarker) -> Ns {
        self.thread.markers.end(marker)
    }

    /// The lines of intervals, outer ones first.
    fn lines(&self) -> Vec<&'a [LocalMarker]> {
        if self.is_empty() {
            return Vec::new();
        }
        let build = || Box::new(ThreadRows::build(self.profile, self.thread, Arrangement::Stack));
        let rows = self.built.unwrap_or_else(|| self.slot.get_or_init(build));
        let group = rows.groups.iter().find(|group| group.kind == GroupKind::Stack);
        let lines = group.map_or(0..0, |group| group.first_row..group.first_row + group.rows);
        lines.map(|row| rows.row(row as usize)).collect()
    }

    /// True if a marker is one of the intervals.
    #[inline]
    pub(super) fn has(&self, marker: LocalMarker) -> bool {
        let flags = self.thread.markers.flags(marker);
        !self.is_empty() && flags.has(MarkerFlags::STACK_BASED) && !flags.has(MarkerFlags::INSTANT)
    }

    /// The closest interval that encloses a marker. The marker itself need not be one of the intervals.
    pub(super) fn parent(&self, marker: LocalMarker) -> Option<LocalMarker> {
        let order = self.order.order();
        let before = if self.thread.markers.flags(marker).has(MarkerFlags::STACK_BASED) {
            let own = depth(self.thread, marker);
            order.partition_point(|other| depth(self.thread, *other) < own)
        } else {
            order.partition_point(|other| self.start(*other) <= self.start(marker))
        };
        Some(order[self.order.last_until(self.thread, before, self.end(marker))?])
    }

    /// The intervals that enclose a marker, innermost first.
    #[inline]
    pub(super) fn ancestors(&self, marker: LocalMarker) -> impl Iterator<Item = LocalMarker> + '_ {
        std::iter::successors(self.parent(marker), |inner| self.parent(*inner))
    }

    /// The longest of the intervals directly inside another one; the first one if several are equally long.
    pub(super) fn longest_inside(&self, marker: LocalMarker) -> Option<LocalMarker> {
        let (start, end) = (self.start(marker), self.end(marker));
        let from_start = |line: &'a [LocalMarker]| &line[line.partition_point(|marker| self.start(*marker) < start)..];
        let mut lines = self.lines().into_iter();
        lines.find(|line| {
            let same = from_start(line).iter().take_while(|other| self.start(**other) == start);
            same.into_iter().any(|other| *other == marker)
        })?;
        let inside = from_start(lines.next()?).iter().take_while(|inner| self.end(**inner) <= end);
        inside.copied().max_by_key(|inner| (self.end(*inner) - self.start(*inner), Reverse(*inner)))
    }

    /// The intervals that begin within a range, outer lines first.
    pub(super) fn starting_in(&self, range: TimeRange) -> impl Iterator<Item = LocalMarker> + '_ {
        self.lines().into_iter().flat_map(move |line| {
            let first = line.partition_point(|marker| self.start(*marker) < range.start);
            line[first..].iter().copied().take_while(move |marker| self.start(*marker) < range.end)
        })
    }

    /// The outermost of the first intervals that begin in a range, at its end excluded.
    pub(super) fn first_in(&self, range: TimeRange) -> Option<LocalMarker> {
        let first = *self.order.order().get(self.order.begun_before(self.thread, range.start))?;
        (self.start(first) < range.end).then_some(first)
    }

    /// The innermost interval that is open just before a time, and the time since which it was innermost without
    /// interruption; `i64::MIN` if nothing was open before.
    pub(super) fn innermost_before(&self, time: Ns) -> (Option<LocalMarker>, Ns) {
        let begun = self.order.begun_before(self.thread, time);
        let at = self.order.last_until(self.thread, begun, time);
        let innermost = at.map(|at| self.order.order()[at]);
        let since = innermost.map_or(Ns(i64::MIN), |marker| self.start(marker));
        // The intervals after the innermost one in the order have ended.
        let ended = self.order.latest_end(self.thread, at.map_or(0, |at| at + 1)..begun);
        (innermost, ended.max(since))
    }

    /// The outermost of the intervals with the latest end at or before a time. Instants do not count.
    pub(super) fn last_ended(&self, time: Ns) -> Option<LocalMarker> {
        let by_end = self.order.by_end(self.thread);
        let ended = by_end.partition_point(|marker| self.end(*marker) <= time);
        Some(by_end[ended.checked_sub(1)?])
    }

    /// Calls `visit` with the outermost interval of each part of a range, in no particular order. Returns the parts
    /// without an open interval, in order. An interval that covers the whole range and continues after it is not
    /// informative: the intervals inside it are used instead, and the remaining parts belong to the innermost of such
    /// intervals, unless it is a loop.
    pub(super) fn outermost(
        &self,
        range: TimeRange,
        is_loop: impl Fn(LocalMarker) -> bool,
        mut visit: impl FnMut(LocalMarker, i64),
    ) -> Vec<TimeRange> {
        let mut free = vec![range];
        let mut around = None;
        let covers = |marker: LocalMarker| self.start(marker) <= range.start && self.end(marker) > range.end;
        for line in self.lines_of_wait(range, covers) {
            if free.is_empty() {
                break;
            }
            let mut left = Vec::with_capacity(free.len());
            for part in free {
                let first = line.partition_point(|marker| self.end(*marker) <= part.start);
                let mut from = part.start;
                for marker in line[first..].iter().take_while(|marker| self.start(**marker) < part.end) {
                    let (start, end) = (self.start(*marker).max(from), self.end(*marker).min(part.end));
                    if covers(*marker) {
                        around = Some(*marker).filter(|marker| !is_loop(*marker));
                    } else if end > start {
                        if start > from {
                            left.push(TimeRange { start: from, end: start });
                        }
                        visit(*marker, (end - start).0);
                        from = end;
                    }
                }
                if from < part.end {
                    left.push(TimeRange { start: from, end: part.end });
                }
            }
            free = left;
        }
        let Some(around) = around else { return free };
        free.iter().for_each(|part| visit(around, part.len()));
        Vec::new()
    }

    /// The lines that can contain the outermost intervals of a range. In a nest, the intervals that cover the range are on
    /// the first lines, and the next line contains the outermost of the others.
    fn lines_of_wait(&self, range: TimeRange, covers: impl Fn(LocalMarker) -> bool) -> Vec<&'a [LocalMarker]> {
        let mut lines = self.lines();
        if self.order.is_nested {
            let is_covering = |line: &&[LocalMarker]| {
                let begun = line.partition_point(|marker| self.start(*marker) <= range.start);
                begun.checked_sub(1).is_some_and(|last| covers(line[last]))
            };
            let covering = lines.partition_point(is_covering);
            lines.truncate(covering + 1);
            lines.drain(..covering.saturating_sub(1));
        }
        lines
    }
}
