//! What the call tree and the bottom-up tree have in common.

use std::sync::Arc;

use super::sparks::SparkOf;
use flowline_index::samples::{CallTree, Cost, InvertedTree, Measure, NodeId, Parts, Spread};

/// Nodes and functions from this number on are groups of functions; no tree has so many nodes.
pub(super) const FIRST_GROUP: u32 = 0xff00_0000;

/// A tree whose nodes are functions.
pub(super) trait FunctionTree {
    /// The children of a node, the roots for `None`, the most costly first.
    fn children(&mut self, node: Option<NodeId>) -> Vec<NodeId>;
    /// Whether a node has children.
    fn has_children(&self, node: NodeId) -> bool;
    /// The function of a node.
    fn func(&self, node: NodeId) -> u32;
    /// The node above.
    fn parent(&self, node: NodeId) -> Option<NodeId>;
    /// What a node costs with what is below it, and itself.
    fn costs(&self, node: NodeId) -> [Cost; 2];
    /// A node of the call tree that it stands for.
    fn example(&self, node: NodeId) -> NodeId;
    /// The name of a node that is a group of functions.
    fn group(&self, _node: NodeId) -> Option<&str> {
        None
    }
    /// What decides on the order of nodes.
    fn measure(&self) -> Measure;
    /// Whether its first branch is expanded when it is first shown.
    fn begins_expanded(&self) -> bool;
}

/// A tree whose rows show when their samples were taken.
pub(super) trait TimedTree: FunctionTree {
    /// What the bars of a node are kept under.
    fn spark_of(&self, node: NodeId) -> SparkOf;
    /// When a node's samples were taken.
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

    /// Otherwise the callers of one function would hide all others.
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
        spread.selves(self.leaves(node))
    }
}

/// The functions of a node's path, from the top on.
pub(super) fn path(tree: &impl FunctionTree, node: NodeId) -> Vec<u32> {
    let mut path: Vec<u32> =
        std::iter::successors(Some(node), |node| tree.parent(*node)).map(|node| tree.func(node)).collect();
    path.reverse();
    path
}

/// The functions of a node's path, from the top on, without the group above them. Empty for a group.
pub(super) fn functions(tree: &impl FunctionTree, node: NodeId) -> Vec<u32> {
    let mut path = path(tree, node);
    path.retain(|func| *func < FIRST_GROUP);
    path
}

/// The node of a path, as far as the tree has it.
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
