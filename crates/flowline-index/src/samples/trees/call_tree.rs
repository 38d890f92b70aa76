//! The call tree of a selection of samples.

use std::cmp::Ordering;
use std::sync::Arc;

use super::cost::{Cost, Measure};
use super::nodes::{CallNodes, NodeId};
use super::selection::SampleSelection;
use crate::samples::entries::{EntryCosts, EntryId, Work, times_by_work};
use flowline_profile::samples::NONE;
use flowline_profile::{Ns, Profile, StackId};

/// The costs of the nodes of a view in a selection of samples.
#[derive(Clone, Debug)]
pub struct CallTree {
    /// The nodes.
    pub nodes: Arc<CallNodes>,
    /// Self cost of each node.
    pub own: Vec<Cost>,
    /// Total cost of each node, including its callees.
    pub total: Vec<Cost>,
    /// Sort order of nodes.
    pub measure: Measure,
    /// Cost of the whole tree, the basis of percentages. Releases of memory count as positive. For entries, the time is
    /// the length of the range, as in DevTools.
    pub whole: Cost,
    /// First entry of each node in the range; [`NONE`] if it has none. Empty for samples.
    pub first_entry: Vec<EntryId>,
}

impl CallTree {
    /// Sums the costs of a selection.
    #[must_use]
    pub fn new(nodes: Arc<CallNodes>, selection: &SampleSelection<'_>, measure: Measure) -> Self {
        if let Some(entries) = nodes.entries.clone() {
            return Self::of_entries(nodes, &entries.costs(selection.range), measure);
        }
        let own = selection.costs(&nodes);
        Self::with_costs(nodes, own, measure)
    }

    /// Sums the costs of entries by path.
    fn of_entries(nodes: Arc<CallNodes>, costs: &EntryCosts, measure: Measure) -> Self {
        let mut own = vec![Cost::default(); nodes.len()];
        let mut first_entry = vec![NONE; nodes.len()];
        for (path, (cost, first)) in costs.own.iter().zip(&costs.first).enumerate() {
            let Some(node) = nodes.of_stack(StackId::new(path)) else { continue };
            own[node as usize] += *cost;
            let known = &mut first_entry[node as usize];
            *known = (*known).min(*first);
        }
        let mut tree = Self { first_entry, ..Self::with_costs(nodes, own, measure) };
        if !tree.whole.is_zero() {
            tree.whole.time = costs.span;
        }
        tree
    }

    fn with_costs(nodes: Arc<CallNodes>, own: Vec<Cost>, measure: Measure) -> Self {
        let mut total = own.clone();
        for node in (0..nodes.len()).rev() {
            let parent = nodes.parent[node];
            if parent != NONE {
                let cost = total[node];
                total[parent as usize] += cost;
            }
        }
        let mut whole = Cost::default();
        for cost in &own {
            whole += Cost { weight: cost.weight.abs(), ..*cost };
        }
        Self { nodes, own, total, measure, whole, first_entry: Vec::new() }
    }

    /// Self times of the tree's nodes by kind of work, longest first.
    #[must_use]
    #[inline]
    pub fn times_by_work(&self, profile: &Profile) -> Vec<(Work, Ns)> {
        times_by_work(profile, self.nodes.func.iter().copied().zip(self.own.iter().map(|own| own.time)))
    }

    /// True if the tree consists of trace events and calls instead of samples.
    #[must_use]
    #[inline]
    pub fn has_entries(&self) -> bool {
        self.nodes.entries.is_some()
    }

    /// Children of a node or, for `None`, the roots, if they have a cost: largest first, then by function.
    #[must_use]
    pub fn children(&self, node: Option<NodeId>) -> Vec<NodeId> {
        let children = self.nodes.children(node).iter().copied();
        let mut children: Vec<NodeId> = children.filter(|node| !self.total[*node as usize].is_zero()).collect();
        children.sort_by(|a, b| {
            let func = |node: NodeId| self.nodes.func[node as usize];
            larger_first(&self.total[*a as usize], &self.total[*b as usize], self.measure)
                .then_with(|| func(*a).cmp(&func(*b)))
        });
        children
    }

    /// True if a node has children with a cost.
    #[must_use]
    #[inline]
    pub fn has_children(&self, node: NodeId) -> bool {
        self.nodes.children(Some(node)).iter().any(|child| !self.total[*child as usize].is_zero())
    }

    /// Path of the largest children, starting with the largest child of a node.
    #[inline]
    pub fn heaviest(&self, node: Option<NodeId>) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.children(node).first().copied(), |node| self.children(Some(*node)).first().copied())
    }

    /// All nodes with a cost, depth first, largest children first, each with its depth.
    pub fn walk(&self) -> impl Iterator<Item = (NodeId, usize)> {
        let mut pending: Vec<(NodeId, usize)> = self.children(None).into_iter().rev().map(|node| (node, 0)).collect();
        std::iter::from_fn(move || {
            let (node, depth) = pending.pop()?;
            pending.extend(self.children(Some(node)).into_iter().rev().map(|child| (child, depth + 1)));
            Some((node, depth))
        })
    }
}

/// Compares costs for a descending sort.
pub(crate) fn larger_first(a: &Cost, b: &Cost, measure: Measure) -> Ordering {
    b.size(measure).total_cmp(&a.size(measure))
}
