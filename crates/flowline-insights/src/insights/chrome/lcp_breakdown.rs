//! The parts of the largest contentful paint: the server, the wait, the download, and the way to the screen.

use super::lcp::{Lcp, NO_LCP, lcp};
use super::requested::{NO_DOCUMENT, NO_TIMING, document, hard};
use crate::insights::context::{Context, Period};
use crate::insights::fact::Fact;
use crate::insights::insight::{Finding, InsightState};
use crate::insights::name::InsightName;
use crate::insights::rule::Rule;
use crate::page_load::{MilestoneKind, Rating};
use flowline_format::format_duration_ns;
use flowline_profile::{Ns, TimeRange};

/// See the module.
pub(super) struct LcpBreakdownRule;

/// The parts. They add up to the time since the navigation if all of them are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Parts {
    first_byte: Option<Ns>,
    load_delay: Option<Ns>,
    load: Option<Ns>,
    render_delay: Option<Ns>,
}

impl Rule for LcpBreakdownRule {
    fn name(&self) -> InsightName {
        InsightName::LcpBreakdown
    }

    fn evaluate(&self, context: &Context<'_>, period: &Period<'_>) -> Option<Finding> {
        let navigation = period.navigation?;
        let Some(lcp) = lcp(context, period) else { return Some(Finding::unknown(NO_LCP)) };
        let document = document(context, period);
        let first_byte = document.and_then(|document| document.first_byte());
        let parts = Parts::of(&lcp, navigation.time, first_byte);
        let reason = match hard(period) {
            None => Some("navigations without a new document have no request"),
            Some(_) if document.is_none() => Some(NO_DOCUMENT),
            Some(_) if first_byte.is_none() => Some(NO_TIMING),
            Some(_) if parts.render_delay.is_none() => Some("the end of the image's request is not in the recording"),
            Some(_) => None,
        };
        let is_good = MilestoneKind::LargestContentfulPaint.rate(lcp.since) == Some(Rating::Good);
        let state = if is_good { InsightState::Informative } else { InsightState::Fail };
        let part = |part: Option<Ns>| Fact::known(part, Fact::Duration);
        let data = vec![
            ("lcp_ns", Fact::Duration(lcp.since)),
            ("so_far", Fact::Flag(lcp.is_so_far)),
            ("request", Fact::known(lcp.request, |own| Fact::Url(own.request.url.clone()))),
            ("ttfb_ns", part(parts.first_byte)),
            ("load_delay_ns", part(parts.load_delay)),
            ("load_duration_ns", part(parts.load)),
            ("render_delay_ns", part(parts.render_delay)),
        ];
        let finding = Finding {
            unknown: reason.map(str::to_owned).into_iter().collect(),
            range: Some(TimeRange::new(navigation.time, lcp.time)),
            late: Some(lcp.marker),
            data,
            ..Finding::new(state, summary(&lcp, &parts))
        };
        Some(finding.with_markers([lcp.marker].into_iter().chain(lcp.request.map(|own| own.request.marker))))
    }
}

impl Parts {
    fn of(lcp: &Lcp<'_>, navigation: Ns, first_byte: Option<Ns>) -> Self {
        let Some(first_byte) = first_byte else { return Self::default() };
        let (first, since) = (Some(first_byte - navigation), |end: Ns, start: Ns| Some(end - start));
        let Some(request) = lcp.request else {
            return Self { first_byte: first, render_delay: since(lcp.time, first_byte), ..Self::default() };
        };
        let start = request.request.start;
        Self {
            first_byte: first,
            load_delay: since(start, first_byte),
            load: request.fact.finished.and_then(|end| since(end, start)),
            render_delay: request.fact.finished.and_then(|end| since(lcp.time, end)),
        }
    }
}

fn summary(lcp: &Lcp<'_>, parts: &Parts) -> String {
    let named = [
        (parts.first_byte, "server"),
        (parts.load_delay, "wait"),
        (parts.load, "download"),
        (parts.render_delay, "to the screen"),
    ];
    let known = named.iter().filter_map(|(part, name)| Some(format!("{} {name}", format_duration_ns((*part)?.0))));
    let parts: Vec<String> = known.collect();
    let total = format_duration_ns(lcp.since.0);
    let total = if lcp.is_so_far { format!("{total} so far") } else { total };
    if parts.is_empty() { total } else { format!("{total}: {}", parts.join(", ")) }
}
