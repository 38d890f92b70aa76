//! Maps row numbers to tree nodes and back. Only expanded nodes are stored. A collapsed node is only a number among its
//! parent's children, so a flow with a million markers costs one number. Finding a row takes one step per expanded node
//! before it. A child has a `position` in the original order and a number in the displayed order (`shown`); paths
//! consist of displayed numbers.
//!
//! Invariant: expanded children ascend by `shown`, and `rows` counts all rows below a node.

use std::ops::Range;

/// An expanded node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Branch<T> {
    /// The represented item.
    pub(super) item: T,
    position: usize,
    shown: usize,
    children: usize,
    open: Vec<Self>,
    rows: usize,
}

/// A row as passed to the visitor.
pub(super) struct BranchRow<'a, T> {
    /// Row number.
    pub(super) row: usize,
    /// Path from the root, by displayed child number.
    pub(super) path: &'a [usize],
    /// The parent.
    pub(super) parent: &'a Branch<T>,
    /// The node itself if it is expanded.
    pub(super) branch: Option<&'a Branch<T>>,
}

impl<T> Branch<T> {
    /// An expanded node with a number of children; `position` is its position among its siblings.
    pub(super) const fn new(item: T, position: usize, children: usize) -> Self {
        Self { item, position, shown: position, children, open: Vec::new(), rows: children }
    }

    /// Number of rows below it.
    pub(super) const fn rows(&self) -> usize {
        self.rows
    }

    /// Number of children.
    pub(super) const fn children(&self) -> usize {
        self.children
    }

    fn find(&self, shown: usize) -> Result<usize, usize> {
        self.open.binary_search_by_key(&shown, |branch| branch.shown)
    }

    fn count(&mut self) {
        self.rows = self.children + self.open.iter().map(|branch| branch.rows).sum::<usize>();
    }

    /// Expands the node at a path. Its parent must be expanded.
    pub(super) fn open(&mut self, path: &[usize], mut branch: Self) {
        match path {
            [] => return,
            [last] => {
                branch.shown = *last;
                if let Err(place) = self.find(*last) {
                    self.open.insert(place, branch);
                }
            }
            [first, rest @ ..] => {
                if let Ok(place) = self.find(*first) {
                    self.open[place].open(rest, branch);
                }
            }
        }
        self.count();
    }

    /// Collapses the node at a path and everything below it.
    pub(super) fn close(&mut self, path: &[usize]) {
        let Some((first, rest)) = path.split_first() else { return };
        let Ok(place) = self.find(*first) else { return };
        if rest.is_empty() {
            self.open.remove(place);
        } else {
            self.open[place].close(rest);
        }
        self.count();
    }

    /// The row of the node at a path.
    pub(super) fn row(&self, path: &[usize]) -> Option<usize> {
        let (&first, rest) = path.split_first()?;
        if first >= self.children {
            return None;
        }
        let before = self.open.iter().take_while(|branch| branch.shown < first);
        let row = first + before.map(|branch| branch.rows).sum::<usize>();
        if rest.is_empty() {
            return Some(row);
        }
        Some(row + 1 + self.open[self.find(first).ok()?].row(rest)?)
    }

