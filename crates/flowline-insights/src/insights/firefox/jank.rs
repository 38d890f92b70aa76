//! Periods in which the main thread of a process did not react to events.

use super::functions::{Functions, count};
use super::quiet::quiet;
use crate::insights::context::Context;
use crate::insights::fact::Fact;
use crate::insights::insight::{Finding, InsightState};
use crate::insights::name::InsightName;
use crate::insights::rule::ThreadRule;
use crate::intervals::Intervals;
use crate::jank::Jank;
use crate::thread_markers::{longest_in, times_named};
use flowline_format::{format_counted, format_duration_ns};
use flowline_profile::{MarkerId, ThreadId, TimeRange};

/// Names of the intervals of garbage collection.
const COLLECTIONS: [&str; 3] = ["GCMajor", "GCMinor", "GCSlice"];

/// See the module.
pub(super) struct JankRule;

impl ThreadRule for JankRule {
    fn name(&self) -> InsightName {
        InsightName::Jank
    }

    fn evaluate(&self, context: &Context<'_>, id: ThreadId) -> Option<Finding> {
        let profile = context.profile();
        let Some(jank) = Jank::of(profile, id) else {
            return quiet(context, id, Finding::unknown("the samples have no event delays"));
        };
        if jank.periods().is_empty() {
            return quiet(context, id, Finding::new(InsightState::Pass, "No event waited for 50 ms or more"));
        }
        let collections = Intervals::new(times_named(profile, id, |name| COLLECTIONS.contains(&name)));
        let blocking: Vec<Option<MarkerId>> =
            jank.periods().iter().map(|period| longest_in(profile, id, *period)).collect();
        let fact = |(period, marker): (&TimeRange, &Option<MarkerId>)| {
            let mut facts = vec![
                ("start_ns", Fact::Moment(period.start)),
                ("end_ns", Fact::Moment(period.end)),
                ("gc_ns", Fact::Duration(collections.union_within(*period))),
                ("marker", Fact::known(*marker, Fact::Marker)),
            ];
            facts.extend(Functions::within(profile, id, *period).facts());
            Fact::Group(facts)
        };
        let data = vec![
            ("count", count(jank.periods().len())),
            ("total_ns", Fact::Duration(jank.total())),
            ("covered_ns", Fact::Duration(jank.covered())),
            ("periods", Fact::List(jank.periods().iter().zip(&blocking).map(fact).collect())),
        ];
        let longest = jank.periods().iter().zip(&blocking).max_by_key(|(period, _)| period.len());
        let number = format_counted(jank.periods().len() as u64, "period");
        let length = format_duration_ns(longest.map_or(0, |(period, _)| period.len()));
        let covered = format_duration_ns(jank.covered().0);
        let summary = format!("{number} without reaction, {covered} in all, the longest {length}");
        let range = jank.periods().iter().copied().reduce(TimeRange::union);
        let late = longest.and_then(|(_, marker)| *marker);
        let finding = Finding { range, late, data, ..Finding::new(InsightState::Informative, summary) };
        Some(finding.with_markers(blocking.iter().flatten().copied()))
    }
}
