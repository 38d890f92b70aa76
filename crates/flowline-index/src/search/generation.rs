//! When a search is replaced, and how a query adapts to a recording.

use std::sync::atomic::{AtomicU64, Ordering};

use super::matcher::{Matcher, unknown_keys};
use super::problem::Problem;
use super::query::Query;
use crate::flows::FlowGraph;
use flowline_profile::Profile;

/// A counter by which a search detects that a newer one has begun. Each search remembers the number it began with.
#[derive(Debug, Default)]
pub struct Generation(AtomicU64);

impl Generation {
    /// Starts a new generation, which ends all older searches.
    #[inline]
    pub fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::AcqRel) + 1
    }

    /// True if `number` is the newest generation.
    #[must_use]
    #[inline]
    pub fn is_current(&self, number: u64) -> bool {
        self.0.load(Ordering::Acquire) == number
    }
}

/// Adapts a query to a recording: terms for a field that no marker has become plain text. The second value lists the
/// problems of the query. `None` if `keep_going` returned `false`.
#[must_use]
pub fn resolve(
    profile: &Profile,
    flows: &FlowGraph,
    query: Query,
    keep_going: &(impl Fn() -> bool + Sync),
) -> Option<(Query, Vec<Problem>)> {
    let unknown = unknown_keys(profile, &query, keep_going)?;
    let query = query.without_keys(&unknown);
    let mut problems = query.problems.clone();
    problems.extend(Matcher::new(profile, flows, &query).problems());
    Some((query, problems))
}
