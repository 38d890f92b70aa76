//! The tree itself: what the nodes are, what is expanded, and where the cursor stands.
//!
//! A marker's children are its flows, but for the one above it; a flow's are its markers. They are looked up when a node
//! is expanded or shown, never before, so that cycles of flows are just trees as deep as a person goes.

use std::collections::HashMap;
use std::ops::Range;

use super::branch::Branch;
use super::members::{Members, SortOrder};
use crate::index::Index;
use crate::index::flows::FlowGraph;
use crate::profile::{FlowId, MarkerId};

/// What a node stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TreeItem {
    /// What holds the roots; it has no row.
    Top,
    /// A flow.
    Flow(FlowId),
    /// A marker, as a member of the flow above it if there is one.
    Marker(MarkerId, Option<FlowId>),
}

/// A row.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Its number.
    pub(super) row: usize,
    /// What stands there.
    pub(super) item: TreeItem,
    /// From the top to it, by number of the child shown.
    pub(super) path: Vec<usize>,
    /// Its position among its siblings in their own order.
    pub(super) position: usize,
    /// Number of its siblings, itself included.
    pub(super) siblings: usize,
    /// Number of its children.
    pub(super) children: usize,
    /// Whether these are shown.
    pub(super) expanded: bool,
}

impl Node {
    /// The flow that keys mean: of a marker the one above it.
    pub(super) const fn flow(&self) -> Option<FlowId> {
        match self.item {
            TreeItem::Flow(flow) => Some(flow),
            TreeItem::Marker(_, above) => above,
            TreeItem::Top => None,
        }
    }
}

/// The tree.
#[derive(Debug)]
pub(super) struct Outline {
    roots: Vec<TreeItem>,
    tree: Branch<TreeItem>,
    /// Order and gaps of expanded flows, as far as known.
    members: HashMap<FlowId, Members>,
    /// The row that keys mean, and the positions that lead to it.
    cursor: usize,
    trail: Vec<usize>,
}

impl Outline {
    pub(super) fn new() -> Self {
        Self {
            roots: Vec::new(),
            tree: Branch::new(TreeItem::Top, 0, 0),
            members: HashMap::new(),
            cursor: 0,
            trail: Vec::new(),
        }
    }

    /// The nodes at the top.
    pub(super) fn roots(&self) -> &[TreeItem] {
        &self.roots
    }

    /// Begins anew from other roots; a single one is expanded, and so is its only flow, or those that are `entered`.
    pub(super) fn set_roots(&mut self, graph: &FlowGraph, roots: Vec<TreeItem>, entered: &[FlowId]) {
        self.tree = Branch::new(TreeItem::Top, 0, roots.len());
        self.roots = roots;
        self.members.clear();
        (self.cursor, self.trail) = (0, vec![0]);
        let [root] = self.roots[..] else { return };
        self.expand(graph, &[0], 0, root);
        if let TreeItem::Marker(marker, _) = root {
            let flows = graph.flows_of(marker);
            for (place, flow) in flows.iter().enumerate() {
                if flows.len() == 1 || entered.contains(flow) {
                    self.expand(graph, &[0, place], place, TreeItem::Flow(*flow));
                }
            }
        }
    }

    fn expand(&mut self, graph: &FlowGraph, path: &[usize], position: usize, item: TreeItem) {
        let children = self.children(graph, item);
        if children > 0 {
            self.tree.open(path, Branch::new(item, position, children));
        }
    }

    /// Rows of the tree.
    pub(super) const fn rows(&self) -> usize {
        self.tree.rows()
    }

    /// The row that keys mean.
    pub(super) const fn cursor(&self) -> usize {
        self.cursor
    }

    fn children(&self, graph: &FlowGraph, item: TreeItem) -> usize {
        match item {
            TreeItem::Top => self.roots.len(),
            TreeItem::Flow(flow) => graph.members(flow).len(),
            TreeItem::Marker(marker, above) => {
                graph.flows_of(marker).len().saturating_sub(usize::from(above.is_some()))
            }
        }
    }

    /// The child shown at a place of a node, and its position in the children's own order.
    fn child(&self, graph: &FlowGraph, parent: TreeItem, shown: usize) -> Option<(usize, TreeItem)> {
        match parent {
            TreeItem::Top => Some((shown, *self.roots.get(shown)?)),
            TreeItem::Flow(flow) => {
                let position = self.members.get(&flow).map_or(shown, |members| members.position(shown));
                Some((position, TreeItem::Marker(*graph.members(flow).get(position)?, Some(flow))))
            }
            TreeItem::Marker(marker, above) => {
                let flows = graph.flows_of(marker);
                let left_out = above.and_then(|above| flows.binary_search(&above).ok());
                let at = if left_out.is_some_and(|left_out| left_out <= shown) { shown + 1 } else { shown };
                Some((shown, TreeItem::Flow(*flows.get(at)?)))
            }
        }
    }

