//! Style and layout that scripts forced.

use std::collections::BTreeMap;

use super::functions::count;
use super::quiet::quiet;
use crate::harm::{FLUSH, ForcedFlush, forced_flushes};
use crate::insights::context::Context;
use crate::insights::fact::Fact;
use crate::insights::insight::{Finding, InsightState};
use crate::insights::name::InsightName;
use crate::insights::rule::ThreadRule;
use crate::thread_markers::{Interval, intervals_named};
use flowline_format::{format_counted, format_duration_ns};
use flowline_profile::{Ns, ThreadId, TimeRange};

const REFLOW: &str = "Reflow (sync)";
/// Number of functions that are listed.
const LISTED: usize = 5;

/// See the module.
pub(super) struct ForcedReflowRule;

impl ThreadRule for ForcedReflowRule {
    fn name(&self) -> InsightName {
        InsightName::ForcedReflow
    }

    fn evaluate(&self, context: &Context<'_>, id: ThreadId) -> Option<Finding> {
        let profile = context.profile();
        let reflows = intervals_named(profile, id, &[REFLOW]);
        let has_flushes = profile.strings.find(FLUSH).is_some();
        if !has_flushes && profile.strings.find(REFLOW).is_none() {
            return quiet(context, id, Finding::unknown("no flush and no synchronous reflow in the recording"));
        }
        let forced = forced_flushes(profile, id);
        if reflows.is_empty() && forced.is_empty() {
            return quiet(context, id, Finding::new(InsightState::Pass, "No script forced style or layout"));
        }
        let sum = |times: &mut dyn Iterator<Item = TimeRange>| {
            Ns(times.fold(0_i64, |sum, range| sum.saturating_add(range.len())))
        };
        let reflow_time = sum(&mut reflows.iter().map(|own| own.times));
        let forced_time = sum(&mut forced.iter().map(|own| own.flush.times));
        let known = |fact: Fact| if has_flushes { fact } else { Fact::Unknown };
        let data = vec![
            ("sync_reflows", count(reflows.len())),
            ("sync_reflow_ns", Fact::Duration(reflow_time)),
            ("forced_flushes", known(count(forced.len()))),
            ("forced_ns", known(Fact::Duration(forced_time))),
            ("by_function", known(by_function(&forced))),
        ];
        let summary = match (forced.len(), has_flushes) {
            (0, true) => format!(
                "No script of a page forced it; {} in {}",
                format_counted(reflows.len() as u64, "synchronous reflow"),
                format_duration_ns(reflow_time.0)
            ),
            (0, false) => format!(
                "{} in {}; who forced them is not recorded",
                format_counted(reflows.len() as u64, "synchronous reflow"),
                format_duration_ns(reflow_time.0)
            ),
            (flushes, _) => {
                let flushes = format_counted(flushes as u64, "forced update");
                format!("{flushes} of style and layout in {}", format_duration_ns(forced_time.0))
            }
        };
        let thread = profile.thread(id);
        let shown: Vec<Interval> =
            if forced.is_empty() { reflows } else { forced.iter().map(|own| own.flush).collect() };
        let range = shown.iter().map(|own| own.times).reduce(TimeRange::union);
        let late = shown.iter().max_by_key(|own| own.times.len()).map(|own| thread.global(own.marker));
        let unknown = if has_flushes { Vec::new() } else { vec![format!("{FLUSH} is not in the recording")] };
        let finding = Finding { range, late, data, unknown, ..Finding::new(InsightState::Informative, summary) };
        Some(finding.with_markers(shown.iter().map(|own| thread.global(own.marker))))
    }
}

/// The functions that forced most, with their sums.
fn by_function(forced: &[ForcedFlush<'_>]) -> Fact {
    let mut sums: BTreeMap<&str, (i64, usize)> = BTreeMap::new();
    for own in forced {
        let (sum, count) = sums.entry(own.function).or_default();
        *sum = sum.saturating_add(own.flush.times.len());
        *count += 1;
    }
    let mut sums: Vec<(&str, (i64, usize))> = sums.into_iter().collect();
    sums.sort_by_key(|(name, (sum, _))| (std::cmp::Reverse(*sum), *name));
    let fact = |(name, (sum, number)): (&str, (i64, usize))| {
        Fact::Group(vec![
            ("name", Fact::Text(name.to_owned())),
            ("total_ns", Fact::Duration(Ns(sum))),
            ("count", count(number)),
        ])
    };
    Fact::List(sums.into_iter().take(LISTED).map(fact).collect())
}
