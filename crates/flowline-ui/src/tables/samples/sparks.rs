//! When the samples of rows were taken, for each part of the shown time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use flowline_index::samples::{CallTree, OutermostCalls, Parts, SampleSelection, Spread};

/// Rows whose bars are kept, at most.
const KEPT: usize = 20_000;

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

/// When the samples of a tree were taken, and the bars of the rows shown so far.
pub(super) struct Sparks {
    /// The tree over time.
    pub(super) spread: Spread,
    /// The outermost calls of every function.
    outermost: OutermostCalls,
    kept: Mutex<HashMap<SparkOf, Arc<Parts>>>,
}

impl Sparks {
    /// Divides the samples of a tree.
    pub(super) fn new(tree: &CallTree, selection: &SampleSelection<'_>) -> Self {
        Self {
            spread: Spread::new(tree, selection),
            outermost: OutermostCalls::new(&tree.nodes),
            kept: Mutex::default(),
        }
    }

    /// The bars of a row; `parts` is asked for them when the row is first shown.
    pub(super) fn get(&self, of: SparkOf, parts: impl FnOnce(&Spread) -> Parts) -> Arc<Parts> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() > KEPT {
            kept.clear();
        }
        Arc::clone(kept.entry(of).or_insert_with(|| Arc::new(parts(&self.spread))))
    }

    /// The bars of a function.
    pub(super) fn of_function(&self, func: u32) -> Arc<Parts> {
        self.get(SparkOf::Function(func), |spread| spread.subtrees(self.outermost.of(func)))
    }
}
