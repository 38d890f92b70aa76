//! The context of flow markers: their parents and children.

use rayon::prelude::*;

use crate::profile::persist::persist;
use crate::profile::{Column, MarkerId};

/// Children of a marker, in start order.
#[derive(Clone, Debug)]
pub struct Children<'a> {
    links: &'a [[MarkerId; 2]],
    positions: std::slice::Iter<'a, u32>,
}

impl Iterator for Children<'_> {
    type Item = MarkerId;

    fn next(&mut self) -> Option<MarkerId> {
        self.positions.next().map(|position| self.links[*position as usize][0])
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.positions.size_hint()
    }

    fn nth(&mut self, skipped: usize) -> Option<MarkerId> {
        self.positions.nth(skipped).map(|position| self.links[*position as usize][0])
    }
}

impl ExactSizeIterator for Children<'_> {}

/// Parents and children of flow markers.
#[derive(Clone, Debug, Default)]
pub(super) struct Context {
    /// Child and parent, ascending by child.
    links: Column<[MarkerId; 2]>,
    /// Positions in `links`, ascending by parent, then by child.
    by_parent: Column<u32>,
}
persist!(Context { links, by_parent });

impl Context {
    /// From links ascending by child.
    pub(super) fn build(links: Vec<[MarkerId; 2]>) -> Self {
        let mut by_parent: Vec<u32> = (0_u32..).take(links.len()).collect();
        by_parent.par_sort_unstable_by_key(|position| (links[*position as usize][1], *position));
        Self { links: links.into(), by_parent: by_parent.into() }
    }

    /// The parent of a flow marker.
    pub(super) fn parent(&self, marker: MarkerId) -> Option<MarkerId> {
        let found = self.links.binary_search_by_key(&marker, |[child, _]| *child).ok()?;
        Some(self.links[found][1])
    }

    /// The children of a flow marker in start order.
    pub(super) fn children(&self, marker: MarkerId) -> Children<'_> {
        Children { links: &self.links, positions: self.positions(marker).iter() }
    }

    /// The children from the first one for which `before` is false to the one before the first for which `after` is true. Both
    /// must be monotonic in start order.
    pub(super) fn children_between(
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
    pub(super) fn len(&self) -> usize {
        self.links.len()
    }

    /// Whether the columns fit together.
    pub(super) fn is_consistent(&self) -> bool {
        self.links.len() == self.by_parent.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.links.heap_bytes() + self.by_parent.heap_bytes()
    }
}
