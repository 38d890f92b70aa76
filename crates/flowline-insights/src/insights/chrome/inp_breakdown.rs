//! INP by phase: input delay, handlers and presentation of the interaction that is the INP of a page.

use crate::insights::context::{Context, Period};
use crate::insights::fact::Fact;
use crate::insights::insight::{Finding, InsightState};
use crate::insights::name::InsightName;
use crate::insights::rule::Rule;
use crate::interactions::Interaction;
use flowline_format::{format_duration_ns, format_whole_ms};
use flowline_profile::{Ns, TimeRange};

/// See the module.
pub(super) struct InpBreakdownRule;

impl Rule for InpBreakdownRule {
    fn name(&self) -> InsightName {
        InsightName::InpBreakdown
    }

    fn evaluate(&self, context: &Context<'_>, period: &Period<'_>) -> Option<Finding> {
        let own = context.interactions.inp(period.number());
        let parts = own.and_then(|own| Some((own, own.end?, own.presentation()?)));
        let Some((own, end, presentation)) = parts else {
            return Some(Finding::unknown("no interaction recorded"));
        };
        let data = vec![
            ("inp_ns", Fact::Duration(end - own.start)),
            ("type", Fact::text(&own.event)),
            ("interaction_id", Fact::known(own.id, Fact::Count)),
            ("input_delay_ns", Fact::Duration(own.input_delay())),
            ("processing_ns", Fact::Duration(own.processing())),
            ("presentation_ns", Fact::Duration(presentation)),
            ("start_ns", Fact::Moment(own.start)),
        ];
        let state = if own.is_long() { InsightState::Fail } else { InsightState::Informative };
        let range = Some(TimeRange { start: own.start, end });
        let finding =
            Finding { range, late: Some(own.marker), data, ..Finding::new(state, summary(own, presentation)) };
        Some(finding.with_markers(own.markers.iter().copied()))
    }
}

/// "click, 343 ms: 8 ms until its handlers, which took 263 ms, then 72 ms to the screen".
fn summary(own: &Interaction, presentation: Ns) -> String {
    let length = own.length().map_or_else(String::new, |length| format_whole_ms(length.0));
    let [delay, handlers, presentation] =
        [own.input_delay(), own.processing(), presentation].map(|part| format_duration_ns(part.0));
    format!("{}, {length}: input delay {delay}, handlers {handlers}, presentation {presentation}", own.event)
}
