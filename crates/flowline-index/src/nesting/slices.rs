//! The nested slices of a thread, or of one asynchronous operation, and an iterator over children.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::rows::ThreadRows;
use flowline_profile::{GroupKind, LocalMarker, MarkerFlags, Thread};

/// The sort key of a slice.
type SliceKey = (i64, Reverse<i64>, LocalMarker);

/// Lines of ordered, non-overlapping slices. Parents are on earlier lines than their children.
#[derive(Debug)]
enum SliceLines<'a> {
    /// A thread's rows of nested slices: rows, first row, and number of rows.
    Rows(&'a ThreadRows, usize, usize),
    /// One line per slice, in order.
    Single(Vec<LocalMarker>),
}

/// The nested slices of a thread, or of one asynchronous operation.
#[derive(Debug)]
pub struct Nesting<'a> {
    pub(super) thread: &'a Thread,
    lines: SliceLines<'a>,
}

impl<'a> Nesting<'a> {
    /// The slices among which a marker is nested. `rows` are the rows of its thread in the stack arrangement.
    ///
    /// A marker of an asynchronous operation is nested among the markers of the same operation. Finding them visits
    /// every marker of the thread.
    #[must_use]
    pub fn for_marker(thread: &'a Thread, rows: &'a ThreadRows, marker: LocalMarker) -> Self {
        if let Some(group) = thread.groups.get(marker.index()) {
            let all = thread.groups.iter().enumerate();
            let same = all.filter(|(_, other)| *other == group);
            let mut members: Vec<LocalMarker> = same.map(|(index, _)| LocalMarker::new(index)).collect();
            members.sort_unstable_by_key(|marker| key(thread, *marker));
            return Self { thread, lines: SliceLines::Single(members) };
        }
        let stack = rows.groups.iter().find(|group| group.kind == GroupKind::Stack);
        let (first, count) = stack.map_or((0, 0), |group| (group.first_row as usize, group.rows as usize));
        Self { thread, lines: SliceLines::Rows(rows, first, count) }
    }

    fn count(&self) -> usize {
        match &self.lines {
            SliceLines::Rows(_, _, count) => *count,
            SliceLines::Single(markers) => markers.len(),
        }
    }

    fn line(&self, line: usize) -> &[LocalMarker] {
        match &self.lines {
            SliceLines::Rows(rows, first, _) => rows.row(first + line),
            SliceLines::Single(markers) => markers.get(line).map(std::slice::from_ref).unwrap_or_default(),
        }
    }

    #[inline]
    fn key(&self, marker: LocalMarker) -> SliceKey {
        key(self.thread, marker)
    }

    #[inline]
    pub(super) fn start(&self, marker: LocalMarker) -> i64 {
        self.thread.markers.start(marker).0
    }

    #[inline]
    pub(super) fn end(&self, marker: LocalMarker) -> i64 {
        self.thread.markers.end(marker).0
    }

    /// The line of a marker; `None` if it is not a slice.
    fn line_of(&self, marker: LocalMarker) -> Option<usize> {
        let wanted = self.key(marker);
        if let SliceLines::Single(markers) = &self.lines {
            return markers.binary_search_by_key(&wanted, |other| self.key(*other)).ok();
        }
        (0..self.count()).find(|line| self.line(*line).binary_search_by_key(&wanted, |other| self.key(*other)).is_ok())
    }

    /// The slices that enclose a marker, innermost first. The marker itself need not be a slice.
    #[must_use]
    pub fn ancestors(&self, marker: LocalMarker) -> Vec<LocalMarker> {
        let (start, end) = (self.start(marker), self.end(marker));
        let above = self.line_of(marker).unwrap_or(self.count());
        let enclosing = |line: usize| {
            let line = self.line(line);
            let after = line.partition_point(|other| self.start(*other) <= start);
            line.get(after.checked_sub(1)?).copied().filter(|last| self.end(*last) >= end)
        };
        let mut found: Vec<LocalMarker> = (0..above).filter_map(enclosing).collect();
        found.sort_unstable_by_key(|other| Reverse(self.key(*other)));
        // Drop slices that enclose the marker but only partly overlap a closer ancestor.
        let mut inner = marker;
        found.retain(|outer| {
            let is_outer = self.start(*outer) <= self.start(inner) && self.end(*outer) >= self.end(inner);
            if is_outer {
                inner = *outer;
            }
            is_outer
        });
        found
    }

