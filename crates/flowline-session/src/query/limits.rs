//! Limits of a query, and whether a query that comes with a link runs by itself.

use std::time::Duration;

/// Maximum number of rows of a result.
pub const MAX_QUERY_ROWS: usize = 100_000;
/// Time limit of a query of a link on the command line.
pub const LINKED_QUERY_TIME: Duration = Duration::from_secs(10);

/// The limits of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueryLimits {
    /// Time from the start of the query, or from the time at which the engine is ready; `None` without a limit.
    pub time: Option<Duration>,
    /// Number of rows; further ones are left out.
    pub rows: usize,
}

/// The limits of a query that the user runs and can stop.
impl Default for QueryLimits {
    fn default() -> Self {
        Self { time: None, rows: MAX_QUERY_ROWS }
    }
}

/// The rule for queries of tracks that came with a link. Links come from other people, so these queries need a request or a
/// limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinkedQueries {
    /// They run when the user asks for them.
    #[default]
    OnRequest,
    /// They run at once, within limits.
    Run(QueryLimits),
}

impl LinkedQueries {
    /// Runs queries by themselves for a time; without any time, they do not run.
    #[must_use]
    pub fn within(time: Duration) -> Self {
        if time.is_zero() {
            return Self::OnRequest;
        }
        Self::Run(QueryLimits { time: Some(time), ..QueryLimits::default() })
    }
}
