//! Flow statistics of a scope by kind: the flows with at least one marker in the scope, and their whole durations, run
//! times, and wait times.

use std::collections::HashMap;

use rayon::prelude::*;

use super::subject::Subject;
use super::{DurationStatistics, ranks};
use crate::Index;
use crate::flows::RuleMatcher;
use flowline_profile::FlowId;

/// The flows of a scope.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlowKinds {
    /// Statistics by kind, by descending total, then by name.
    pub kinds: Vec<FlowStatistics>,
    /// All flows together, without a name; `None` if there are no flows.
    pub all: Option<FlowStatistics>,
}

/// Statistics of the flows of a kind.
#[derive(Clone, Debug, PartialEq)]
pub struct FlowStatistics {
    /// Name of the kind.
    pub kind: String,
    /// Number of flows.
    pub count: u64,
    /// Durations, from the first start to the latest end.
    pub length: TimeStatistics,
    /// Run times.
    pub run: TimeStatistics,
    /// Wait times: the rest of the duration.
    pub wait: TimeStatistics,
}

/// Statistics of one duration per flow, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeStatistics {
    /// Sum.
    pub total: i128,
    /// Mean.
    pub mean: f64,
    /// Minimum, maximum, percentiles, and deviation.
    pub spread: DurationStatistics,
}

/// The kind of a flow, and its duration, run time, and wait time.
type OfFlow<'a> = (&'a str, [u64; 3]);

/// Durations, run times, and wait times of flows.
type Times = [Vec<u64>; 3];

/// Number of flows between two cancellation checks.
const BATCH: usize = 1 << 10;

/// Computes the flow statistics of a scope by kind. `None` if `keep_going` returned `false`.
#[must_use]
pub fn flows(
    subject: &Subject<'_>,
    index: &Index,
    rules: &RuleMatcher,
    keep_going: &(impl Fn() -> bool + Sync),
) -> Option<FlowKinds> {
    let (profile, graph) = (index.profile(), index.flows());
    let mut is_member = vec![false; profile.marker_count()];
    for part in &subject.threads {
        if !keep_going() {
            return None;
        }
        for member in (part.from..part.to).filter_map(|position| subject.member(part, position)) {
            is_member[part.thread.global(member.marker).index()] = true;
        }
    }
    let flows: Vec<FlowId> = graph.iter().collect();
    let of_job = |job: &[FlowId]| {
        let is_inside = |flow: &&FlowId| {
            graph.members(**flow).iter().any(|marker| is_member.get(marker.index()).copied().unwrap_or(false))
        };
        let times = |flow: &FlowId| {
            let timeline = rules.timeline_totals(profile, graph, *flow);
            let times = [graph.range(profile, *flow).len(), timeline.run, timeline.wait];
            (rules.kind_of(profile, graph, *flow), times.map(|time| time.max(0).cast_unsigned()))
        };
        keep_going().then(|| job.iter().filter(is_inside).map(times).collect::<Vec<_>>())
    };
    let found: Option<Vec<Vec<OfFlow<'_>>>> = flows.par_chunks(BATCH).map(of_job).collect();
    let mut kinds: Vec<(&str, Times)> = Vec::new();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    for (kind, times) in found?.into_iter().flatten() {
        let number = *numbers.entry(kind).or_insert(kinds.len());
        if number == kinds.len() {
            kinds.push((kind, Times::default()));
        }
        kinds[number].1.iter_mut().zip(times).for_each(|(all, time)| all.push(time));
    }
    let all: Vec<&Times> = kinds.iter().map(|(_, times)| times).collect();
    let all = of_kind("", &all);
    let mut kinds: Vec<FlowStatistics> = kinds.iter().filter_map(|(kind, times)| of_kind(kind, &[times])).collect();
    kinds.sort_by(|a, b| b.length.total.cmp(&a.length.total).then_with(|| a.kind.cmp(&b.kind)));
    Some(FlowKinds { kinds, all })
}

/// The statistics of the flows in some lists; `None` if there are none.
fn of_kind(kind: &str, lists: &[&Times]) -> Option<FlowStatistics> {
    let count = lists.iter().map(|times| times[0].len() as u64).sum();
    let [length, run, wait] = [0, 1, 2].map(|which| {
        let lists: Vec<&[u64]> = lists.iter().map(|times| times[which].as_slice()).collect();
        of_times(&lists)
    });
    Some(FlowStatistics { kind: kind.to_owned(), count, length: length?, run: run?, wait: wait? })
}

#[expect(clippy::cast_precision_loss, reason = "a mean is not exact")]
fn of_times(lists: &[&[u64]]) -> Option<TimeStatistics> {
    let [p50, p90, p99, p999] = ranks::percentiles(lists)?;
    let times = || lists.iter().copied().flatten().copied();
    let count = times().count() as u64;
    let total: i128 = times().map(i128::from).sum();
    let mean = total as f64 / count as f64;
    let deviation = ranks::deviation(lists, count, mean);
    let (min, max) = (times().min()?, times().max()?);
    Some(TimeStatistics { total, mean, spread: DurationStatistics { min, p50, p90, p99, p999, max, deviation } })
}
