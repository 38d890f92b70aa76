//! One of the two statistics that are compared.

use std::sync::Arc;

use super::answer::Answer;
use flowline_index::statistics::Statistics;

/// One side of a comparison: statistics, the names of their groups, and what they are of.
#[derive(Clone)]
pub(super) struct Side {
    pub(super) full: Arc<Statistics>,
    pub(super) names: Arc<Vec<Vec<String>>>,
    pub(super) title: String,
}

impl Side {
    /// An answer, if it is complete.
    pub(super) fn of(answer: Option<&Answer>, title: impl FnOnce() -> String) -> Option<Self> {
        let answer = answer?;
        Some(Self { full: answer.full.clone()?, names: Arc::clone(&answer.names), title: title() })
    }
}
