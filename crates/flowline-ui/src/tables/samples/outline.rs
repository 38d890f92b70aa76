//! Rows of a displayed tree: the expanded nodes and the cursor.

use std::collections::HashSet;

use super::function_tree::{FunctionTree, find, path};
use flowline_index::samples::NodeId;

/// A row of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// Its node.
    pub(super) node: NodeId,
    /// Number of ancestors.
    pub(super) depth: usize,
    /// True if it is expanded; `None` without children.
    pub(super) expanded: Option<bool>,
    /// Number among its siblings, and the number of siblings.
    pub(super) place: (usize, usize),
}

/// Maximum number of nodes expanded at once.
const MAX_EXPANDED: usize = 20_000;

/// The rows of a tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Outline {
    rows: Vec<Row>,
    expanded: HashSet<NodeId>,
    cursor: usize,
    /// True if the user has moved the cursor. Until then, it is on the first row.
    is_moved: bool,
}

impl Outline {
    /// Rows from top to bottom.
    pub(super) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Number of the cursor's row.
    pub(super) const fn cursor(&self) -> usize {
        self.cursor
    }

    /// The cursor's row.
    pub(super) fn current(&self) -> Option<Row> {
        self.rows.get(self.cursor).copied()
    }

    /// The cursor's row, if the user has chosen it.
    pub(super) fn chosen(&self) -> Option<Row> {
        self.current().filter(|_| self.is_moved)
    }

    /// Moves the cursor.
    pub(super) fn move_to(&mut self, row: usize) {
        self.is_moved = true;
        self.cursor = row.min(self.rows.len().saturating_sub(1));
    }

    /// Rebuilds the rows; the cursor stays on its node.
    pub(super) fn list(&mut self, tree: &mut impl FunctionTree) {
        let current = self.current().map(|row| row.node);
        self.rows.clear();
        let mut pending: Vec<Row> = Vec::new();
        let add = |tree: &mut dyn FnMut() -> Vec<NodeId>, depth: usize, pending: &mut Vec<Row>| {
            let children = tree();
            let count = children.len();
            let row = |(at, node): (usize, NodeId)| Row { node, depth, expanded: None, place: (at, count) };
            pending.extend(children.into_iter().enumerate().map(row).rev());
        };
        add(&mut || tree.children(None), 0, &mut pending);
        while let Some(mut row) = pending.pop() {
            let is_expanded = self.expanded.contains(&row.node);
            row.expanded = tree.has_children(row.node).then_some(is_expanded);
            self.rows.push(row);
            if is_expanded {
                add(&mut || tree.children(Some(row.node)), row.depth + 1, &mut pending);
            }
        }
        let kept = current.and_then(|node| self.rows.iter().position(|row| row.node == node));
        self.cursor = kept.unwrap_or(self.cursor).min(self.rows.len().saturating_sub(1));
    }

    /// Transfers expanded nodes and the cursor from the tree `before` by their paths. If no node is expanded, expands
    /// the heaviest path down to its first branch.
    pub(super) fn follow(&mut self, before: &impl FunctionTree, tree: &mut impl FunctionTree) {
        let mut paths: Vec<Vec<u32>> = self.expanded.iter().map(|node| path(before, *node)).collect();
        paths.sort_unstable();
        let cursor = self.current().map(|row| path(before, row.node));
        self.expanded.clear();
        for path in paths {
            self.expanded.extend(find_all(tree, &path));
        }
        self.begin(tree, cursor);
    }

    /// Builds the rows of a new tree with the cursor on a path, or on the first row.
    pub(super) fn begin(&mut self, tree: &mut impl FunctionTree, cursor: Option<Vec<u32>>) {
        if self.expanded.is_empty() && tree.begins_expanded() {
            self.expand_single(tree, None);
        }
        self.rows.clear();
        self.list(tree);
        let node = cursor.and_then(|path| find(tree, &path));
        self.cursor = node.and_then(|node| self.rows.iter().position(|row| row.node == node)).unwrap_or(0);
    }

    /// Expands nodes while one child has nearly all of the cost.
    fn expand_single(&mut self, tree: &mut impl FunctionTree, from: Option<NodeId>) {
        let mut at = from;
        loop {
            let children = tree.children(at);
            let weight = |at: usize| children.get(at).map_or(0.0, |node| tree.costs(*node)[0].size(tree.measure()));
            let Some(&first) = children.first() else { break };
            if self.expanded.len() > MAX_EXPANDED || weight(1) * 8.0 > weight(0) {
                break;
            }
            self.expanded.insert(first);
            at = Some(first);
        }
    }

    /// Expands or collapses a row.
    pub(super) fn toggle(&mut self, tree: &mut impl FunctionTree, row: usize) {
        let Some(row) = self.rows.get(row).copied() else { return };
        match row.expanded {
            Some(true) => {
                self.expanded.remove(&row.node);
            }
            Some(false) => {
                self.expanded.insert(row.node);
                self.expand_single(tree, Some(row.node));
            }
            None => return,
        }
        self.list(tree);
    }

    /// Expands the cursor's row, or moves to its first child.
    pub(super) fn inwards(&mut self, tree: &mut impl FunctionTree) {
        match self.current().and_then(|row| row.expanded) {
            Some(true) => self.move_to(self.cursor + 1),
            Some(false) => self.toggle(tree, self.cursor),
            None => {}
        }
    }

