//! Which rows are unfolded, and how much of each list is shown.

use std::collections::{BTreeMap, BTreeSet};

/// Number of rows of a list that are shown at first, and of further ones per "Show more".
const PAGE: usize = 50;
/// At most this many rows are remembered as unfolded or folded.
const REMEMBERED: usize = 10_000;

/// The folds that the user changed.
#[derive(Debug, Default)]
pub(super) struct Folds {
    /// Keys of the rows that are folded if they would be unfolded, and the reverse.
    toggled: BTreeSet<String>,
    /// Pages that lists show beyond the first.
    pages: BTreeMap<String, usize>,
}

impl Folds {
    /// True if a row is unfolded; `default` applies until the user changes it.
    pub(super) fn is_open(&self, key: &str, default: bool) -> bool {
        self.toggled.contains(key) != default
    }

    /// Number of rows of a list that are shown.
    pub(super) fn shown(&self, key: &str) -> usize {
        PAGE.saturating_mul(1 + self.pages.get(key).copied().unwrap_or(0))
    }

    /// Unfolds a row, or folds it.
    pub(super) fn toggle(&mut self, key: &str) {
        if !self.toggled.remove(key) && self.toggled.len() < REMEMBERED {
            self.toggled.insert(key.to_owned());
        }
    }

    /// Shows one more page of a list.
    pub(super) fn show_more(&mut self, key: &str) {
        if self.pages.len() < REMEMBERED {
            *self.pages.entry(key.to_owned()).or_default() += 1;
        }
    }

    /// Keys of the rows whose folds the user changed.
    pub(super) fn toggled(&self) -> impl Iterator<Item = &str> {
        self.toggled.iter().map(String::as_str)
    }

    /// Folds that were saved.
    pub(super) fn restored<'a>(toggled: impl Iterator<Item = &'a str>) -> Self {
        Self { toggled: toggled.take(REMEMBERED).map(str::to_owned).collect(), pages: BTreeMap::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_grow_by_pages() {
        let mut folds = Folds::default();
        assert_eq!(folds.shown("a"), PAGE);
        folds.show_more("a");
        assert_eq!((folds.shown("a"), folds.shown("b")), (2 * PAGE, PAGE));
    }
}
