//! Requests of the main frame without which the browser painted nothing.

use super::requested::{Requested, hard, requested, union};
use crate::insights::context::{Context, Period};
use crate::insights::fact::Fact;
use crate::insights::insight::{Finding, InsightState};
use crate::insights::name::InsightName;
use crate::insights::rule::Rule;
use crate::page_load::MilestoneKind;
use flowline_format::{format_counted, format_duration_ns};
use flowline_profile::Ns;

/// See the module.
pub(super) struct RenderBlockingRule;

impl Rule for RenderBlockingRule {
    fn name(&self) -> InsightName {
        InsightName::RenderBlocking
    }

    fn evaluate(&self, context: &Context<'_>, period: &Period<'_>) -> Option<Finding> {
        let navigation = hard(period)?;
        let paint = period.milestone(context, MilestoneKind::FirstPaint);
        let Some((paint, late)) = paint.and_then(|paint| Some((paint.time?, paint.marker))) else {
            return Some(Finding::unknown("firstPaint of this navigation is not in the recording"));
        };
        let is_blocking = |own: &Requested<'_>| {
            own.fact.frame == navigation.frame
                && own.is_render_blocking()
                && own.fact.finished.is_some_and(|end| end <= paint)
        };
        let mut found: Vec<Requested<'_>> = requested(context, period).filter(is_blocking).collect();
        found.sort_by_key(|own| (-own.request.duration().0, own.id));
        let fact = |own: &Requested<'_>| {
            Fact::Group(vec![
                ("url", Fact::Url(own.request.url.clone())),
                ("start_ns", Fact::Moment(own.request.start)),
                ("end_ns", Fact::Moment(own.request.end)),
                ("duration_ns", Fact::Duration(own.request.duration())),
                ("before_paint_ns", Fact::known(own.fact.finished, |end| Fact::Duration(paint - end))),
                ("kind", Fact::text(&own.request.render_blocking)),
                ("marker", Fact::Marker(own.request.marker)),
            ])
        };
        let data = vec![("requests", Fact::List(found.iter().map(fact).collect()))];
        let state = if found.is_empty() { InsightState::Pass } else { InsightState::Fail };
        let finding = Finding {
            range: union(found.iter().map(Requested::times)),
            late,
            data,
            ..Finding::new(state, summary(&found, paint))
        };
        Some(finding.with_markers(found.iter().map(|own| own.request.marker)))
    }
}

fn summary(found: &[Requested<'_>], paint: Ns) -> String {
    let Some(longest) = found.first() else { return "No request delayed the first paint".to_owned() };
    let count = format_counted(found.len() as u64, "request");
    let (name, length) = (longest.request.short_name(), format_duration_ns(longest.request.duration().0));
    let last = found.iter().filter_map(|own| own.fact.finished).max().unwrap_or(paint);
    let rest = format_duration_ns((paint - last).0);
    format!("{count} before the first paint, the longest {name}, {length}; the last ended {rest} before it")
}