    /// Collapses the cursor's row, or moves to its parent.
    pub(super) fn outwards(&mut self, tree: &mut impl FunctionTree) {
        let Some(row) = self.current() else { return };
        if row.expanded == Some(true) {
            self.toggle(tree, self.cursor);
        } else if let Some(above) = self.rows[..self.cursor].iter().rposition(|other| other.depth < row.depth) {
            self.move_to(above);
        }
    }

    /// Expands all descendants of the cursor's row, or collapses the row if it is expanded.
    pub(super) fn toggle_all(&mut self, tree: &mut impl FunctionTree) {
        let Some(row) = self.current() else { return };
        if row.expanded == Some(true) {
            self.expanded.remove(&row.node);
            self.list(tree);
            return;
        }
        let mut pending = vec![row.node];
        while let Some(node) = pending.pop().filter(|_| self.expanded.len() < MAX_EXPANDED) {
            if tree.has_children(node) {
                self.expanded.insert(node);
                pending.extend(tree.children(Some(node)));
            }
        }
        self.list(tree);
    }

    /// Expands the heaviest path below the cursor and moves to its end.
    pub(super) fn heaviest(&mut self, tree: &mut impl FunctionTree) {
        let mut at = self.current().map(|row| row.node);
        while let Some(&child) = tree.children(at).first() {
            self.expanded.extend(at);
            at = Some(child);
        }
        self.list(tree);
        let end = at.and_then(|node| self.rows.iter().position(|row| row.node == node));
        self.cursor = end.unwrap_or(self.cursor);
    }
}

/// The node of a path, if the whole path exists in the tree.
fn find_all(tree: &mut impl FunctionTree, path: &[u32]) -> Option<NodeId> {
    let mut at = None;
    for func in path {
        at = Some(tree.children(at).into_iter().find(|child| tree.func(*child) == *func)?);
    }
    at
}

/// Depths of the visible rows, starting at row `first`.
pub(super) fn on_screen(rows: &[Row], first: usize, fits: f64) -> impl Iterator<Item = usize> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rows on screen")]
    let count = fits.ceil() as usize + 1;
    rows.iter().skip(first).take(count).map(|row| row.depth)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use flowline_index::samples::{CallTree, TreeRequest};
    use flowline_profile::{Ns, Profile, SampleTable, StackTablesBuilder, Thread, ThreadId, ThreadSamples};

    fn tree(stacks: &[&[&str]]) -> Arc<CallTree> {
        let mut builder = StackTablesBuilder::default();
        // Functions have the same numbers in all trees, as in one recording.
        for name in ["main", "a", "b", "c", "other", "x"] {
            builder.named_stack([name]);
        }
        let stack = stacks.iter().map(|names| builder.named_stack(names.iter().copied()).expect("frames").0).collect();
        let cpu = SampleTable::new((0..).map(Ns).take(stacks.len()).collect(), stack);
        let samples = Some(Box::new(ThreadSamples { cpu, ..ThreadSamples::default() }));
        let threads = vec![Thread { samples, ..Thread::default() }];
        let profile = Profile { stacks: builder.finish(), threads, ..Profile::default() };
        let request = TreeRequest { threads: vec![ThreadId(0)], ..TreeRequest::default() };
        Arc::new(request.tree(&profile, Arc::new(request.nodes(&profile))))
    }

    const STACKS: [&[&str]; 4] = [&["main", "a", "b"], &["main", "a", "b"], &["main", "c"], &["other"]];

    fn depths(outline: &Outline) -> Vec<(usize, Option<bool>)> {
        outline.rows().iter().map(|row| (row.depth, row.expanded)).collect()
    }

    #[test]
    fn arrows_expand_and_collapse() {
        let mut tree = tree(&STACKS);
        let mut outline = Outline::default();
        outline.begin(&mut tree, None);
        assert_eq!(depths(&outline), [(0, Some(false)), (0, None)]);
        outline.inwards(&mut tree);
        assert_eq!(depths(&outline), [(0, Some(true)), (1, Some(false)), (1, None), (0, None)]);
        outline.inwards(&mut tree);
        outline.inwards(&mut tree);
        assert_eq!((outline.rows().len(), outline.cursor()), (5, 1));
        outline.outwards(&mut tree);
        outline.outwards(&mut tree);
        assert_eq!((outline.rows().len(), outline.cursor()), (4, 0));
        outline.heaviest(&mut tree);
        assert_eq!((outline.rows().len(), outline.cursor()), (5, 2));
        outline.move_to(0);
        outline.toggle_all(&mut tree);
        assert_eq!(outline.rows().len(), 2);
        outline.toggle_all(&mut tree);
        assert_eq!(outline.rows().len(), 5);
    }

    #[test]
    fn expanded_nodes_stay_expanded_in_another_tree() {
        let mut before = tree(&STACKS);
        let mut outline = Outline::default();
        outline.begin(&mut before, None);
        outline.heaviest(&mut before);
        let mut after = tree(&[&["x"], &["main", "c"], &["main", "a", "b"], &["x"], &["x"]]);
        outline.follow(&before, &mut after);
        let names: Vec<Vec<u32>> = outline.rows().iter().map(|row| path(&after, row.node)).collect();
        assert_eq!(names.len(), 5, "x, main, its two children, and b");
        assert_eq!(outline.current().map(|row| row.depth), Some(2));
    }
}
