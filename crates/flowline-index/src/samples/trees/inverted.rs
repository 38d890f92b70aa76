//! The inverted call tree: functions by self cost, with their callers as descendants.
//!
//! It can be far larger than the call tree, so the children of a node are created on first use.

use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use super::call_tree::{CallTree, larger_first};
use super::cost::Cost;
use super::groups::Groups;
use super::nodes::NodeId;
use flowline_profile::Ns;
use flowline_profile::samples::NONE;

/// A node of the inverted tree.
#[derive(Clone, Debug)]
struct Node {
    parent: NodeId,
    func: u32,
    /// Group of a root, if there are groups.
    group: u32,
    /// Self cost of the paths.
    own: Cost,
    /// Total cost of the paths for entries; self cost for samples.
    total: Cost,
    /// The paths that the node represents: a call tree node with a cost, and its caller at this depth.
    paths: Vec<(NodeId, NodeId)>,
    children: Option<Vec<NodeId>>,
}

/// Functions by self cost, with their callers as descendants.
#[derive(Clone, Debug)]
pub struct InvertedTree {
    /// The call tree that it inverts.
    pub tree: Arc<CallTree>,
    nodes: Vec<Node>,
    roots: Vec<NodeId>,
}

impl InvertedTree {
    /// Inverts a call tree.
    #[must_use]
    #[inline]
    pub fn new(tree: Arc<CallTree>) -> Self {
        Self::grouped(tree, None)
    }

    /// Inverts a call tree. A function with nodes in several groups has one root per group.
    #[must_use]
    pub fn grouped(tree: Arc<CallTree>, groups: Option<&Groups>) -> Self {
        let mut inverted = Self { tree, nodes: Vec::new(), roots: Vec::new() };
        let tree = Arc::clone(&inverted.tree);
        // Depth first, so that roots of equal cost are in the order of the call tree.
        let mut pending: Vec<NodeId> = tree.nodes.children(None).iter().rev().copied().collect();
        let mut paths = Vec::new();
        while let Some(node) = pending.pop() {
            pending.extend(tree.nodes.children(Some(node)).iter().rev());
            let costs = if tree.has_entries() { &tree.total } else { &tree.own };
            if !costs[node as usize].is_zero() {
                paths.push((node, node));
            }
        }
        let nodes = &tree.nodes;
        let group = |node: NodeId| groups.map_or(0, |groups| groups.of_leaf(nodes, node));
        let mut roots = inverted.add(NONE, &paths, group);
        if tree.has_entries() {
            roots.retain(|root| inverted.nodes[*root as usize].own.time > Ns(0));
        }
        inverted.roots = roots;
        inverted
    }

    /// Adds a child for each function or titled call that the paths lead to, or one per group if its nodes are in several
    /// groups.
    fn add(&mut self, parent: NodeId, paths: &[(NodeId, NodeId)], group_of: impl Fn(NodeId) -> u32) -> Vec<NodeId> {
        let tree = Arc::clone(&self.tree);
        let mut of_func: HashMap<(u32, u16, u32), NodeId> = HashMap::default();
        let mut added = Vec::new();
        for &(leaf, at) in paths {
            let func = tree.nodes.func[at as usize];
            let group = group_of(at);
            let node = *of_func.entry((func, tree.nodes.part(at), group)).or_insert_with(|| {
                let node = u32::try_from(self.nodes.len()).unwrap_or(NONE);
                let (own, total) = (Cost::default(), Cost::default());
                self.nodes.push(Node { parent, func, group, own, total, paths: Vec::new(), children: None });
                added.push(node);
                node
            });
            let node = &mut self.nodes[node as usize];
            node.own += tree.own[leaf as usize];
            node.paths.push((leaf, at));
        }
        for node in &added {
            let node = &mut self.nodes[*node as usize];
            node.total = if tree.has_entries() { outermost(&tree, &node.paths) } else { node.own };
        }
        // Relies on the stable sort to keep roots of equal cost in order.
        if parent == NONE {
            added
                .sort_by(|a, b| larger_first(&self.nodes[*a as usize].own, &self.nodes[*b as usize].own, tree.measure));
        } else {
            added.sort_by(|a, b| {
                let [a, b] = [a, b].map(|node| &self.nodes[*node as usize]);
                larger_first(&a.own, &b.own, tree.measure).then_with(|| a.func.cmp(&b.func))
            });
        }
        added
    }

