//! The timeline of a flow: its segments, from the intervals and steps of its markers.

use super::segment::FlowTimeline;
use super::sweep;
use super::sweep::Piece;
use crate::flows::graph::{FlowGraph, times_of};
use crate::flows::rules::{CompiledRule, MemberInfo, RuleMatcher};
use flowline_profile::{FlowId, FlowSteps, MarkerFlags, MarkerId, Ns, Profile};

impl RuleMatcher {
    /// Timeline of a flow; empty for an unknown flow. Takes O(n log n) time for n members.
    #[must_use]
    #[inline]
    pub fn timeline(&self, profile: &Profile, flows: &FlowGraph, flow: FlowId) -> FlowTimeline {
        let rule = self.matching_rule(profile, flows, flow).map(|number| &self.rules[number]);
        timeline_under(rule, profile, flows, flow)
    }
}

/// True if a member is an interval that counts as a run.
#[inline]
pub(crate) fn runs(rule: Option<&CompiledRule>, flags: MarkerFlags, marker: MemberInfo) -> bool {
    let is_run =
        |rule: &CompiledRule| !rule.before.has(marker.name) && (rule.run.is_empty() || rule.run.has(marker.name));
    !flags.has(MarkerFlags::INSTANT) && rule.is_none_or(is_run)
}

/// Timeline of a flow under its matching rule.
pub(crate) fn timeline_under(
    rule: Option<&CompiledRule>,
    profile: &Profile,
    flows: &FlowGraph,
    flow: FlowId,
) -> FlowTimeline {
    let members = flows.members(flow);
    let steps = flows.steps(profile, flow);
    let mut pieces = Vec::with_capacity(members.len());
    for marker in members.iter().filter_map(|marker| MemberInfo::new(profile, *marker)) {
        let markers = &profile.thread(marker.thread).markers;
        let range = markers.range(marker.local);
        let end = if runs(rule, markers.flags(marker.local), marker) { range.end } else { range.start };
        pieces.push(Piece { start: range.start, resumed: false, end, marker: marker.marker });
    }
    if !steps.is_empty() {
        pieces = subtract_waits(pieces, profile, steps);
    }
    FlowTimeline {
        segments: sweep::segments(pieces, flows.range(profile, flow), flows.flows.last.get(flow.index()).copied()),
    }
}

/// Removes from each posting slice the time from the post to the earliest start of a slice posted there.
fn subtract_waits(pieces: Vec<Piece>, profile: &Profile, steps: FlowSteps<'_>) -> Vec<Piece> {
    // The posting slice, the time of the post, and the earliest start of a slice posted there.
    let mut posted: Vec<(MarkerId, Ns, Ns)> = Vec::new();
    for (from, to) in steps.arrows() {
        let (slice, time, start) = (from.marker, from.time, times_of(profile, to.marker).start);
        if time <= times_of(profile, slice).start {
            continue;
        }
        match posted.last_mut().filter(|last| (last.0, last.1) == (slice, time)) {
            Some(last) => last.2 = last.2.min(start),
            None => posted.push((slice, time, start)),
        }
    }
    posted.retain(|(_, time, start)| start > time);
    posted.sort_unstable();
    let mut found = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let first = posted.partition_point(|(slice, _, _)| *slice < piece.marker);
        let (mut start, mut resumed) = (piece.start, false);
        for (_, time, until) in posted[first..].iter().take_while(|(slice, _, _)| *slice == piece.marker) {
            if *time < piece.end && *until > start {
                if *time > start || !resumed {
                    found.push(Piece { start, resumed, end: (*time).max(start), ..piece });
                }
                (start, resumed) = (*until, true);
            }
        }
        if start < piece.end || !resumed {
            found.push(Piece { start, resumed, ..piece });
        }
    }
    found
}
