//! INP by phase: the slowest click or key press whose presentation is recorded, and the functions that handled it.

use crate::insights::context::Context;
use crate::insights::insight::{Finding, InsightState};
use crate::insights::interaction_facts::finding;
use crate::insights::name::InsightName;
use crate::insights::rule::ThreadRule;
use flowline_profile::ThreadId;

/// See the module.
pub(super) struct InpBreakdownRule;

impl ThreadRule for InpBreakdownRule {
    fn name(&self) -> InsightName {
        InsightName::InpBreakdown
    }

    fn evaluate(&self, context: &Context<'_>, thread: ThreadId) -> Option<Finding> {
        let own = context.interactions.inp_of_thread(thread)?;
        finding(context.profile(), own, InsightState::Informative)
    }
}
