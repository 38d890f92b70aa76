//! One side of a comparison of statistics.

use std::sync::Arc;

use super::statistics_result::Answer;
use flowline_index::statistics::Statistics;

/// One side of a comparison: statistics, the names of their groups, and a title that describes the scope.
#[derive(Clone)]
pub(super) struct Side {
    pub(super) full: Arc<Statistics>,
    pub(super) names: Arc<Vec<Vec<String>>>,
    pub(super) title: String,
}

impl Side {
    /// Creates a side from an answer; `None` until the answer is complete.
    pub(super) fn of(answer: Option<&Answer>, title: impl FnOnce() -> String) -> Option<Self> {
        let answer = answer?;
        Some(Self { full: answer.full.clone()?, names: Arc::clone(&answer.names), title: title() })
    }
}
