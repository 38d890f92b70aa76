//! Costs of selectors: the slowest one, and the one that was tried most.

use crate::insights::context::{Context, Period};
use crate::insights::fact::Fact;
use crate::insights::insight::{Finding, InsightState};
use crate::insights::name::InsightName;
use crate::insights::rule::Rule;
use crate::page_work::{SelectorCosts, SelectorsByNavigation};
use flowline_format::{format_count, format_duration_ns};
use flowline_index::Derived;
use flowline_profile::Ns;

/// A selector that took less time than this is not slow.
const SLOW_US: f64 = 500.0;

/// See the module.
pub(super) struct SlowCssSelectorRule;

impl Rule for SlowCssSelectorRule {
    fn name(&self) -> InsightName {
        InsightName::SlowCssSelector
    }

    fn evaluate(&self, context: &Context<'_>, period: &Period<'_>) -> Option<Finding> {
        let all = SelectorsByNavigation::of(context.index);
        let Some(own) = all.period(period.times.start).filter(|_| all.is_recorded) else {
            return Some(Finding::unknown("no SelectorStats in the recording: record with selector statistics"));
        };
        let slowest = own.slowest.as_ref().filter(|own| own.elapsed_us >= SLOW_US);
        let most = own.most_attempts.as_ref().filter(|own| own.attempts > 0);
        let data = vec![
            ("elapsed_ns", Fact::Duration(elapsed(own.elapsed_us))),
            ("attempts", Fact::Count(own.attempts)),
            ("matches", Fact::Count(own.matches)),
            ("slowest", Fact::known(slowest, facts)),
            ("most_attempts", Fact::known(most, facts)),
        ];
        let state = if slowest.is_some() && most.is_some() { InsightState::Informative } else { InsightState::Pass };
        let attempts = format_count(own.attempts.unsigned_abs());
        let time = format_duration_ns(elapsed(own.elapsed_us).0);
        let summary = match slowest {
            Some(slowest) => {
                let most = format_duration_ns(elapsed(slowest.elapsed_us).0);
                format!("{attempts} attempts, {time}, of which {} {most}", slowest.selector)
            }
            None => format!("{attempts} attempts, {time}"),
        };
        let finding = Finding { range: own.range, late: None, data, ..Finding::new(state, summary) };
        Some(finding.with_markers(own.updates.iter().copied()))
    }
}

fn facts(own: &SelectorCosts) -> Fact {
    Fact::Group(vec![
        ("selector", Fact::text(&own.selector)),
        ("style_sheet_id", Fact::text(&own.sheet)),
        ("elapsed_ns", Fact::Duration(elapsed(own.elapsed_us))),
        ("attempts", Fact::Count(own.attempts)),
        ("matches", Fact::Count(own.matches)),
    ])
}

fn elapsed(us: f64) -> Ns {
    Ns::from_ms(us / 1e3).unwrap_or_default()
}
