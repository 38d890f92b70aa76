//! Style and layout that scripts forced, and which functions forced it.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::call_places::{Place, place_facts_of, position_facts};
use super::forcing_calls::{Forcing, forcing};
use crate::harm::{Harm, HarmfulSlice};
use crate::insights::context::{Context, Period};
use crate::insights::fact::Fact;
use crate::insights::insight::{Finding, InsightState};
use crate::insights::name::InsightName;
use crate::insights::rule::Rule;
use flowline_format::{format_counted, format_duration_ns};
use flowline_index::Derived;
use flowline_profile::{MarkerId, Ns, Profile, TimeRange};

/// Names of style and layout; without any, nothing can be said.
const NAMES: [&str; 3] = ["Layout", "UpdateLayoutTree", "RecalculateStyles"];

/// See the module.
pub(super) struct ForcedReflowRule;

/// Sums of a function.
#[derive(Clone, Debug, Default)]
struct Sum {
    total: i64,
    count: i64,
    calls: Vec<MarkerId>,
}

impl Rule for ForcedReflowRule {
    fn name(&self) -> InsightName {
        InsightName::ForcedReflow
    }

    fn evaluate(&self, context: &Context<'_>, period: &Period<'_>) -> Option<Finding> {
        let profile = context.profile();
        if NAMES.iter().all(|name| profile.strings.find(name).is_none()) {
            return Some(Finding::unknown("no Layout in the recording: record the category devtools.timeline"));
        }
        let all = Harm::of(context.index).forced().starting_in(period.times).par_iter();
        let own: Vec<(&HarmfulSlice, Forcing)> =
            all.filter_map(|slice| Some((slice, forcing(context, slice)?))).collect();
        Some(finding(profile, &own))
    }
}

fn finding(profile: &Profile, own: &[(&HarmfulSlice, Forcing)]) -> Finding {
    let total: i64 = own.iter().map(|(slice, _)| slice.times.len()).sum();
    let frames = sums(own, |forcing| forcing.frame.clone());
    let tops = sums(own, |forcing| forcing.top.clone());
    let top = tops.iter().filter_map(|(place, sum)| Some((place.as_ref()?, sum))).max_by_key(|(_, sum)| sum.total);
    let by_frame = frames.iter().map(|(place, sum)| {
        let mut facts = position_facts(profile, place.as_ref());
        facts.push(("total_ns", Fact::Duration(Ns(sum.total))));
        facts.push(("count", Fact::Count(sum.count)));
        Fact::Group(facts)
    });
    let data = vec![
        ("count", Fact::Count(i64::try_from(own.len()).unwrap_or(i64::MAX))),
        ("total_ns", Fact::Duration(Ns(total))),
        ("by_frame", Fact::List(by_frame.collect())),
        (
            "top",
            Fact::known(top, |(place, sum)| {
                let mut facts = place_facts_of(profile, Some(place));
                facts.push(("total_ns", Fact::Duration(Ns(sum.total))));
                Fact::Group(facts)
            }),
        ),
    ];
    let state = if own.is_empty() { InsightState::Pass } else { InsightState::Fail };
    let summary = summary(profile, own.len(), total, &frames);
    let range = own.iter().map(|(slice, _)| slice.times).reduce(TimeRange::union);
    let late = own.iter().max_by_key(|(slice, _)| slice.times.len()).map(|(slice, _)| slice.marker);
    let calls = top.map_or(&[][..], |(_, sum)| &sum.calls);
    let markers = own.iter().map(|(slice, _)| slice.marker).chain(calls.iter().copied());
    Finding { range, late, data, ..Finding::new(state, summary) }.with_markers(markers)
}

/// Sums by function, the greatest first.
fn sums(own: &[(&HarmfulSlice, Forcing)], place: impl Fn(&Forcing) -> Option<Place>) -> Vec<(Option<Place>, Sum)> {
    let mut sums: BTreeMap<Option<Place>, Sum> = BTreeMap::new();
    for (slice, forcing) in own {
        let sum = sums.entry(place(forcing)).or_default();
        sum.total = sum.total.saturating_add(slice.times.len());
        sum.count += 1;
        sum.calls.extend(forcing.call);
    }
    let mut sums: Vec<(Option<Place>, Sum)> = sums.into_iter().collect();
    sums.sort_by_key(|(_, sum)| std::cmp::Reverse(sum.total));
    sums
}

fn summary(profile: &Profile, count: usize, total: i64, frames: &[(Option<Place>, Sum)]) -> String {
    let (layouts, time) = (format_counted(count as u64, "layout"), format_duration_ns(total));
    match frames {
        [] => "No forced layout of 30 ms in a task".to_owned(),
        [(Some(place), _)] => format!("{} forced {layouts}, {time}", place.name(profile)),
        [(Some(place), first), ..] => {
            let most = format_duration_ns(first.total);
            format!("{layouts} forced, {time}, of which {} {most}", place.name(profile))
        }
        [(None, _), ..] => format!("{layouts} forced, {time}"),
    }
}
