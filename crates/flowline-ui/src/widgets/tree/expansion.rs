//! Expanded nodes of a tree.

use std::collections::HashMap;

use egui::Id;

/// Number of children of a node shown at first, and of further ones per "Show more".
pub(crate) const PAGE: usize = 100;
/// Maximum number of lines of an unfolded value, until all of them are shown.
const UNFOLDED_LINES: usize = 6;
/// Maximum number of nodes with a stored expansion state; beyond it, all are reset.
const MAX_REMEMBERED: usize = 10_000;
/// Expanded nodes, the number of children they show, and the cursor.
#[derive(Clone, Debug, Default)]
pub(crate) struct ExpansionState {
    open: HashMap<Id, bool>,
    pages: HashMap<Id, usize>,
    pub(super) cursor: Option<Id>,
    revision: u64,
}

impl ExpansionState {
    /// Changes whenever the rows must be rebuilt.
    pub(crate) const fn revision(&self) -> u64 {
        self.revision
    }

    /// True if a node is expanded; `default` applies to nodes that the user has not expanded or collapsed.
    pub(crate) fn is_open(&self, id: Id, default: bool) -> bool {
        self.open.get(&id).copied().unwrap_or(default)
    }

    pub(super) fn set_open(&mut self, id: Id, open: bool) {
        if self.open.len() >= MAX_REMEMBERED {
            self.open.clear();
        }
        self.open.insert(id, open);
        self.revision += 1;
    }

    pub(crate) fn set_unfolded(&mut self, id: Id, unfolded: bool) {
        self.set_open(id.with("unfolded"), unfolded);
    }

    /// Maximum lines of a node's value.
    pub(crate) fn lines(&self, id: Id) -> usize {
        match self.is_open(id.with("unfolded"), false) {
            false => 1,
            true if self.shown(id.with("whole")) > PAGE => usize::MAX,
            true => UNFOLDED_LINES,
        }
    }

    /// Node whose next page is the rest of a node's value.
    pub(crate) fn rest_of(id: Id) -> Id {
        id.with("whole")
    }

    /// Number of children of a node that are shown.
    pub(crate) fn shown(&self, id: Id) -> usize {
        self.pages.get(&id).copied().unwrap_or(1).saturating_mul(PAGE)
    }

    /// Shows one more page of a node's children.
    pub(crate) fn show_more(&mut self, id: Id) {
        *self.pages.entry(id).or_insert(1) += 1;
        self.revision += 1;
    }

    /// Resets all nodes to the first page, because other content is shown.
    pub(crate) fn reset_pages(&mut self) {
        self.pages.clear();
        self.revision += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expansion_is_remembered_by_id() {
        let mut expansion = ExpansionState::default();
        let (one, other) = (Id::unique("one"), Id::unique("other"));
        assert!(expansion.is_open(one, true) && !expansion.is_open(one, false));
        expansion.set_open(one, false);
        assert!(!expansion.is_open(one, true) && expansion.is_open(other, true));
        assert_eq!(expansion.shown(one), PAGE);
        expansion.show_more(one);
        assert_eq!((expansion.shown(one), expansion.shown(other)), (2 * PAGE, PAGE));
        expansion.reset_pages();
        assert_eq!((expansion.shown(one), expansion.is_open(one, true)), (PAGE, false));
    }

    #[test]
    fn memory_is_bounded() {
        let mut expansion = ExpansionState::default();
        (0..3 * MAX_REMEMBERED).for_each(|at| expansion.set_open(Id::unique(at), true));
        assert!(expansion.open.len() <= MAX_REMEMBERED);
    }
}
