//! The interface of the rules.

use super::context::{Context, Period};
use super::insight::Finding;
use super::name::InsightName;
use flowline_profile::ThreadId;

/// A rule for traces of Chrome, evaluated once for each period.
pub(super) trait Rule: Sync {
    /// The insight.
    fn name(&self) -> InsightName;

    /// Its answer for a period; `None` if the question does not arise there.
    fn evaluate(&self, context: &Context<'_>, period: &Period<'_>) -> Option<Finding>;
}

/// A rule for profiles of Firefox, evaluated once for each main thread.
pub(super) trait ThreadRule: Sync {
    /// The insight.
    fn name(&self) -> InsightName;

    /// Its answer for a thread; `None` if there is nothing to say.
    fn evaluate(&self, context: &Context<'_>, thread: ThreadId) -> Option<Finding>;
}
