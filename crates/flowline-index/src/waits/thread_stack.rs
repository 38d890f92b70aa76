//! The open intervals of a thread at a time. Stack-based intervals are arranged in lines, with outer intervals on
//! earlier lines.

use std::cmp::Reverse;
use std::sync::OnceLock;

use crate::Nesting;
use crate::rows::ThreadRows;
use flowline_profile::{Arrangement, GroupKind, LocalMarker, MarkerFlags, Ns, Profile, Thread, ThreadId, TimeRange};

/// Name of Firefox markers for the times at which a thread is awake.
const AWAKE: &str = "Awake";

/// The nested rows of threads and the times at which threads are awake, each built on first use.
#[derive(Debug, Default)]
pub struct ThreadStacks {
    rows: Vec<OnceLock<Box<ThreadRows>>>,
    awake: Vec<OnceLock<Option<Box<[TimeRange]>>>>,
}

impl ThreadStacks {
    /// Creates empty slots for `threads` threads.
    #[must_use]
    #[inline]
    pub fn new(threads: usize) -> Self {
        let locks = || (0..threads).map(|_| OnceLock::new()).collect();
        Self { rows: locks(), awake: (0..threads).map(|_| OnceLock::new()).collect() }
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
        let rows = built.or_else(|| {
            let slot = self.rows.get(id.index())?;
            Some(&**slot.get_or_init(|| Box::new(ThreadRows::build(profile, thread, Arrangement::Stack))))
        });
        // Asynchronous operations do not run on a thread.
        let rows = rows.filter(|_| thread.groups.is_empty());
        let group =
            rows.and_then(|rows| Some((rows, rows.groups.iter().find(|group| group.kind == GroupKind::Stack)?)));
        let lines = group.map_or_else(Vec::new, |(rows, group)| {
            (group.first_row..group.first_row + group.rows).map(|row| rows.row(row as usize)).collect()
        });
        ThreadStack { thread, rows, lines }
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

/// The stack-based intervals of a thread.
pub(crate) struct ThreadStack<'a> {
    thread: &'a Thread,
    rows: Option<&'a ThreadRows>,
    lines: Vec<&'a [LocalMarker]>,
}

/// A sort key that orders inner intervals after outer ones.
type Depth = (Ns, Reverse<Ns>, LocalMarker);

impl<'a> ThreadStack<'a> {
    /// True if the thread has no intervals.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    #[inline]
    fn start(&self, marker: LocalMarker) -> Ns {
        self.thread.markers.start(marker)
    }

    #[inline]
    fn end(&self, marker: LocalMarker) -> Ns {
        self.thread.markers.end(marker)
    }

    #[inline]
    fn depth(&self, marker: LocalMarker) -> Depth {
        (self.start(marker), Reverse(self.end(marker)), marker)
    }

    /// True if a marker is one of the intervals.
    #[inline]
    pub(super) fn has(&self, marker: LocalMarker) -> bool {
        let flags = self.thread.markers.flags(marker);
        !self.lines.is_empty() && flags.has(MarkerFlags::STACK_BASED) && !flags.has(MarkerFlags::INSTANT)
    }

    /// The intervals that enclose a marker, innermost first.
    #[inline]
    pub(super) fn ancestors(&self, marker: LocalMarker) -> Vec<LocalMarker> {
        let Some(rows) = self.rows else { return Vec::new() };
        Nesting::for_marker(self.thread, rows, marker).ancestors(marker)
    }

    /// The longest of the intervals directly inside another one; the first one if several are equally long.
    pub(super) fn longest_inside(&self, marker: LocalMarker) -> Option<LocalMarker> {
        let (start, end) = (self.start(marker), self.end(marker));
        let from_start = |line: &'a [LocalMarker]| &line[line.partition_point(|marker| self.start(*marker) < start)..];
        let own = self.lines.iter().position(|line| {
            let same = from_start(line).iter().take_while(|other| self.start(**other) == start);
            same.into_iter().any(|other| *other == marker)
        })?;
        let inside = from_start(self.lines.get(own + 1)?).iter().take_while(|inner| self.end(**inner) <= end);
        inside.copied().max_by_key(|inner| (self.end(*inner) - self.start(*inner), Reverse(*inner)))
    }

    /// The intervals that begin within a range, outer lines first.
    pub(super) fn starting_in(&self, range: TimeRange) -> impl Iterator<Item = LocalMarker> + '_ {
        self.lines.iter().flat_map(move |line| {
            let first = line.partition_point(|marker| self.start(*marker) < range.start);
            line[first..].iter().copied().take_while(move |marker| self.start(*marker) < range.end)
        })
    }

    /// The outermost of the first intervals that begin in a range, at its end excluded.
    pub(super) fn first_in(&self, range: TimeRange) -> Option<LocalMarker> {
        let first = |line: &&'a [LocalMarker]| {
            line.get(line.partition_point(|marker| self.start(*marker) < range.start)).copied()
        };
        let firsts = self.lines.iter().filter_map(first).filter(|marker| self.start(*marker) < range.end);
        firsts.min_by_key(|marker| self.depth(*marker))
    }

    /// For each line, the last marker that begins before a time.
    fn last_before(&self, time: Ns) -> impl Iterator<Item = LocalMarker> + '_ {
        self.lines.iter().filter_map(move |line| {
            let after = line.partition_point(|marker| self.start(*marker) < time);
            line.get(after.checked_sub(1)?).copied()
        })
    }

    /// The innermost interval that is open just before a time, and the time since which it was innermost without
    /// interruption; `i64::MIN` if nothing was open before.
    pub(super) fn innermost_before(&self, time: Ns) -> (Option<LocalMarker>, Ns) {
        let on = self.last_before(time).filter(|marker| self.end(*marker) >= time);
        let innermost = on.max_by_key(|marker| self.depth(*marker));
        let since = innermost.map_or(Ns(i64::MIN), |marker| self.start(marker));
        let is_inside = |marker: &LocalMarker| innermost.is_none_or(|outer| self.depth(*marker) > self.depth(outer));
        let ended = self.last_before(time).filter(|marker| self.end(*marker) < time).filter(is_inside);
        (innermost, ended.map(|marker| self.end(marker)).fold(since, Ns::max))
    }

    /// The outermost of the intervals with the latest end at or before a time.
    pub(super) fn last_ended(&self, time: Ns) -> Option<LocalMarker> {
        let ended = self.lines.iter().filter_map(|line| {
            let after = line.partition_point(|marker| self.end(*marker) <= time);
            // Skip instants.
            line[..after]
                .iter()
                .rev()
                .take(MOST_POINTS)
                .find(|marker| self.end(**marker) > self.start(**marker))
                .copied()
        });
        ended.max_by_key(|marker| (self.end(*marker), Reverse(self.depth(*marker))))
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
        for line in &self.lines {
            let mut left = Vec::with_capacity(free.len());
            for part in free {
                let first = line.partition_point(|marker| self.end(*marker) <= part.start);
                let mut from = part.start;
                for marker in line[first..].iter().take_while(|marker| self.start(**marker) < part.end) {
                    let (start, end) = (self.start(*marker).max(from), self.end(*marker).min(part.end));
                    if self.start(*marker) <= range.start && self.end(*marker) > range.end {
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
}

/// Maximum number of instants that are skipped on a line.
const MOST_POINTS: usize = 1 << 10;
