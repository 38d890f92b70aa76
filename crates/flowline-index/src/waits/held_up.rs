//! Flows that other flows held up: they waited for a thread on which a marker of the others ran.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::flow_requests::request_during;
use crate::Index;
use crate::flows::{RuleMatcher, SegmentKind, TimelineSegment};
use crate::network::PhaseKind;
use flowline_profile::{FlowId, MarkerId, TimeRange};

/// At most this many markers of the flows are examined, the longest ones first.
const MAX_RUNS: usize = 64;
/// At most this many intervals that begin after each of these markers are examined.
const MAX_NEXT: usize = 512;
/// Flows with more markers are left out: they are queues, not work that waited for something.
const MAX_MEMBERS: usize = 10_000;
/// At most this many flows are returned.
const MAX_FLOWS: usize = 20;

/// Returns the flows of which a wait ended on a thread where markers of `entered` had run for most of it, longest such
/// wait first. Waits for the network are not counted. `None` if `goes_on` returns false.
#[must_use]
pub fn held_up_by(
    index: &Index,
    rules: &RuleMatcher,
    entered: &[FlowId],
    goes_on: &dyn Fn() -> bool,
) -> Option<Vec<FlowId>> {
    let (profile, graph) = (index.profile(), index.flows());
    let mut runs: Vec<(Reverse<i64>, MarkerId)> = Vec::new();
    for marker in entered.iter().flat_map(|flow| graph.members(*flow)) {
        let Some((thread, local)) = profile.locate(*marker) else { continue };
        let length = profile.thread(thread).markers.range(local).len();
        if length > 0 {
            runs.push((Reverse(length), *marker));
        }
    }
    runs.sort_unstable();
    runs.dedup();
    runs.truncate(MAX_RUNS);
    let mut held: BTreeMap<FlowId, i64> = BTreeMap::new();
    for (_, marker) in runs {
        let Some((thread, local)) = profile.locate(marker) else { continue };
        let (data, stack) = (profile.thread(thread), index.thread_stack(thread));
        let run = data.markers.range(local);
        // A wait that the run covers for the most part ends within its length.
        let after = TimeRange { start: run.end, end: run.end + (run.end - run.start) };
        for next in stack.starting_in(after).take(MAX_NEXT) {
            if !goes_on() {
                return None;
            }
            let next = data.global(next);
            let others = graph.flows_of(next).iter().filter(|flow| !entered.contains(flow));
            for flow in others.filter(|flow| graph.members(**flow).len() <= MAX_MEMBERS) {
                let timeline = rules.timeline(profile, graph, *flow);
                let waits = timeline.segments.iter().filter(|segment| segment.marker == next);
                for wait in waits.filter(|segment| segment.kind == SegmentKind::Wait) {
                    let common = wait.range.within(run).len();
                    if 2 * common > wait.range.len() && !is_for_network(index, *flow, wait) {
                        let longest = held.entry(*flow).or_default();
                        *longest = common.max(*longest);
                    }
                }
            }
        }
    }
    let mut flows: Vec<(Reverse<i64>, FlowId)> = held.into_iter().map(|(flow, ns)| (Reverse(ns), flow)).collect();
    flows.sort_unstable();
    flows.truncate(MAX_FLOWS);
    Some(flows.into_iter().map(|(_, flow)| flow).collect())
}

/// True if the flow's network request was in progress for more than half of a wait.
fn is_for_network(index: &Index, flow: FlowId, wait: &TimelineSegment) -> bool {
    let request = request_during(index, flow, wait.range).and_then(|request| index.network().get(request));
    let phases = request.map_or_else(Vec::new, |request| request.phases_in(wait.range));
    let is_network = |kind: PhaseKind| kind != PhaseKind::Unknown && kind != PhaseKind::Processing;
    let all: i64 = phases.iter().filter(|(kind, _)| is_network(*kind)).map(|(_, ns)| ns).sum();
    2 * all > wait.range.len()
}
