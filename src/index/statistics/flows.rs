//! Flows of a scope by kind: those with at least one marker in it, and how long they last as a whole.

use std::collections::HashMap;

use rayon::prelude::*;

use super::subject::Subject;
use super::{LengthStatistics, ranks};
use crate::index::Index;
use crate::index::flows::RuleMatcher;
use crate::profile::FlowId;

/// The flows of a scope.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlowKinds {
    /// By kind, the largest total first; of equal ones by name.
    pub kinds: Vec<FlowStatistics>,
    /// All of them together, without a name; `None` if there are none.
    pub all: Option<FlowStatistics>,
}

/// The flows of a kind.
#[derive(Clone, Debug, PartialEq)]
pub struct FlowStatistics {
    /// Name of the kind.
    pub kind: String,
    /// Number of flows.
    pub count: u64,
    /// Sum of their lengths in nanoseconds, from the first start to the latest end.
    pub total: i128,
    /// Mean of their lengths.
    pub mean: f64,
    /// Statistics of their lengths.
    pub lengths: LengthStatistics,
}

/// Flows between two questions whether to go on.
const BATCH: usize = 1 << 10;

/// The flows of a scope by kind. `None` if `keep_going` returned `false` meanwhile.
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
        let length = |flow: &FlowId| {
            let length = graph.range(profile, *flow).len().max(0).cast_unsigned();
            (rules.kind_of(profile, graph, *flow), length)
        };
        keep_going().then(|| job.iter().filter(is_inside).map(length).collect::<Vec<_>>())
    };
    let found: Option<Vec<Vec<(&str, u64)>>> = flows.par_chunks(BATCH).map(of_job).collect();
    let mut kinds: Vec<(&str, Vec<u64>)> = Vec::new();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    for (kind, length) in found?.into_iter().flatten() {
        let number = *numbers.entry(kind).or_insert(kinds.len());
        if number == kinds.len() {
            kinds.push((kind, Vec::new()));
        }
        kinds[number].1.push(length);
    }
    let lists: Vec<&[u64]> = kinds.iter().map(|(_, lengths)| lengths.as_slice()).collect();
    let all = of_kind("", &lists);
    let mut kinds: Vec<FlowStatistics> =
        kinds.iter().filter_map(|(kind, lengths)| of_kind(kind, &[lengths.as_slice()])).collect();
    kinds.sort_by(|a, b| b.total.cmp(&a.total).then_with(|| a.kind.cmp(&b.kind)));
    Some(FlowKinds { kinds, all })
}

/// The statistics of the lengths in some lists; `None` if there are none.
#[expect(clippy::cast_precision_loss, reason = "a mean is no exact number")]
fn of_kind(kind: &str, lists: &[&[u64]]) -> Option<FlowStatistics> {
    let [p50, p90, p99, p999] = ranks::percentiles(lists)?;
    let lengths = || lists.iter().copied().flatten().copied();
    let count = lengths().count() as u64;
    let total: i128 = lengths().map(i128::from).sum();
    let mean = total as f64 / count as f64;
    let deviation = ranks::deviation(lists, count, mean);
    let (min, max) = (lengths().min()?, lengths().max()?);
    let lengths = LengthStatistics { min, p50, p90, p99, p999, max, deviation };
    Some(FlowStatistics { kind: kind.to_owned(), count, total, mean, lengths })
}
