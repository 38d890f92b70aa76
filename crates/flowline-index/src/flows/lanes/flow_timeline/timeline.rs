//! The timeline of a flow: its segments, from the intervals and steps of its markers.

use super::roles::{FlowRoles, Role, first_exec};
use super::segment::FlowTimeline;
use super::sweep;
use super::sweep::Piece;
use crate::flows::graph::{FlowGraph, times_of};
use crate::flows::rules::{MemberInfo, RuleMatcher};
use flowline_profile::{FlowId, FlowSteps, MarkerId, Ns, Profile, TimeRange};

impl RuleMatcher {
    /// Timeline of a flow; empty for an unknown flow. Takes O(n log n) time for n members.
    #[must_use]
    #[inline]
    pub fn timeline(&self, profile: &Profile, flows: &FlowGraph, flow: FlowId) -> FlowTimeline {
        timeline_under(&self.roles(profile, flows, flow), profile, flows, flow)
    }
}

/// Timeline of a flow whose markers have these roles.
pub(crate) fn timeline_under(
    roles: &FlowRoles<'_>,
    profile: &Profile,
    flows: &FlowGraph,
    flow: FlowId,
) -> FlowTimeline {
    let infos = flows.members(flow).iter().filter_map(|marker| MemberInfo::new(profile, *marker));
    let range = flows.range(profile, flow);
    let members = roles.members(profile, infos, range.end);
    let steps = flows.steps(profile, flow);
    let mut pieces: Vec<Piece> = Vec::with_capacity(members.len());
    let mut before = None;
    for member in &members {
        let TimeRange { start, end } = member.range;
        let end = if member.role == Role::Run { end } else { start };
        // Work that runs on another thread was handed to it.
        if end > start
            && before.is_some_and(|thread| thread != member.info.thread)
            && let Some(last) = pieces.last_mut()
        {
            last.posts |= last.end == last.start;
        }
        before = Some(member.info.thread);
        // Traces state their postings as steps.
        let posts = !steps.is_empty() || roles.posts_next(profile, member);
        let marker = member.info.marker;
        let exec = Some(member).filter(|_| end > start).and_then(|slice| first_exec(&members, slice));
        if let Some(exec) = exec {
            pieces.push(Piece { start, resumed: false, end: start, marker, posts: true });
            pieces.push(Piece { start: exec, resumed: true, end, marker, posts });
        } else {
            pieces.push(Piece { start, resumed: false, end, marker, posts });
        }
    }
    if !steps.is_empty() {
        pieces = subtract_waits(pieces, profile, steps);
    }
    FlowTimeline { segments: sweep::segments(pieces, range, flows.flows.last.get(flow.index()).copied()) }
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
