//! State of the tree: its nodes, the expanded ones, and the cursor. A marker's children are its flows, except for the
//! one above it; a flow's children are its markers. Children are looked up only when a node is expanded or shown, so a
//! cycle of flows is a tree as deep as the user expands it.

use std::collections::HashMap;
use std::ops::Range;

use super::branch::Branch;
use super::members::{Members, SortOrder};
use flowline_index::Index;
use flowline_index::flows::FlowGraph;
use flowline_profile::{FlowId, MarkerId};

/// Item that a node represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TreeItem {
    /// The invisible parent of the roots.
    Top,
    /// A flow.
    Flow(FlowId),
    /// A marker, as a member of the flow above it if there is one.
    Marker(MarkerId, Option<FlowId>),
}

/// A visible node.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Row number.
    pub(super) row: usize,
    /// The represented item.
    pub(super) item: TreeItem,
    /// Path from the root, by displayed child number.
    pub(super) path: Vec<usize>,
    /// Position among its siblings in their original order.
    pub(super) position: usize,
    /// Number of siblings, including itself.
    pub(super) siblings: usize,
    /// Number of children.
    pub(super) children: usize,
    /// True if its children are shown.
    pub(super) expanded: bool,
}

impl Node {
    /// The flow that keys act on; for a marker, the flow above it.
    pub(super) const fn flow(&self) -> Option<FlowId> {
        match self.item {
            TreeItem::Flow(flow) => Some(flow),
            TreeItem::Marker(_, above) => above,
            TreeItem::Top => None,
        }
    }
}

/// State of the tree.
#[derive(Debug)]
pub(super) struct Outline {
    roots: Vec<TreeItem>,
    tree: Branch<TreeItem>,
    /// Order and gaps of the sorted expanded flows.
    members: HashMap<FlowId, Members>,
    /// The cursor's row, and the path of positions to it.
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

    /// Root nodes.
    pub(super) fn roots(&self) -> &[TreeItem] {
        &self.roots
    }

    /// Replaces the roots. Expands a single root, its only flow, and its `entered` flows.
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

    /// Number of rows.
    pub(super) const fn rows(&self) -> usize {
        self.tree.rows()
    }

    /// The cursor's row.
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

    /// The child with a displayed number, and its position in the original order.
    fn child(&self, graph: &FlowGraph, parent: TreeItem, shown: usize) -> Option<(usize, TreeItem)> {
        match parent {
            TreeItem::Top => Some((shown, *self.roots.get(shown)?)),
            TreeItem::Flow(flow) => {
                let position = self.members.get(&flow).map_or(shown, |members| members.position(shown));
                Some((position, TreeItem::Marker(*graph.members(flow).get(position)?, Some(flow))))
            }
            TreeItem::Marker(marker, above) => {
                let flows = graph.flows_of(marker);
                let omitted = above.and_then(|above| flows.binary_search(&above).ok());
                let at = if omitted.is_some_and(|omitted| omitted <= shown) { shown + 1 } else { shown };
                Some((shown, TreeItem::Flow(*flows.get(at)?)))
            }
        }
    }

    /// Displayed number of a child.
    fn shown(&self, parent: TreeItem, position: usize) -> usize {
        match parent {
            TreeItem::Flow(flow) => self.members.get(&flow).map_or(position, |members| members.shown(position)),
            _ => position,
        }
    }

    /// Nodes of a range of rows.
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

    /// A visible node.
    pub(super) fn node(&self, graph: &FlowGraph, row: usize) -> Option<Node> {
        self.nodes(graph, row..row + 1).pop()
    }

    /// Gap before a marker of a flow, by its position. The outer `None` means not computed yet, the inner `None` that
    /// the marker is the first.
    pub(super) fn gap(&self, index: &Index, flow: FlowId, position: usize) -> Option<Option<i64>> {
        let members = self.members.get(&flow)?;
        Some(members.gap(index.profile(), index.flows().members(flow), position))
    }

    /// Moves the cursor to a row.
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

    /// Restores the cursor after rows were added, removed or sorted: it stays on its node, or moves to the nearest
    /// visible ancestor.
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

    /// Right arrow: expands the node, or moves to its first child.
    pub(super) fn inwards(&mut self, graph: &FlowGraph) {
        match self.node(graph, self.cursor) {
            Some(node) if node.expanded => self.move_to(graph, node.row + 1),
            Some(node) => self.toggle(graph, &node),
            None => {}
        }
    }

    /// Left arrow: collapses the node, or moves to its parent.
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

    /// Expanded flows that have not been sorted yet.
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

    /// Discards all orders, because the sort order changed.
    pub(super) fn forget_orders(&mut self, graph: &FlowGraph) {
        self.members.clear();
        self.reorder(graph);
    }

    /// Stores the orders of flows.
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

    /// Sorts the markers of flows.
    pub(super) fn arrange(index: &Index, flows: &[FlowId], sort: SortOrder) -> Vec<(FlowId, Members)> {
        flows.iter().map(|flow| (*flow, Members::arrange(index, *flow, sort))).collect()
    }
}
