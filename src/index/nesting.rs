//! Which slices enclose which: ancestors, direct children, self time. Found for one marker when somebody looks at it; no
//! memory a marker.
//!
//! The *order* of slices is: earlier start first, of equal starts the longer first, of equal extents the earlier marker.
//! The *parent* of a slice is the last one before it in this order that contains it, ends included; a slice of no length
//! at the edge of another is thus its child. Rows of nested slices (see [`ThreadRows`]) keep to this: a parent stands on
//! a row above its children. Slices that overlap in part stand anywhere, so containment is always looked at.
//!
//! Two facts make this cheap. On a row the only slice that can enclose a later one is the last that starts before it: all
//! ancestors cost one binary search a row. And a slice is a child of `m` if and only if it ends later than everything
//! between `m` and it, but not later than `m`: on a row, whose ends ascend, one finds the next such slice by binary search,
//! without a look at what lies deeper. The first slice that outlasts `m` ends the search: it contains what follows.

mod contents;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub use contents::{Contents, NameGroup};

use super::rows::{GroupKind, ThreadRows};
use crate::profile::{LocalMarker, MarkerFlags, Thread};

/// A slice's place in the order.
type Key = (i64, Reverse<i64>, LocalMarker);

/// Where slices stand: lines of slices that do not overlap, in order; parents stand on earlier lines than children.
#[derive(Debug)]
enum Lines<'a> {
    /// The rows of nested slices of a thread: first row and number of rows.
    Rows(&'a ThreadRows, usize, usize),
    /// A line for each slice, in order.
    Single(Vec<LocalMarker>),
}

/// The slices of a thread, or of one asynchronous operation, that enclose each other.
#[derive(Debug)]
pub struct Nesting<'a> {
    thread: &'a Thread,
    lines: Lines<'a>,
}

impl<'a> Nesting<'a> {
    /// The slices among which a marker stands. `rows` are the rows of its thread in the stack arrangement.
    ///
    /// A marker of an asynchronous operation stands among those of the same one; finding them takes one look at each
    /// marker of the thread.
    #[must_use]
    pub fn around(thread: &'a Thread, rows: &'a ThreadRows, marker: LocalMarker) -> Self {
        if let Some(group) = thread.groups.get(marker.index()) {
            let all = thread.groups.iter().enumerate();
            let same = all.filter(|(_, other)| *other == group);
            let mut members: Vec<LocalMarker> = same.map(|(index, _)| LocalMarker::new(index)).collect();
            members.sort_unstable_by_key(|marker| key(thread, *marker));
            return Self { thread, lines: Lines::Single(members) };
        }
        let stack = rows.groups.iter().find(|group| group.kind == GroupKind::Stack);
        let (first, count) = stack.map_or((0, 0), |group| (group.first_row as usize, group.rows as usize));
        Self { thread, lines: Lines::Rows(rows, first, count) }
    }

    fn count(&self) -> usize {
        match &self.lines {
            Lines::Rows(_, _, count) => *count,
            Lines::Single(markers) => markers.len(),
        }
    }

    fn line(&self, line: usize) -> &[LocalMarker] {
        match &self.lines {
            Lines::Rows(rows, first, _) => rows.row(first + line),
            Lines::Single(markers) => markers.get(line).map(std::slice::from_ref).unwrap_or_default(),
        }
    }

    fn key(&self, marker: LocalMarker) -> Key {
        key(self.thread, marker)
    }

    fn start(&self, marker: LocalMarker) -> i64 {
        self.thread.markers.start[marker.index()].0
    }

    fn end(&self, marker: LocalMarker) -> i64 {
        self.thread.markers.end[marker.index()].0
    }

    /// The line a marker stands on; `None` if it is no slice.
    fn line_of(&self, marker: LocalMarker) -> Option<usize> {
        let wanted = self.key(marker);
        if let Lines::Single(markers) = &self.lines {
            return markers.binary_search_by_key(&wanted, |other| self.key(*other)).ok();
        }
        (0..self.count()).find(|line| self.line(*line).binary_search_by_key(&wanted, |other| self.key(*other)).is_ok())
    }

    /// The slices that enclose a marker, innermost first. Of a marker that is no slice, those that are open during it.
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
        // One that encloses the marker, but overlaps a closer one in part, is not above that.
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

    /// How many slices enclose a marker; 0 for an outermost one.
    #[must_use]
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
            // Also lines above: what overlaps the slice in part may stand there.
            (0..self.count()).for_each(|line| children.offer(line, children.first(line)));
        }
        children
    }
}

/// What the next step of a search for children came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// A child.
    Child(LocalMarker),
    /// Something deeper was passed over.
    Passed,
    /// There are no more.
    Done,
}

/// The direct children of a slice: an iterator; a step costs a binary search.
#[derive(Debug)]
pub struct Children<'a> {
    nesting: &'a Nesting<'a>,
    /// Of each line the next slice that may be a child.
    next: BinaryHeap<Reverse<(Key, usize, usize)>>,
    /// The slice itself.
    key: Key,
    end: i64,
    /// The latest end so far.
    reach: i64,
    /// The slice that outlasts this one, if one was met.
    stop: Option<Key>,
}

impl Children<'_> {
    /// Where on a line the slices behind this one begin.
    fn first(&self, line: usize) -> usize {
        self.nesting.line(line).partition_point(|other| self.nesting.key(*other) <= self.key)
    }

    /// Puts the slice at a position of a line on the heap, or the next of its line that ends late enough.
    fn offer(&mut self, line: usize, position: usize) {
        let nesting = self.nesting;
        let rest = nesting.line(line).get(position..).unwrap_or_default();
        let late = rest.partition_point(|other| nesting.end(*other) <= self.reach);
        if let Some(marker) = rest.get(late).filter(|marker| nesting.start(**marker) <= self.end) {
            self.next.push(Reverse((nesting.key(*marker), line, position + late)));
        }
    }

    fn step(&mut self) -> Step {
        let Some(Reverse((key, line, position))) = self.next.pop() else { return Step::Done };
        let (_, Reverse(end), marker) = key;
        if end > self.end {
            self.stop = Some(key);
            self.next.clear();
            return Step::Done;
        }
        if end <= self.reach {
            self.offer(line, position);
            return Step::Passed;
        }
        self.reach = end;
        self.offer(line, position + 1);
        Step::Child(marker)
    }

    /// How many slices lie below, at any depth; right once all children were visited.
    fn descendants(&self) -> usize {
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
                Step::Child(marker) => return Some(marker),
                Step::Passed => {}
                Step::Done => return None,
            }
        }
    }
}

fn key(thread: &Thread, marker: LocalMarker) -> Key {
    (thread.markers.start[marker.index()].0, Reverse(thread.markers.end[marker.index()].0), marker)
}

/// Whether a marker can have children: slices do, and the parts of asynchronous operations.
#[must_use]
pub fn is_nested(thread: &Thread, marker: LocalMarker) -> bool {
    !thread.groups.is_empty() || thread.markers.flags[marker.index()].has(MarkerFlags::STACK_BASED)
}

#[cfg(test)]
mod tests;
