//! Connections between flows, computed on demand. Directly connected flows share a marker; incoming flows are those of
//! the parents of a flow's markers, outgoing flows those of their children.
//!
//! Cost: every marker and every membership is visited once. A flow with a million members and a marker in ten thousand
//! flows cost the sum of these numbers, never their product.

use super::flow_graph::FlowGraph;
use flowline_profile::{Direction, FlowId, MarkerId};

/// Flows connected to some given flows. Each list is ascending (which is start order), without duplicates and without
/// the given flows; a flow may be in several lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Connections {
    /// Flows of the parents of their markers.
    pub incoming: Vec<FlowId>,
    /// Flows that share a marker with them.
    pub direct: Vec<FlowId>,
    /// Flows of the children of their markers.
    pub outgoing: Vec<FlowId>,
}

/// Flows reached from some given flows step by step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chain {
    /// Flows of each step, nearest first. Each flow is listed in the first step that reaches it.
    pub steps: Vec<Vec<FlowId>>,
    /// True if the chain is known to end with the last step; false if the maximum number of steps was reached.
    pub complete: bool,
    /// True if the chain was truncated at the maximum number of flows.
    pub limited: bool,
}

impl Chain {
    /// Number of flows in all steps.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.steps.iter().map(Vec::len).sum()
    }

    /// True if no flow was reached.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
}

/// The list in ascending order without duplicates.
fn set<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort_unstable();
    list.dedup();
    list
}

impl FlowGraph {
    /// Flows connected to the given ones.
    #[must_use]
    pub fn connections(&self, flows: &[FlowId]) -> Connections {
        let asked: std::collections::HashSet<FlowId> = flows.iter().copied().collect();
        let others = |mut list: Vec<FlowId>| {
            list.retain(|flow| !asked.contains(flow));
            list
        };
        Connections {
            incoming: others(self.step(flows, Direction::Back)),
            direct: self.direct(flows),
            outgoing: others(self.step(flows, Direction::Forward)),
        }
    }

    /// Flows that share a marker with the given ones.
    #[must_use]
    pub fn direct(&self, flows: &[FlowId]) -> Vec<FlowId> {
        let asked: std::collections::HashSet<FlowId> = flows.iter().copied().collect();
        let members = flows.iter().flat_map(|flow| self.members(*flow)).copied();
        let mut direct = self.flows_of_all(members.filter(|marker| self.flows_of(*marker).len() > 1).collect());
        direct.retain(|flow| !asked.contains(flow));
        direct
    }

    /// Flows of the parents (or of the children) of the flows' markers.
    #[must_use]
    pub fn step(&self, flows: &[FlowId], direction: Direction) -> Vec<FlowId> {
        if self.context.len() == 0 {
            return Vec::new();
        }
        let members = flows.iter().flat_map(|flow| self.members(*flow));
        let markers: Vec<MarkerId> = match direction {
            Direction::Back => members.filter_map(|marker| self.parent(*marker)).collect(),
            Direction::Forward => {
                // A marker may be in several of the flows.
                let parents = set(members.copied().collect());
                parents.into_iter().flat_map(|marker| self.children(marker)).collect()
            }
        };
        self.flows_of_all(markers)
    }

    /// Causes of the given flows: the flows of the parents of their first markers. Other incoming flows are not causes.
    #[must_use]
    pub fn causes(&self, flows: &[FlowId]) -> Vec<FlowId> {
        let first = flows.iter().filter_map(|flow| self.members(*flow).first());
        let mut causes = self.flows_of_all(first.filter_map(|marker| self.parent(*marker)).collect());
        let asked: std::collections::HashSet<FlowId> = flows.iter().copied().collect();
        causes.retain(|flow| !asked.contains(flow));
        causes
    }

    /// Flows of some markers.
    #[inline]
    fn flows_of_all(&self, markers: Vec<MarkerId>) -> Vec<FlowId> {
        set(set(markers).into_iter().flat_map(|marker| self.flows_of(marker)).copied().collect())
    }

    /// Follows incoming or outgoing flows for at most `steps` steps and `limit` flows. Each flow is followed once, so
    /// cycles terminate.
    #[must_use]
    pub fn chain(&self, flows: &[FlowId], direction: Direction, steps: usize, limit: usize) -> Chain {
        let mut chain = Chain::default();
        let mut visited: std::collections::HashSet<FlowId> = flows.iter().copied().collect();
        let mut frontier = flows.to_vec();
        let mut room = limit;
        for _ in 0..steps {
            let mut next = self.step(&frontier, direction);
            next.retain(|flow| visited.insert(*flow));
            if next.is_empty() {
                chain.complete = true;
                return chain;
            }
            if next.len() > room {
                next.truncate(room);
                chain.limited = true;
            }
            room -= next.len();
            frontier.clone_from(&next);
            if !next.is_empty() {
                chain.steps.push(next);
            }
            if chain.limited {
                return chain;
            }
        }
        chain
    }
}
