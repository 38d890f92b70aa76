//! The rows while they are built.

use super::cells::FactContext;
use super::folds::Folds;
use super::row::{Row, RowContent};
use super::row_target::RowTarget;

/// The rows while they are built.
pub(super) struct RowList<'a> {
    pub(super) rows: Vec<Row>,
    pub(super) context: FactContext<'a>,
    pub(super) folds: &'a Folds,
}

impl RowList<'_> {
    /// Adds a row that can be unfolded; returns true if it is.
    pub(super) fn folding(
        &mut self,
        (key, level): (&str, usize),
        default: bool,
        content: RowContent,
        target: RowTarget,
    ) -> bool {
        let open = self.folds.is_open(key, default);
        self.rows.push(Row { key: key.to_owned(), level, open: Some(open), content, target });
        open
    }

    /// Adds a row without children.
    pub(super) fn plain(&mut self, key: String, level: usize, content: RowContent, target: RowTarget) {
        self.rows.push(Row { key, level, open: None, content, target });
    }

    /// Number of rows of a list that are shown, of all of them.
    pub(super) fn shown(&self, key: &str, all: usize) -> usize {
        self.folds.shown(key).min(all)
    }

    /// Adds the row that shows more of a list, if there is more.
    pub(super) fn more(&mut self, key: &str, level: usize, (shown, all): (usize, usize)) {
        if shown < all {
            let target = RowTarget::More(key.to_owned());
            self.plain(format!("{key}/more"), level, RowContent::More(all - shown), target);
        }
    }
}
