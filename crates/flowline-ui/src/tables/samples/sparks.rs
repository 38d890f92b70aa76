//! Distribution of the rows' samples over time, cached per row.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use flowline_index::samples::{CallTree, OutermostCalls, Parts, SampleSelection, Spread};

/// Maximum number of cached rows.
const MAX_CACHED: usize = 20_000;

/// A row of a tree or of the list.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum SparkOf {
    /// A node of the call tree.
    Call(u32),
    /// A node of the bottom-up tree.
    Caller(u32),
    /// A function.
    Function(u32),
}

/// Distribution of a tree's samples over time, and the cached bars of its rows.
pub(super) struct Sparks {
    /// Costs of the tree's nodes by part of the range.
    pub(super) spread: Spread,
    /// Outermost calls of every function.
    outermost: OutermostCalls,
    kept: Mutex<HashMap<SparkOf, Arc<Parts>>>,
}

impl Sparks {
    /// Assigns the samples of a tree to the parts of the range.
    pub(super) fn new(tree: &CallTree, selection: &SampleSelection<'_>) -> Self {
        Self {
            spread: Spread::new(tree, selection),
            outermost: OutermostCalls::new(&tree.nodes),
            kept: Mutex::default(),
        }
    }

    /// Bars of a row; `parts` computes them on first use.
    pub(super) fn get(&self, of: SparkOf, parts: impl FnOnce(&Spread) -> Parts) -> Arc<Parts> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() > MAX_CACHED {
            kept.clear();
        }
        Arc::clone(kept.entry(of).or_insert_with(|| Arc::new(parts(&self.spread))))
    }

    /// Bars of a function.
    pub(super) fn of_function(&self, func: u32) -> Arc<Parts> {
        self.get(SparkOf::Function(func), |spread| spread.subtrees(self.outermost.of(func)))
    }
}