    /// Number of slices that enclose a marker; 0 for an outermost one.
    #[must_use]
    #[inline]
    pub fn depth(&self, marker: LocalMarker) -> usize {
        self.ancestors(marker).len()
    }

    /// The direct children of a slice, in order.
    #[must_use]
    pub fn children(&self, marker: LocalMarker) -> Children<'_> {
        let mut children = Children {
            nesting: self,
            next: BinaryHeap::new(),
            key: self.key(marker),
            end: self.end(marker),
            reach: i64::MIN,
            stop: None,
        };
        if self.line_of(marker).is_some() {
            // Earlier lines are included because they may contain slices that partly overlap this one.
            (0..self.count()).for_each(|line| children.offer(line, children.first(line)));
        }
        children
    }
}

/// The result of one step of the search for children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Traversal {
    /// A child.
    Child(LocalMarker),
    /// A deeper slice was skipped.
    Skipped,
    /// The search is complete.
    Done,
}

/// An iterator over the direct children of a slice. Each step costs one binary search.
#[derive(Debug)]
pub struct Children<'a> {
    nesting: &'a Nesting<'a>,
    /// The next candidate of each line.
    next: BinaryHeap<Reverse<(SliceKey, usize, usize)>>,
    /// Key of the slice whose children are visited.
    key: SliceKey,
    end: i64,
    /// The latest end so far.
    reach: i64,
    /// The slice that ended the search, once it is found.
    stop: Option<SliceKey>,
}

impl Children<'_> {
    /// The position on a line of the first slice after the parent.
    #[inline]
    fn first(&self, line: usize) -> usize {
        self.nesting.line(line).partition_point(|other| self.nesting.key(*other) <= self.key)
    }

    /// Pushes onto the heap the first slice of a line, at or after `position`, that ends late enough.
    fn offer(&mut self, line: usize, position: usize) {
        let nesting = self.nesting;
        let rest = nesting.line(line).get(position..).unwrap_or_default();
        let late = rest.partition_point(|other| nesting.end(*other) <= self.reach);
        if let Some(marker) = rest.get(late).filter(|marker| nesting.start(**marker) <= self.end) {
            self.next.push(Reverse((nesting.key(*marker), line, position + late)));
        }
    }

    pub(super) fn step(&mut self) -> Traversal {
        let Some(Reverse((key, line, position))) = self.next.pop() else { return Traversal::Done };
        let (_, Reverse(end), marker) = key;
        if end > self.end {
            self.stop = Some(key);
            self.next.clear();
            return Traversal::Done;
        }
        if end <= self.reach {
            self.offer(line, position);
            return Traversal::Skipped;
        }
        self.reach = end;
        self.offer(line, position + 1);
        Traversal::Child(marker)
    }

    /// Number of slices inside, at any depth. Valid only after all children were visited.
    pub(super) fn descendants(&self) -> usize {
        let nesting = self.nesting;
        let count = |line: usize| {
            let is_inside = |other: &LocalMarker| {
                nesting.start(*other) <= self.end && self.stop.is_none_or(|stop| nesting.key(*other) < stop)
            };
            nesting.line(line).partition_point(is_inside).saturating_sub(self.first(line))
        };
        (0..nesting.count()).map(count).sum()
    }
}

impl Iterator for Children<'_> {
    type Item = LocalMarker;

    fn next(&mut self) -> Option<LocalMarker> {
        loop {
            match self.step() {
                Traversal::Child(marker) => return Some(marker),
                Traversal::Skipped => {}
                Traversal::Done => return None,
            }
        }
    }
}

#[inline]
pub(super) fn key(thread: &Thread, marker: LocalMarker) -> SliceKey {
    (thread.markers.start(marker).0, Reverse(thread.markers.end(marker).0), marker)
}

/// True if a marker can have children: slices and parts of asynchronous operations can.
#[must_use]
#[inline]
pub fn is_nested(thread: &Thread, marker: LocalMarker) -> bool {
    !thread.groups.is_empty() || thread.markers.flags(marker).has(MarkerFlags::STACK_BASED)
}
