//! The order and positions of flow lanes.

use flowline_profile::{FlowId, ThreadId};

/// The flow lanes of a scope in order. The list is built in the background and shared by the frames that show it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlowLanes {
    flows: Vec<FlowId>,
    /// Row by flow; [`NONE`] for a flow without a lane.
    places: Vec<u32>,
    /// Number of flow lanes of each node of the type tree including its descendants, enabled or not.
    counts: Vec<u32>,
    /// The headings, from top to bottom.
    groups: Vec<FlowLaneGroup>,
    /// Number of flows that take no time.
    instants: u32,
}

/// A heading: a node of the type tree, or a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowLaneGroup {
    /// Node in the tree, or [`FlowLaneGroup::node_of_thread`].
    pub node: u32,
    /// Path below the enclosing heading, or the thread.
    pub name: String,
    /// Number of enclosing headings.
    pub depth: u32,
    /// Row of the first lane below the heading.
    pub first: u32,
    /// Number of lanes of its types, including collapsed ones.
    pub flow_lanes: u32,
    /// True if the contents are collapsed.
    pub collapsed: bool,
}

const NONE: u32 = u32::MAX;

/// Nodes from here on are threads.
const THREADS: u32 = 1 << 31;

impl FlowLaneGroup {
    /// The node of a thread's heading.
    #[must_use]
    pub const fn node_of_thread(thread: ThreadId) -> u32 {
        THREADS | thread.0
    }

    /// True for the node of a thread's heading.
    #[must_use]
    pub const fn is_thread_node(node: u32) -> bool {
        node >= THREADS
    }
}

impl FlowLanes {
    /// Creates the lanes of a subset of `all` flows, each at most once.
    #[must_use]
    pub fn new(flows: Vec<FlowId>, all: usize, counts: Vec<u32>) -> Self {
        let mut places = vec![NONE; all];
        for (row, flow) in (0_u32..).zip(&flows) {
            if let Some(place) = places.get_mut(flow.index()) {
                *place = row;
            }
        }
        Self { flows, places, counts, groups: Vec::new(), instants: 0 }
    }

    /// Adds headings.
    #[must_use]
    pub fn with_groups(self, groups: Vec<FlowLaneGroup>) -> Self {
        Self { groups, ..self }
    }

    /// The same lanes with a number of flows that take no time, listed or not.
    #[must_use]
    pub fn with_instants(self, instants: u32) -> Self {
        Self { instants, ..self }
    }

    /// Number of flows that take no time, listed or not.
    #[must_use]
    pub const fn instants(&self) -> u32 {
        self.instants
    }

    /// The headings, from top to bottom.
    #[must_use]
    pub fn groups(&self) -> &[FlowLaneGroup] {
        &self.groups
    }

    /// Index of a flow's item, counting the headings before it.
    #[must_use]
    pub fn item(&self, flow: FlowId) -> Option<usize> {
        let row = self.row(flow)?;
        Some(row + self.groups.partition_point(|group| group.first as usize <= row))
    }

    /// The lanes and headings without lanes that `keep` rejects, and without headings that become empty.
    #[must_use]
    pub fn filtered(&self, all: usize, keep: impl Fn(&FlowId) -> bool) -> Self {
        let mut flows = Vec::new();
        let mut groups: Vec<FlowLaneGroup> = Vec::with_capacity(self.groups.len());
        let ends = self.groups.iter().skip(1).map(|group| group.first as usize).chain([self.flows.len()]);
        let before = self.groups.first().map_or(self.flows.len(), |group| group.first as usize);
        flows.extend(self.flows[..before].iter().copied().filter(&keep));
        for (group, end) in self.groups.iter().zip(ends) {
            groups.push(FlowLaneGroup { first: u32::try_from(flows.len()).unwrap_or(u32::MAX), ..group.clone() });
            flows.extend(self.flows[group.first as usize..end].iter().copied().filter(&keep));
        }
        // From the last one: a heading stays if a lane follows it, or a nested heading that stays.
        let (mut next, mut inner) = (u32::try_from(flows.len()).unwrap_or(u32::MAX), None);
        let mut kept: Vec<FlowLaneGroup> = Vec::with_capacity(groups.len());
        for group in groups.into_iter().rev() {
            let has_inner = inner.is_some_and(|depth| depth > group.depth);
            if group.collapsed || group.first < next || has_inner {
                (next, inner) = (group.first, Some(group.depth));
                kept.push(group);
            }
        }
        kept.reverse();
        Self::new(flows, all, Vec::new()).with_groups(kept).with_instants(self.instants)
    }

    /// The flows from top to bottom.
    #[must_use]
    pub fn flows(&self) -> &[FlowId] {
        &self.flows
    }

    /// The row of a flow.
    #[must_use]
    pub fn row(&self, flow: FlowId) -> Option<usize> {
        self.places.get(flow.index()).filter(|row| **row != NONE).map(|row| *row as usize)
    }

    /// Number of flow lanes of the scope in a node of the type tree; `None` before types are known.
    #[must_use]
    pub fn count(&self, node: usize) -> Option<u32> {
        self.counts.get(node).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(name: &str, depth: u32, first: u32, collapsed: bool) -> FlowLaneGroup {
        FlowLaneGroup { node: 0, name: name.into(), depth, first, flow_lanes: 9, collapsed }
    }

    #[test]
    fn headings_precede_their_lanes_and_disappear_with_the_last() {
        let groups = vec![
            group("a", 0, 0, false),
            group("b", 1, 0, false),
            group("c", 1, 2, false),
            group("d", 0, 3, true),
            group("e", 0, 3, false),
        ];
        let rows = FlowLanes::new((0..5).map(FlowId).collect(), 5, Vec::new()).with_groups(groups);
        let items: Vec<Option<usize>> = (0..6).map(|flow| rows.item(FlowId(flow))).collect();
        assert_eq!(items, [Some(2), Some(3), Some(5), Some(8), Some(9), None]);

        let some = rows.filtered(5, |flow| flow.0 == 2);
        let names: Vec<(&str, u32)> = some.groups().iter().map(|group| (group.name.as_str(), group.first)).collect();
        assert_eq!((some.flows(), names), (&[FlowId(2)][..], vec![("a", 0), ("c", 0), ("d", 1)]));
        assert_eq!(some.item(FlowId(2)), Some(2));
        assert_eq!(rows.filtered(5, |_| true), FlowLanes { counts: Vec::new(), ..rows.clone() });
    }
}
