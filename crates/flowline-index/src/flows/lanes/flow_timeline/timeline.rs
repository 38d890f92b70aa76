//! The timeline of a flow: its segments, from the intervals and steps of its markers.

use super::segment::FlowTimeline;
use super::sweep;
use super::sweep::Piece;
use crate::flows::graph::{FlowGraph, times_of};
use crate::flows::rules::{CompiledRule, MemberInfo, NameSet, RuleMatcher};
use flowline_profile::{FlowId, FlowSteps, MarkerFlags, MarkerId, Ns, Profile, StringId};

impl RuleMatcher {
    /// Timeline of a flow; empty for an unknown flow. Takes O(n log n) time for n members.
    #[must_use]
    #[inline]
    pub fn timeline(&self, profile: &Profile, flows: &FlowGraph, flow: FlowId) -> FlowTimeline {
        let rule = self.matching_rule(profile, flows, flow).map(|number| &self.rules[number]);
        timeline_under((rule, &self.postings), profile, flows, flow)
    }
}

/// True if a member is an interval that counts as a run.
#[inline]
pub(crate) fn runs(rule: Option<&CompiledRule>, flags: MarkerFlags, marker: MemberInfo) -> bool {
    let is_run =
        |rule: &CompiledRule| !rule.before.has(marker.name) && (rule.run.is_empty() || rule.run.has(marker.name));
    !flags.has(MarkerFlags::INSTANT) && rule.is_none_or(is_run)
}

/// True if a member posts what comes next, as far as its name tells.
fn posts(rule: Option<&CompiledRule>, postings: &NameSet, flags: MarkerFlags, name: StringId) -> bool {
    let by_rule = |rule: &CompiledRule| {
        let is_last = rule.after.has(name) || rule.until.has(name) || rule.fade.has(name);
        rule.before.has(name) || rule.posts.has(name) && !is_last
    };
    flags.has(MarkerFlags::INSTANT) && postings.has(name) || rule.is_some_and(by_rule)
}

/// Timeline of a flow under its matching rule. `postings` are the names of markers that post something in any flow.
pub(crate) fn timeline_under(
    (rule, postings): (Option<&CompiledRule>, &NameSet),
    profile: &Profile,
    flows: &FlowGraph,
    flow: FlowId,
) -> FlowTimeline {
    let members = flows.members(flow);
    let steps = flows.steps(profile, flow);
    let mut pieces: Vec<Piece> = Vec::with_capacity(members.len());
    let mut before = None;
    for marker in members.iter().filter_map(|marker| MemberInfo::new(profile, *marker)) {
        let markers = &profile.thread(marker.thread).markers;
        let range = markers.range(marker.local);
        let flags = markers.flags(marker.local);
        let end = if runs(rule, flags, marker) { range.end } else { range.start };
        // Work that runs on another thread was handed to it.
        if end > range.start
            && before.is_some_and(|thread| thread != marker.thread)
            && let Some(last) = pieces.last_mut()
        {
            last.posts |= last.end == last.start;
        }
        before = Some(marker.thread);
        // Traces state their postings as steps.
        let posts = !steps.is_empty() || posts(rule, postings, flags, marker.name);
        pieces.push(Piece { start: range.start, resumed: false, end, marker: marker.marker, posts });
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
