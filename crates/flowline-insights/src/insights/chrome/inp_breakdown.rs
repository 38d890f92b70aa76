//! INP by phase: input delay, handlers and presentation of the interaction that is the INP of a page.

use crate::insights::context::{Context, Period};
use crate::insights::insight::{Finding, InsightState};
use crate::insights::interaction_facts::finding;
use crate::insights::name::InsightName;
use crate::insights::rule::Rule;
use crate::interactions::Interaction;

/// See the module.
pub(super) struct InpBreakdownRule;

impl Rule for InpBreakdownRule {
    fn name(&self) -> InsightName {
        InsightName::InpBreakdown
    }

    fn evaluate(&self, context: &Context<'_>, period: &Period<'_>) -> Option<Finding> {
        let own = context.interactions.inp(period.number());
        let state = |own: &Interaction| if own.is_long() { InsightState::Fail } else { InsightState::Informative };
        let finding = own.and_then(|own| finding(context.profile(), own, state(own)));
        Some(finding.unwrap_or_else(|| Finding::unknown("no interaction recorded")))
    }
}
