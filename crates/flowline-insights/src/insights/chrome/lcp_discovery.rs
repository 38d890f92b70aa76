//! LCP request discovery: could the browser find the image early, and was it told to load it first?

use super::lcp::lcp;
use super::requested::{NO_DOCUMENT, document, hard};
use crate::insights::context::{Context, Period};
use crate::insights::fact::Fact;
use crate::insights::insight::{Finding, InsightState};
use crate::insights::name::InsightName;
use crate::insights::rule::Rule;
use crate::page_load::MilestoneKind;
use flowline_format::format_duration_ns;
use flowline_profile::TimeRange;

/// See the module.
pub(super) struct LcpDiscoveryRule;

impl Rule for LcpDiscoveryRule {
    fn name(&self) -> InsightName {
        InsightName::LcpDiscovery
    }

    fn evaluate(&self, context: &Context<'_>, period: &Period<'_>) -> Option<Finding> {
        hard(period)?;
        let Some(lcp) = lcp(context, period) else {
            return Some(Finding::unknown(period.missing(context, MilestoneKind::LargestContentfulPaint)));
        };
        let Some(document) = document(context, period) else { return Some(Finding::unknown(NO_DOCUMENT)) };
        let Some(request) = lcp.request else {
            let why = if lcp.is_image { "The image needed no request" } else { "Not an image" };
            let finding = Finding { late: Some(lcp.marker), ..Finding::new(InsightState::Pass, why) };
            return Some(finding.with_markers([lcp.marker]));
        };
        let fact = request.fact;
        let is_in_document = fact.initiator_kind == "parser" && request.request.initiator == document.request.url;
        let is_discoverable = fact.is_link_preload || is_in_document;
        let has_initiator = fact.is_link_preload || !fact.initiator_kind.is_empty();
        let is_hinted_high = (!fact.priority_hint.is_empty()).then(|| fact.priority_hint == "high");
        let is_eager = !lcp.is_lazy || fact.is_link_preload;
        let start = request.request.start;
        let first_byte = document.first_byte();
        let delay = first_byte.map(|first| start - first);
        let failed: Vec<&str> = [
            (is_discoverable || !has_initiator, "not in the document"),
            (is_eager, "lazy"),
            (is_hinted_high != Some(false), "not asked for with high priority"),
        ]
        .into_iter()
        .filter_map(|(is_good, text)| (!is_good).then_some(text))
        .collect();
        let missing = [
            (!has_initiator, "the initiator of the request is not in the recording"),
            (is_hinted_high.is_none(), "the priority that the page asked for is not in the recording"),
        ];
        let missing: Vec<&str> = missing.into_iter().filter_map(|(is, text)| is.then_some(text)).collect();
        let state = match (failed.is_empty(), missing.is_empty()) {
            (false, _) => InsightState::Fail,
            (true, false) => InsightState::Unknown,
            (true, true) => InsightState::Pass,
        };
        let late = delay.map(|delay| format!("Requested {} after the first byte", format_duration_ns(delay.0)));
        let summary: Vec<&str> = late.as_deref().into_iter().chain(failed).collect();
        let data = vec![
            ("request", Fact::Url(request.request.url.clone())),
            ("priority_hinted", Fact::known(is_hinted_high, Fact::Flag)),
            ("discoverable", Fact::known(has_initiator.then_some(is_discoverable), Fact::Flag)),
            ("eager", Fact::Flag(is_eager)),
            ("delay_ns", Fact::known(delay, Fact::Duration)),
        ];
        let finding = Finding {
            unknown: missing.into_iter().map(str::to_owned).collect(),
            range: Some(TimeRange::new(first_byte.unwrap_or(start), request.request.end)),
            late: Some(lcp.marker),
            data,
            ..Finding::new(state, summary.join(", "))
        };
        Some(finding.with_markers([request.request.marker, lcp.marker]))
    }
}