    /// The place at which a child is shown.
    fn shown(&self, parent: TreeItem, position: usize) -> usize {
        match parent {
            TreeItem::Flow(flow) => self.members.get(&flow).map_or(position, |members| members.shown(position)),
            _ => position,
        }
    }

    /// Some rows.
    pub(super) fn nodes(&self, graph: &FlowGraph, rows: Range<usize>) -> Vec<Node> {
        let mut nodes = Vec::new();
        self.tree.visit(rows, &mut |place| {
            let shown = place.path.last().copied().unwrap_or(0);
            let Some((position, item)) = self.child(graph, place.parent.item, shown) else { return };
            nodes.push(Node {
                row: place.row,
                item,
                path: place.path.to_vec(),
                position,
                siblings: place.parent.children(),
                children: self.children(graph, item),
                expanded: place.branch.is_some(),
            });
        });
        nodes
    }

    /// A row.
    pub(super) fn node(&self, graph: &FlowGraph, row: usize) -> Option<Node> {
        self.nodes(graph, row..row + 1).pop()
    }

    /// The gap before a member of a flow, by its position; `None` while it is not known, and inside if it is the first.
    pub(super) fn gap(&self, index: &Index, flow: FlowId, position: usize) -> Option<Option<i64>> {
        let members = self.members.get(&flow)?;
        Some(members.gap(index.profile(), index.flows().members(flow), position))
    }

    /// Puts the cursor on a row.
    pub(super) fn move_to(&mut self, graph: &FlowGraph, row: usize) {
        let Some(node) = self.node(graph, row) else { return };
        self.cursor = row;
        self.trail.clear();
        let mut parent = TreeItem::Top;
        for shown in node.path {
            let Some((position, item)) = self.child(graph, parent, shown) else { return };
            self.trail.push(position);
            parent = item;
        }
    }

    /// After rows were added, removed or put into another order: the cursor stays on its node, or goes to the nearest
    /// one above that is still shown.
    fn follow_trail(&mut self, graph: &FlowGraph) {
        let (mut path, mut parent, mut row) = (Vec::new(), TreeItem::Top, 0);
        for position in &self.trail {
            path.push(self.shown(parent, *position));
            let Some(found) = self.tree.row(&path) else {
                path.pop();
                break;
            };
            row = found;
            let Some((_, item)) = path.last().and_then(|shown| self.child(graph, parent, *shown)) else { break };
            parent = item;
        }
        self.trail.truncate(path.len());
        self.cursor = row;
    }

    /// Expands or collapses a node.
    pub(super) fn toggle(&mut self, graph: &FlowGraph, node: &Node) {
        if node.expanded {
            self.tree.close(&node.path);
        } else {
            self.expand(graph, &node.path, node.position, node.item);
        }
        self.follow_trail(graph);
    }

    /// Right: expands the node, or goes to its first child.
    pub(super) fn inwards(&mut self, graph: &FlowGraph) {
        match self.node(graph, self.cursor) {
            Some(node) if node.expanded => self.move_to(graph, node.row + 1),
            Some(node) => self.toggle(graph, &node),
            None => {}
        }
    }

    /// Left: collapses the node, or goes to its parent.
    pub(super) fn outwards(&mut self, graph: &FlowGraph) {
        match self.node(graph, self.cursor) {
            Some(node) if node.expanded => self.toggle(graph, &node),
            Some(node) => {
                let above = node.path.split_last().and_then(|(_, above)| self.tree.row(above));
                if let Some(above) = above {
                    self.move_to(graph, above);
                }
            }
            None => {}
        }
    }

    /// The expanded flows whose order is not known yet.
    pub(super) fn missing(&self) -> Vec<FlowId> {
        let mut missing = Vec::new();
        self.tree.each_open(&mut |item| {
            if let TreeItem::Flow(flow) = item
                && !self.members.contains_key(flow)
            {
                missing.push(*flow);
            }
        });
        missing.sort_unstable();
        missing.dedup();
        missing
    }

    /// Forgets all orders: the rows are to be sorted another way.
    pub(super) fn forget_orders(&mut self, graph: &FlowGraph) {
        self.members.clear();
        self.reorder(graph);
    }

    /// Takes orders.
    pub(super) fn set_members(&mut self, graph: &FlowGraph, found: impl IntoIterator<Item = (FlowId, Members)>) {
        self.members.extend(found);
        self.reorder(graph);
    }

    fn reorder(&mut self, graph: &FlowGraph) {
        let mut tree = std::mem::replace(&mut self.tree, Branch::new(TreeItem::Top, 0, 0));
        tree.reorder(&|item, position| self.shown(*item, position));
        self.tree = tree;
        self.follow_trail(graph);
    }

    /// Finds the order of some flows.
    pub(super) fn arrange(index: &Index, flows: &[FlowId], sort: SortOrder) -> Vec<(FlowId, Members)> {
        flows.iter().map(|flow| (*flow, Members::arrange(index, *flow, sort))).collect()
    }
}
