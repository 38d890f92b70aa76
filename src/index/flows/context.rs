//! Parents and children of flow markers.

use rayon::prelude::*;

use crate::profile::MarkerId;

/// Parents and children of flow markers.
#[derive(Clone, Debug, Default)]
pub(super) struct Context {
    /// Child and parent, ascending by child.
    links: Vec<(MarkerId, MarkerId)>,
    /// Positions in `links`, ascending by parent, then by child.
    by_parent: Vec<u32>,
}

impl Context {
    /// From links ascending by child.
    pub(super) fn build(links: Vec<(MarkerId, MarkerId)>) -> Self {
        let mut by_parent: Vec<u32> = (0_u32..).take(links.len()).collect();
        by_parent.par_sort_unstable_by_key(|position| (links[*position as usize].1, *position));
        Self { links, by_parent }
    }

    /// The parent of a flow marker.
    pub(super) fn parent(&self, marker: MarkerId) -> Option<MarkerId> {
        let found = self.links.binary_search_by_key(&marker, |(child, _)| *child).ok()?;
        Some(self.links[found].1)
    }

    /// The children of a flow marker in start order.
    pub(super) fn children(&self, marker: MarkerId) -> impl ExactSizeIterator<Item = MarkerId> + Clone + '_ {
        let parent = |position: &u32| self.links[*position as usize].1;
        let first = self.by_parent.partition_point(|position| parent(position) < marker);
        let count = self.by_parent[first..].partition_point(|position| parent(position) == marker);
        self.by_parent[first..first + count].iter().map(|position| self.links[*position as usize].0)
    }

    /// Number of links.
    pub(super) fn len(&self) -> usize {
        self.links.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.links.capacity() * 8 + self.by_parent.capacity() * 4
    }
}
