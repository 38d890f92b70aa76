//! A tree with groups of functions above its first level.

use std::collections::HashMap;
use std::sync::Arc;

use super::function_tree::{FIRST_GROUP, FunctionTree, TimedTree};
use super::sparks::SparkOf;
use flowline_index::samples::{Cost, Group, Groups, Measure, NodeId, PARTS, Parts, Spread, groups_of};

/// A tree with optional groups. Nodes other than groups keep their numbers.
pub(super) struct GroupedTree<T> {
    /// The tree without groups.
    pub(super) tree: T,
    groups: Option<Arc<Groups>>,
    list: Vec<Group>,
    of_root: HashMap<NodeId, NodeId>,
}

impl<T: FunctionTree> GroupedTree<T> {
    /// Groups the first level of a tree, if there are groups; `group_of` returns the group of a root, and the costs
    /// that the root adds to it.
    pub(super) fn new(
        mut tree: T,
        groups: Option<Arc<Groups>>,
        group_of: impl Fn(&Groups, &T, NodeId) -> (u32, [Cost; 2]),
    ) -> Self {
        let (mut list, mut of_root) = (Vec::new(), HashMap::new());
        if let Some(groups) = &groups {
            let roots = tree.children(None);
            let nodes = roots.into_iter().map(|node| {
                let (group, costs) = group_of(groups, &tree, node);
                (node, group, costs)
            });
            list = groups_of(nodes, tree.measure());
            for (number, group) in (FIRST_GROUP..).zip(&list) {
                of_root.extend(group.nodes.iter().map(|node| (*node, number)));
            }
        }
        Self { tree, groups, list, of_root }
    }

    fn of_node(&self, node: NodeId) -> Option<&Group> {
        self.list.get(node.checked_sub(FIRST_GROUP)? as usize)
    }
}

impl<T: FunctionTree> FunctionTree for GroupedTree<T> {
    fn children(&mut self, node: Option<NodeId>) -> Vec<NodeId> {
        match node {
            None if self.groups.is_some() => (FIRST_GROUP..).take(self.list.len()).collect(),
            Some(number) if let Some(group) = self.of_node(number) => group.nodes.clone(),
            node => self.tree.children(node),
        }
    }

    fn has_children(&self, node: NodeId) -> bool {
        self.of_node(node).is_some() || self.tree.has_children(node)
    }

    fn func(&self, node: NodeId) -> u32 {
        self.of_node(node).map_or_else(|| self.tree.func(node), |group| FIRST_GROUP.saturating_add(group.group))
    }

    fn parent(&self, node: NodeId) -> Option<NodeId> {
        if self.of_node(node).is_some() {
            return None;
        }
        self.tree.parent(node).or_else(|| self.of_root.get(&node).copied())
    }

    fn costs(&self, node: NodeId) -> [Cost; 2] {
        self.of_node(node).map_or_else(|| self.tree.costs(node), |group| [group.total, group.own])
    }

    fn example(&self, node: NodeId) -> NodeId {
        let root = self.of_node(node).and_then(|group| group.nodes.first());
        self.tree.example(root.copied().unwrap_or(node))
    }

    fn group(&self, node: NodeId) -> Option<&str> {
        Some(self.groups.as_ref()?.display_name(self.of_node(node)?.group))
    }

    fn measure(&self) -> Measure {
        self.tree.measure()
    }

    fn begins_expanded(&self) -> bool {
        self.tree.begins_expanded()
    }
}

impl<T: TimedTree> TimedTree for GroupedTree<T> {
    fn spark_of(&self, node: NodeId) -> SparkOf {
        self.tree.spark_of(node)
    }

    fn parts(&self, node: NodeId, spread: &Spread) -> Parts {
        let Some(group) = self.of_node(node) else { return self.tree.parts(node, spread) };
        group.nodes.iter().fold([0.0; PARTS], |mut sum, node| {
            sum.iter_mut().zip(self.tree.parts(*node, spread)).for_each(|(sum, part)| *sum += part);
            sum
        })
    }
}
