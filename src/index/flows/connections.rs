//! What flows have to do with others, computed for the flows at hand: directly connected ones share a marker, incoming
//! ones are those of the parents of their markers, outgoing ones those of the children.
//!
//! Cost: every marker looked at is looked at once, and so is every membership of it; a set of flows with a million
//! members, or a marker in ten thousand flows, costs as many steps, never their product.

use super::FlowGraph;
use crate::profile::{FlowId, MarkerId};

/// The flows connected to some flows, each list ascending (which is start order), without repeats and without the flows
/// asked for; a flow may be in several lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Connections {
    /// Flows of the parents of their markers.
    pub incoming: Vec<FlowId>,
    /// Flows that share a marker with them.
    pub direct: Vec<FlowId>,
    /// Flows of the children of their markers.
    pub outgoing: Vec<FlowId>,
}

/// Which way a chain is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To causes.
    Back,
    /// To effects.
    Forward,
}

/// The flows reached from some flows step by step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chain {
    /// The flows of each step, those one step away first; each flow stands in the first step that reaches it.
    pub steps: Vec<Vec<FlowId>>,
    /// Whether the chain ended by itself: nothing lies beyond the last step. Not asked beyond the steps wanted.
    pub complete: bool,
    /// Whether it was cut because it reached the limit.
    pub limited: bool,
}

impl Chain {
    /// Number of flows in all steps.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.iter().map(Vec::len).sum()
    }

    /// Whether nothing was reached.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
}

/// Ascending without repeats.
fn set<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort_unstable();
    list.dedup();
    list
}

impl FlowGraph {
    /// What the given flows are connected to.
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

    /// The flows that share a marker with the given ones.
    #[must_use]
    pub fn direct(&self, flows: &[FlowId]) -> Vec<FlowId> {
        let asked: std::collections::HashSet<FlowId> = flows.iter().copied().collect();
        let members = flows.iter().flat_map(|flow| self.members(*flow)).copied();
        let mut direct = self.flows_of_all(members.filter(|marker| self.flows_of(*marker).len() > 1).collect());
        direct.retain(|flow| !asked.contains(flow));
        direct
    }

    /// The flows of the parents (or of the children) of the flows' markers.
    #[must_use]
    pub fn step(&self, flows: &[FlowId], direction: Direction) -> Vec<FlowId> {
        if self.context.len() == 0 {
            return Vec::new();
        }
        let members = flows.iter().flat_map(|flow| self.members(*flow));
        let markers: Vec<MarkerId> = match direction {
            Direction::Back => members.filter_map(|marker| self.parent(*marker)).collect(),
            Direction::Forward => {
                // A marker in several of the flows has its children once.
                let parents = set(members.copied().collect());
                parents.into_iter().flat_map(|marker| self.children(marker)).collect()
            }
        };
        self.flows_of_all(markers)
    }

    /// The flows of some markers.
    fn flows_of_all(&self, markers: Vec<MarkerId>) -> Vec<FlowId> {
        set(set(markers).into_iter().flat_map(|marker| self.flows_of(marker)).copied().collect())
    }

    /// Follows incoming (or outgoing) flows from some flows for at most `steps` steps and `limit` flows. Flows that were
    /// met before are not followed again, so cycles end.
    #[must_use]
    pub fn chain(&self, flows: &[FlowId], direction: Direction, steps: usize, limit: usize) -> Chain {
        let mut chain = Chain::default();
        let mut met: std::collections::HashSet<FlowId> = flows.iter().copied().collect();
        let mut frontier = flows.to_vec();
        let mut room = limit;
        for _ in 0..steps {
            let mut next = self.step(&frontier, direction);
            next.retain(|flow| met.insert(*flow));
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