    /// Visits a range of rows from top to bottom; branches outside the range are skipped in one step.
    pub(super) fn visit(&self, rows: Range<usize>, each: &mut impl FnMut(BranchRow<'_, T>)) {
        self.visit_below(0, &rows, &mut Vec::new(), each);
    }

    fn visit_below(
        &self,
        first_row: usize,
        rows: &Range<usize>,
        path: &mut Vec<usize>,
        each: &mut impl FnMut(BranchRow<'_, T>),
    ) {
        let (mut child, mut row) = (0, first_row);
        let mut open = self.open.iter();
        let mut next = open.next();
        while child < self.children && row < rows.end {
            let end = next.map_or(self.children, |branch| branch.shown);
            if child < end {
                // The collapsed children before the next expanded one take one row each.
                let skipped = rows.start.saturating_sub(row).min(end - child);
                (child, row) = (child + skipped, row + skipped);
                while child < end && row < rows.end {
                    path.push(child);
                    each(BranchRow { row, path, parent: self, branch: None });
                    path.pop();
                    (child, row) = (child + 1, row + 1);
                }
                continue;
            }
            let Some(branch) = next else { return };
            if row + branch.rows >= rows.start {
                path.push(child);
                if row >= rows.start {
                    each(BranchRow { row, path, parent: self, branch: Some(branch) });
                }
                branch.visit_below(row + 1, rows, path, each);
                path.pop();
            }
            (child, row) = (child + 1, row + 1 + branch.rows);
            next = open.next();
        }
    }

    /// Reorders the children: `shown` maps a child's position to its displayed number.
    pub(super) fn reorder(&mut self, shown: &impl Fn(&T, usize) -> usize) {
        for branch in &mut self.open {
            branch.shown = shown(&self.item, branch.position);
            branch.reorder(shown);
        }
        self.open.sort_unstable_by_key(|branch| branch.shown);
    }

    /// Visits all expanded nodes.
    pub(super) fn each_open(&self, each: &mut impl FnMut(&T)) {
        each(&self.item);
        self.open.iter().for_each(|branch| branch.each_open(each));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl<T> Branch<T> {
        /// The expanded node at a path.
        fn get(&self, path: &[usize]) -> Option<&Self> {
            path.iter().try_fold(self, |branch, shown| Some(&branch.open[branch.find(*shown).ok()?]))
        }
    }

    fn branch(children: usize, position: usize) -> Branch<char> {
        Branch::new('x', position, children)
    }

    /// Three roots; the second has five children, of which the first and the last are expanded.
    fn tree() -> Branch<char> {
        let mut tree = branch(3, 0);
        tree.open(&[1], branch(5, 1));
        tree.open(&[1, 4], branch(2, 4));
        tree.open(&[1, 0], branch(1, 0));
        tree
    }

    fn paths(tree: &Branch<char>, rows: Range<usize>) -> Vec<(usize, Vec<usize>, bool)> {
        let mut found = Vec::new();
        tree.visit(rows, &mut |place| found.push((place.row, place.path.to_vec(), place.branch.is_some())));
        found
    }

    #[test]
    fn rows_and_paths_are_inverse() {
        let tree = tree();
        let all = paths(&tree, 0..100);
        let expected: [&[usize]; 11] =
            [&[0], &[1], &[1, 0], &[1, 0, 0], &[1, 1], &[1, 2], &[1, 3], &[1, 4], &[1, 4, 0], &[1, 4, 1], &[2]];
        assert_eq!(tree.rows(), expected.len());
        assert_eq!(all.iter().map(|(_, path, _)| path.as_slice()).collect::<Vec<_>>(), expected);
        for (row, path, is_open) in &all {
            assert_eq!(tree.row(path), Some(*row));
            assert_eq!(tree.get(path).is_some(), *is_open);
        }
        assert_eq!(tree.row(&[3]), None);
        assert_eq!(tree.row(&[0, 0]), None, "not expanded");
        for start in 0..all.len() {
            for end in start..=all.len() {
                assert_eq!(paths(&tree, start..end), all[start..end], "{start}..{end}");
            }
        }
    }

    #[test]
    fn collapsing_removes_all_rows_below() {
        let mut tree = tree();
        tree.close(&[1, 4]);
        assert_eq!(tree.rows(), 9);
        tree.close(&[1, 2]);
        assert_eq!(tree.rows(), 9, "collapsing a collapsed node changes nothing");
        tree.close(&[1]);
        assert_eq!((tree.rows(), tree.get(&[1])), (3, None));
        tree.open(&[0, 7], branch(5, 7));
        assert_eq!(tree.rows(), 3, "a child of a collapsed node cannot be expanded");
    }

    #[test]
    fn a_million_children_are_stored_as_a_number() {
        let mut tree = branch(1, 0);
        tree.open(&[0], branch(1_000_000, 0));
        tree.open(&[0, 999_998], branch(1, 999_998));
        assert_eq!(tree.rows(), 1_000_002);
        let last: Vec<Vec<usize>> = paths(&tree, 999_999..2_000_000).into_iter().map(|(_, path, _)| path).collect();
        assert_eq!(last, [vec![0, 999_998], vec![0, 999_998, 0], vec![0, 999_999]]);
    }

    #[test]
    fn reordering_keeps_expanded_nodes() {
        let mut tree = tree();
        let backwards = |item: &char, position: usize| if *item == 'x' { 4 - position } else { position };
        let mut inner = tree.open.remove(0);
        inner.reorder(&backwards);
        assert_eq!(inner.get(&[0]).map(Branch::rows), Some(2), "the last child is now the first");
        assert_eq!(inner.get(&[4]).map(Branch::rows), Some(1));
        let mut seen = 0;
        inner.each_open(&mut |_| seen += 1);
        assert_eq!(seen, 3);
    }
}
