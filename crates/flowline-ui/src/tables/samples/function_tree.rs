//! Common interface of the call tree and the bottom-up tree.

use std::sync::Arc;

use super::sparks::SparkOf;
use flowline_index::samples::{CallTree, Cost, InvertedTree, Measure, NodeId, Parts, Spread};

/// Node and function numbers from this one on are groups of functions; no tree has this many nodes.
pub(super) const FIRST_GROUP: u32 = 0xff00_0000;

/// A tree whose nodes are functions.
pub(super) trait FunctionTree {
    /// Children of a node, or the roots for `None`, by descending cost.
    fn children(&mut self, node: Option<NodeId>) -> Vec<NodeId>;
    /// True if a node has children.
    fn has_children(&self, node: NodeId) -> bool;
    /// Function of a node.
    fn func(&self, node: NodeId) -> u32;
    /// Parent of a node.
    fn parent(&self, node: NodeId) -> Option<NodeId>;
    /// Total and self cost of a node.
    fn costs(&self, node: NodeId) -> [Cost; 2];
    /// A node of the call tree that the node represents.
    fn example(&self, node: NodeId) -> NodeId;
    /// Name of a node that is a group of functions.
    fn group(&self, _node: NodeId) -> Option<&str> {
        None
    }
    /// Measure that orders the nodes.
    fn measure(&self) -> Measure;
    /// True if the first branch is expanded initially.
    fn begins_expanded(&self) -> bool;
}

/// A tree whose rows show the distribution of their samples over time.
pub(super) trait TimedTree: FunctionTree {
    /// Cache key of a node's bars.
    fn spark_of(&self, node: NodeId) -> SparkOf;
    /// Distribution of a node's samples over time.
    fn parts(&self, node: NodeId, spread: &Spread) -> Parts;
}

impl FunctionTree for Arc<CallTree> {
    fn children(&mut self, node: Option<NodeId>) -> Vec<NodeId> {
        CallTree::children(self, node)
    }

    fn has_children(&self, node: NodeId) -> bool {
        CallTree::has_children(self, node)
    }

    fn func(&self, node: NodeId) -> u32 {
        self.nodes.func[node as usize]
    }

    fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.nodes.parent(node)
    }

    fn costs(&self, node: NodeId) -> [Cost; 2] {
        [self.total[node as usize], self.own[node as usize]]
    }

    fn example(&self, node: NodeId) -> NodeId {
        node
    }

    fn measure(&self) -> Measure {
        self.measure
    }

    fn begins_expanded(&self) -> bool {
        true
    }
}

impl FunctionTree for InvertedTree {
    fn children(&mut self, node: Option<NodeId>) -> Vec<NodeId> {
        Self::children(self, node).to_vec()
    }

    fn has_children(&self, node: NodeId) -> bool {
        Self::has_children(self, node)
    }

    fn func(&self, node: NodeId) -> u32 {
        Self::func(self, node)
    }

    fn parent(&self, node: NodeId) -> Option<NodeId> {
        Self::parent(self, node)
    }

    fn costs(&self, node: NodeId) -> [Cost; 2] {
        [self.total(node), self.own(node)]
    }

    fn example(&self, node: NodeId) -> NodeId {
        Self::example(self, node)
    }

    fn measure(&self) -> Measure {
        self.tree.measure
    }

    /// False, because the callers of the first function would push all others out of view.
    fn begins_expanded(&self) -> bool {
        false
    }
}

impl TimedTree for Arc<CallTree> {
    fn spark_of(&self, node: NodeId) -> SparkOf {
        SparkOf::Call(node)
    }

    fn parts(&self, node: NodeId, spread: &Spread) -> Parts {
        spread.subtree(node)
    }
}

impl TimedTree for InvertedTree {
    fn spark_of(&self, node: NodeId) -> SparkOf {
        SparkOf::Caller(node)
    }

    fn parts(&self, node: NodeId, spread: &Spread) -> Parts {
        spread.self_costs(self.leaves(node))
    }
}

/// Functions on the path to a node, from the root.
pub(super) fn path(tree: &impl FunctionTree, node: NodeId) -> Vec<u32> {
    let mut path: Vec<u32> =
        std::iter::successors(Some(node), |node| tree.parent(*node)).map(|node| tree.func(node)).collect();
    path.reverse();
    path
}

/// Functions on the path to a node, from the root, without the group above them. Empty for a group.
pub(super) fn functions(tree: &impl FunctionTree, node: NodeId) -> Vec<u32> {
    let mut path = path(tree, node);
    path.retain(|func| *func < FIRST_GROUP);
    path
}

/// The node of the longest prefix of a path that exists in the tree.
pub(super) fn find(tree: &mut impl FunctionTree, path: &[u32]) -> Option<NodeId> {
    let mut found = None;
    for func in path {
        let next = tree.children(found).into_iter().find(|child| tree.func(*child) == *func);
        if next.is_none() {
            break;
        }
        found = next;
    }
    found
}
