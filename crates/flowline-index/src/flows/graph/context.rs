//! The context of flow markers: their parents and children.

use rayon::prelude::*;

use flowline_profile::persist::persist;
use flowline_profile::{Column, MarkerFlags, MarkerId, Ns, TimeRange};

/// Finds the parents of a thread's flow markers. The parent is the innermost stack-based interval that contains a
/// marker, both ends included. So an interval that only touches another one's start is not its parent, but an instant
/// at the very end of an interval is inside.
///
/// Markers are added in start order; markers with equal starts are processed longest first, regardless of their order
/// in the recording. An interval is dropped once a later one outlasts it, because the later one contains everything
/// that the earlier one contains from then on. The remaining intervals end earlier the later they start, so each parent
/// is found by binary search.
#[derive(Debug, Default)]
pub(crate) struct ParentFinder {
    /// End and marker; starts ascend, ends descend.
    open: Vec<(Ns, MarkerId)>,
    /// Start of the markers in `waiting`.
    start: Ns,
    /// Markers with equal starts: end, marker, and true if it may be a parent.
    waiting: Vec<(Ns, MarkerId, bool)>,
    links: Vec<[MarkerId; 2]>,
}

impl ParentFinder {
    /// Adds the next flow marker of the thread.
    pub(crate) fn add(&mut self, marker: MarkerId, TimeRange { start, end }: TimeRange, flags: MarkerFlags) {
        if start != self.start {
            self.flush();
            self.start = start;
        }
        let is_parent = flags.has(MarkerFlags::STACK_BASED) && !flags.has(MarkerFlags::INSTANT);
        self.waiting.push((end, marker, is_parent));
    }

    /// Child and parent of every marker that has a parent, ascending by child.
    #[inline]
    pub(crate) fn finish(mut self) -> Vec<[MarkerId; 2]> {
        self.flush();
        self.links
    }

    fn flush(&mut self) {
        self.waiting.sort_unstable_by_key(|(end, marker, _)| (std::cmp::Reverse(*end), *marker));
        let first = self.links.len();
        for (end, marker, is_parent) in self.waiting.drain(..) {
            let containing = self.open.partition_point(|(until, _)| *until >= end);
            if let Some((_, parent)) = containing.checked_sub(1).map(|at| self.open[at]) {
                self.links.push([marker, parent]);
            }
            if is_parent {
                self.open.truncate(containing);
                // Of equal intervals the later one is inside.
                while self.open.pop_if(|(until, _)| *until <= end).is_some() {}
                self.open.push((end, marker));
            }
        }
        self.links[first..].sort_unstable();
    }
}

/// Children of a marker, in start order.
#[derive(Clone, Debug)]
pub struct Children<'a> {
    links: &'a [[MarkerId; 2]],
    positions: std::slice::Iter<'a, u32>,
}

impl Iterator for Children<'_> {
    type Item = MarkerId;

    #[inline]
    fn next(&mut self) -> Option<MarkerId> {
        self.positions.next().map(|position| self.links[*position as usize][0])
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.positions.size_hint()
    }

    #[inline]
    fn nth(&mut self, skipped: usize) -> Option<MarkerId> {
        self.positions.nth(skipped).map(|position| self.links[*position as usize][0])
    }
}

impl ExactSizeIterator for Children<'_> {}

/// Parents and children of flow markers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Context {
    /// Child and parent, ascending by child.
    links: Column<[MarkerId; 2]>,
    /// Positions in `links`, ascending by parent, then by child.
    by_parent: Column<u32>,
}
persist!(Context { links, by_parent });

impl Context {
    /// Builds the context from links, which must be ascending by child.
    #[inline]
    pub(crate) fn build(links: Vec<[MarkerId; 2]>) -> Self {
        let mut by_parent: Vec<u32> = (0_u32..).take(links.len()).collect();
        by_parent.par_sort_unstable_by_key(|position| (links[*position as usize][1], *position));
        Self { links: links.into(), by_parent: by_parent.into() }
    }

    /// Parent of a flow marker.
    #[inline]
    pub(crate) fn parent(&self, marker: MarkerId) -> Option<MarkerId> {
        let found = self.links.binary_search_by_key(&marker, |[child, _]| *child).ok()?;
        Some(self.links[found][1])
    }