    /// Callers of a node or, for `None`, the root functions; largest first.
    pub fn children(&mut self, node: Option<NodeId>) -> &[NodeId] {
        let Some(node) = node else { return &self.roots };
        if self.nodes[node as usize].children.is_none() {
            let caller = |&(leaf, at): &(NodeId, NodeId)| Some((leaf, self.tree.nodes.parent(at)?));
            let paths: Vec<(NodeId, NodeId)> = self.nodes[node as usize].paths.iter().filter_map(caller).collect();
            let children = self.add(node, &paths, |_| 0);
            self.nodes[node as usize].children = Some(children);
        }
        self.nodes[node as usize].children.as_deref().unwrap_or_default()
    }

    /// True if a node has callers.
    #[must_use]
    #[inline]
    pub fn has_children(&self, node: NodeId) -> bool {
        self.nodes[node as usize].paths.iter().any(|(_, at)| self.tree.nodes.parent(*at).is_some())
    }

    /// Function of a node; see [`crate::samples::func_name`].
    #[must_use]
    #[inline]
    pub fn func(&self, node: NodeId) -> u32 {
        self.nodes[node as usize].func
    }

    /// Group of a root.
    #[must_use]
    #[inline]
    pub fn group(&self, root: NodeId) -> u32 {
        self.nodes[root as usize].group
    }

    /// Parent of a node.
    #[must_use]
    #[inline]
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        Some(self.nodes[node as usize].parent).filter(|parent| *parent != NONE)
    }

    /// A node of the call tree that a node represents.
    #[must_use]
    #[inline]
    pub fn example(&self, node: NodeId) -> NodeId {
        self.nodes[node as usize].paths[0].1
    }

    /// Nodes of the call tree whose self costs add up to the cost of a node.
    #[inline]
    pub fn leaves(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        self.nodes[node as usize].paths.iter().map(|(leaf, _)| *leaf)
    }

    /// Total cost of a node.
    #[must_use]
    #[inline]
    pub fn total(&self, node: NodeId) -> Cost {
        self.nodes[node as usize].total
    }

    /// Self cost of a node. For samples, only roots have one; for entries, callers have one, too.
    #[must_use]
    #[inline]
    pub fn own(&self, node: NodeId) -> Cost {
        let own = &self.nodes[node as usize];
        if own.parent == NONE || self.tree.has_entries() { own.own } else { Cost::default() }
    }

    /// Contribution of a root to its group: its self cost, because total costs of functions overlap.
    #[must_use]
    #[inline]
    pub fn group_costs(&self, root: NodeId) -> [Cost; 2] {
        [self.nodes[root as usize].own; 2]
    }

    /// Functions of a node's path, root first.
    #[must_use]
    pub fn path(&self, node: NodeId) -> Vec<u32> {
        let mut path: Vec<u32> =
            std::iter::successors(Some(node), |node| self.parent(*node)).map(|node| self.func(node)).collect();
        path.reverse();
        path
    }
}

/// Total cost of some nodes of the call tree. Nodes inside others of them do not count, so that no cost counts twice.
fn outermost(tree: &CallTree, paths: &[(NodeId, NodeId)]) -> Cost {
    let leaves: HashSet<NodeId> = paths.iter().map(|(leaf, _)| *leaf).collect();
    let mut sum = Cost::default();
    for (leaf, _) in paths {
        if !tree.nodes.walk(*leaf).skip(1).any(|node| leaves.contains(&node)) {
            sum += tree.total[*leaf as usize];
        }
    }
    sum
}
