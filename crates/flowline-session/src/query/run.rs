//! A query that was started: its state and its rows so far.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::limits::QueryLimits;
use super::result::QueryResult;

/// Number of a query, unique within a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QueryId(pub u64);

/// The reason why a query failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueryError {
    /// A sentence.
    pub message: String,
    /// Line and column in the query, from 1, if the engine knows the place.
    pub place: Option<(u32, u32)>,
}

impl QueryError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), place: None }
    }
}

/// State of a query.
#[derive(Clone, Debug, PartialEq)]
pub enum RunState {
    /// The engine works on it.
    Running,
    /// The engine has been told to stop.
    Canceling,
    /// All rows have arrived.
    Done {
        /// Time that the engine took, in milliseconds.
        ms: f64,
        /// True if the result has more rows than the limit.
        more: bool,
    },
    /// There is no result.
    Failed(QueryError),
    /// The user has canceled it.
    Canceled,
}

/// A query with its rows so far.
#[derive(Debug)]
pub struct QueryRun {
    /// Its number.
    pub id: QueryId,
    /// Its text.
    pub sql: Arc<str>,
    /// Its state.
    pub state: RunState,
    /// Its rows so far.
    pub result: QueryResult,
    /// Time of its start.
    pub started: Instant,
    /// Its limits.
    pub limits: QueryLimits,
    /// True if rows were dropped because of a limit of the window.
    pub(super) is_cut: bool,
    /// True if the query has failed because of its time limit.
    pub(super) is_timed_out: bool,
}

impl QueryRun {
    /// True until the engine has answered.
    #[must_use]
    pub const fn is_running(&self) -> bool {
        matches!(self.state, RunState::Running | RunState::Canceling)
    }

    /// True if all rows have arrived.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        matches!(self.state, RunState::Done { .. })
    }

    /// The time limit of a query that was stopped because of it.
    #[must_use]
    pub fn exceeded_time(&self) -> Option<Duration> {
        self.limits.time.filter(|_| self.is_timed_out)
    }

    /// The time that is left to a running query of an engine that has been ready since a time; `None` without a limit.
    pub(super) fn time_left(&self, ready: Instant) -> Option<Duration> {
        let spent = self.started.max(ready).elapsed();
        self.limits.time.filter(|_| self.state == RunState::Running).map(|limit| limit.saturating_sub(spent))
    }

    /// The error of a failed query.
    #[must_use]
    pub const fn error(&self) -> Option<&QueryError> {
        match &self.state {
            RunState::Failed(error) => Some(error),
            _ => None,
        }
    }
}
