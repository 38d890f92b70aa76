//! Viewport: is the page made for small screens? If not, browsers on touch screens wait for a second tap.

use crate::insights::context::{Context, Period};
use crate::insights::fact::Fact;
use crate::insights::insight::{Finding, InsightState};
use crate::insights::name::InsightName;
use crate::insights::rule::Rule;
use crate::interactions::{Interaction, InteractionCategory};
use crate::page_work::DocumentEvents;
use flowline_format::format_duration_ns;
use flowline_index::Derived;
use flowline_profile::Ns;

/// Input delays from here on may come from waiting for a second tap.
const LEAST_DELAY: Ns = Ns(50_000_000);
/// Browsers wait this long for a second tap.
const DOUBLE_TAP: Ns = Ns(300_000_000);

/// See the module.
pub(super) struct ViewportRule;

impl Rule for ViewportRule {
    fn name(&self) -> InsightName {
        InsightName::Viewport
    }

    fn evaluate(&self, context: &Context<'_>, period: &Period<'_>) -> Option<Finding> {
        let events = DocumentEvents::of(context.index);
        let times = (period.times.start, period.times.end);
        let meta = events.viewports(times).first();
        let commits = events.commits((meta.map_or(times.0, |meta| meta.time), times.1));
        if commits.is_empty() {
            let reason = "no BeginCommitCompositorFrame of the page: record the category \
                          disabled-by-default-devtools.timeline";
            return Some(Finding::unknown(reason));
        }
        let unfit = commits.iter().find(|commit| !commit.value);
        let delayed: Vec<&Interaction> = if unfit.is_none() { Vec::new() } else { delayed(context, period) };
        let saving = delayed.iter().map(|own| own.input_delay().min(DOUBLE_TAP)).max();
        let summary = match (unfit, saving) {
            (None, _) => "Made for small screens".to_owned(),
            (Some(_), None) => "Not made for small screens, which matters for touch".to_owned(),
            (Some(_), Some(saving)) => {
                let delay = format_duration_ns(saving.0);
                format!("Not made for small screens: touch may wait {delay} for a second tap")
            }
        };
        let data = vec![
            ("mobile_optimized", Fact::Flag(unfit.is_none())),
            ("meta", Fact::Flag(meta.is_some())),
            ("saving_ns", Fact::known(saving, Fact::Duration)),
            ("interactions", Fact::List(delayed.iter().map(|own| Fact::Marker(own.marker)).collect())),
        ];
        let state = if unfit.is_none() { InsightState::Pass } else { InsightState::Fail };
        let slowest = delayed.iter().max_by_key(|own| own.input_delay()).map(|own| own.marker);
        let marks = meta.map(|meta| meta.marker).into_iter().chain(unfit.map(|commit| commit.marker));
        let markers = marks.chain(delayed.iter().map(|own| own.marker));
        let late = slowest.or_else(|| unfit.map(|commit| commit.marker));
        Some(Finding { late, data, ..Finding::new(state, summary) }.with_markers(markers))
    }
}

/// The long pointer interactions of a period that waited for their handlers.
fn delayed<'a>(context: &Context<'a>, period: &Period<'_>) -> Vec<&'a Interaction> {
    let is_delayed = |own: &&Interaction| {
        own.category == InteractionCategory::Pointer
            && own.is_long()
            && own.input_delay() >= LEAST_DELAY
            && period.contains(own.start)
    };
    context.interactions.list().iter().filter(is_delayed).collect()
}
