//! Flows of a scope by kind: those with at least one marker in it, and how long they last as a whole.

use std::collections::HashMap;

use rayon::prelude::*;

use super::subject::Subject;
use super::{LengthStatistics, ranks};
use crate::index::Index;
use crate::index::flows::RuleMatcher;
use crate::profile::FlowId;

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

/// The flows of a scope by kind, the largest total first. `None` if `keep_going` returned `false` meanwhile.
#[must_use]
pub fn flows(
    subject: &Subject<'_>,
    index: &Index,
    rules: &RuleMatcher,
    keep_going: &(impl Fn() -> bool + Sync),
) -> Option<Vec<FlowStatistics>> {
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
    let mut all: Vec<FlowStatistics> =
        kinds.into_iter().filter_map(|(kind, lengths)| of_kind(kind, &lengths)).collect();
    all.sort_by(|a, b| b.total.cmp(&a.total).then_with(|| a.kind.cmp(&b.kind)));
    Some(all)
}

#[expect(clippy::cast_precision_loss, reason = "a mean is no exact number")]
fn of_kind(kind: &str, lengths: &[u64]) -> Option<FlowStatistics> {
    let [p50, p90, p99, p999] = ranks::percentiles(&[lengths])?;
    let count = lengths.len() as u64;
    let total: i128 = lengths.iter().map(|length| i128::from(*length)).sum();
    let mean = total as f64 / count as f64;
    let deviation = ranks::deviation(&[lengths], count, mean);
    let (min, max) = (*lengths.iter().min()?, *lengths.iter().max()?);
    let lengths = LengthStatistics { min, p50, p90, p99, p999, max, deviation };
    Some(FlowStatistics { kind: kind.to_owned(), count, total, mean, lengths })
}