    /// Children of a flow marker in start order.
    #[inline]
    pub(crate) fn children(&self, marker: MarkerId) -> Children<'_> {
        Children { links: &self.links, positions: self.positions(marker).iter() }
    }

    /// Children for which both `before` and `after` are false. In start order, `before` must change from true to false
    /// and `after` from false to true, at most once each.
    pub(crate) fn children_between(
        &self,
        marker: MarkerId,
        before: impl Fn(MarkerId) -> bool,
        after: impl Fn(MarkerId) -> bool,
    ) -> Children<'_> {
        let positions = self.positions(marker);
        let child = |position: &u32| self.links[*position as usize][0];
        let first = positions.partition_point(|position| before(child(position)));
        let count = positions[first..].partition_point(|position| !after(child(position)));
        Children { links: &self.links, positions: positions[first..first + count].iter() }
    }

    /// Positions of a parent's links.
    fn positions(&self, marker: MarkerId) -> &[u32] {
        let parent = |position: &u32| self.links[*position as usize][1];
        let first = self.by_parent.partition_point(|position| parent(position) < marker);
        let count = self.by_parent[first..].partition_point(|position| parent(position) == marker);
        &self.by_parent[first..first + count]
    }

    /// Number of links.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.links.len()
    }

    /// True if the columns are consistent with each other.
    #[inline]
    pub(crate) fn is_consistent(&self) -> bool {
        self.links.len() == self.by_parent.len()
    }

    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.links.heap_bytes() + self.by_parent.heap_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reference implementation: the parent of each flow marker, given as start, end and flags.
    fn expected(markers: &[(i64, i64, MarkerFlags)]) -> Vec<[MarkerId; 2]> {
        let contains = |parent: usize, child: usize| {
            let ((start, end, flags), (from, to, _)) = (markers[parent], markers[child]);
            let is_interval = flags.has(MarkerFlags::STACK_BASED) && !flags.has(MarkerFlags::INSTANT);
            // Of equal intervals, the earlier one counts as the outer one.
            let is_outer = (start, end) != (from, to) || parent < child;
            parent != child && is_interval && is_outer && start <= from && to <= end
        };
        let parent = |child: usize| {
            let containing = (0..markers.len()).filter(|parent| contains(*parent, child));
            containing.max_by_key(|parent| (markers[*parent].0, std::cmp::Reverse(markers[*parent].1), *parent))
        };
        let link = |child| parent(child).map(|parent| [MarkerId::new(child), MarkerId::new(parent)]);
        (0..markers.len()).filter_map(link).collect()
    }

    #[test]
    fn the_parent_is_the_innermost_interval_that_contains_a_marker() {
        let mut random = fastrand::Rng::with_seed(18);
        for _ in 0..2_000 {
            let mut markers: Vec<(i64, i64, MarkerFlags)> = (0..random.usize(1..14))
                .map(|_| {
                    let (start, length) = (random.i64(0..12), random.i64(0..8));
                    match random.u8(..3) {
                        0 => (start, start, MarkerFlags::STACK_BASED.with(MarkerFlags::INSTANT)),
                        1 => (start, start + length, MarkerFlags::default()),
                        _ => (start, start + length, MarkerFlags::STACK_BASED),
                    }
                })
                .collect();
            markers.sort_by_key(|marker| marker.0);
            let mut finder = ParentFinder::default();
            for (number, (start, end, flags)) in markers.iter().enumerate() {
                finder.add(MarkerId::new(number), TimeRange { start: Ns(*start), end: Ns(*end) }, *flags);
            }
            assert_eq!(finder.finish(), expected(&markers), "{markers:?}");
        }
    }

    #[test]
    fn an_interval_at_the_end_is_a_sibling_and_an_instant_there_is_a_child() {
        let stack = MarkerFlags::STACK_BASED;
        let mut finder = ParentFinder::default();
        for (number, (start, end, flags)) in [
            (0, 10, stack),
            (2, 12, stack),
            (5, 11, MarkerFlags::default()),
            (6, 9, stack),
            (10, 15, stack),
            (15, 15, MarkerFlags::INSTANT),
            (15, 16, MarkerFlags::default()),
        ]
        .into_iter()
        .enumerate()
        {
            finder.add(MarkerId::new(number), TimeRange { start: Ns(start), end: Ns(end) }, flags);
        }
        let links: Vec<(u32, u32)> = finder.finish().iter().map(|[child, parent]| (child.0, parent.0)).collect();
        assert_eq!(links, [(2, 1), (3, 1), (5, 4)]);
    }
}
