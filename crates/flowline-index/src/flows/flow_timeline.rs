//! Flow timeline: the run and wait segments of a flow.
//!
//! The segments of a flow partition the time from its start to its end. The flow *runs* while at least one of its
//! intervals is active and *waits* otherwise. A wait is split where a marker of the flow begins: each part belongs to
//! the marker at which it ends, and begins at the previous step, which posted that marker.
//!
//! Traces record more precisely when something was posted: at a step, inside a slice that continues. The flow waits
//! from that step to the start of the posted slice, even if the posting slice is still active. A step at the very start
//! of its slice, which every `bind_id` produces, does not tell when the slice posted.
//!
//! A rule may list the markers that are the run (`run`) and those that only announce it (`before`).

mod facts;
mod sweep;

pub use facts::{FlowFacts, TimelineTotals, type_path};

use super::rule_matcher::CompiledRule;
use super::rule_names::MemberInfo;
use super::{FlowGraph, RuleMatcher, times_of};
use flowline_profile::{FlowId, FlowSteps, MarkerFlags, MarkerId, Ns, Profile, TimeRange};
use sweep::Piece;

/// The kind of a segment of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SegmentKind {
    /// At least one of the flow's intervals is active.
    Run,
    /// No interval of the flow is active.
    Wait,
}

/// A segment of a flow timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimelineSegment {
    /// Time of the segment; not empty.
    pub range: TimeRange,
    /// Run or wait.
    pub kind: SegmentKind,
    /// For a run, the running marker; of several, the one that began last. For a wait, the marker at which it ends.
    pub marker: MarkerId,
}

/// The segments of a flow, in order, without gap or overlap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlowTimeline {
    /// The segments; none if the flow has no length.
    pub segments: Vec<TimelineSegment>,
}

impl FlowTimeline {
    /// Total length of the segments of a kind, in nanoseconds.
    #[must_use]
    pub fn total(&self, kind: SegmentKind) -> i64 {
        let lengths = self.segments.iter().filter(|segment| segment.kind == kind).map(|segment| segment.range.len());
        lengths.fold(0, i64::saturating_add)
    }

    /// The longest wait; the first of several equal ones.
    #[must_use]
    pub fn longest_wait(&self) -> Option<&TimelineSegment> {
        let waits = self.segments.iter().filter(|segment| segment.kind == SegmentKind::Wait);
        waits.reduce(|longest, wait| if wait.range.len() > longest.range.len() { wait } else { longest })
    }

    /// Index of the segment at a time; at the boundary of two segments, the later one.
    #[must_use]
    pub fn at(&self, time: Ns) -> Option<usize> {
        let after = self.segments.partition_point(|segment| segment.range.start <= time);
        after.checked_sub(1).filter(|at| time <= self.segments[*at].range.end)
    }
}

impl RuleMatcher {
    /// Timeline of a flow; empty for an unknown flow. Takes O(n log n) time for n members.
    #[must_use]
    pub fn life(&self, profile: &Profile, flows: &FlowGraph, flow: FlowId) -> FlowTimeline {
        let rule = self.matching_rule(profile, flows, flow).map(|number| &self.rules[number]);
        timeline_under(rule, profile, flows, flow)
    }
}

/// True if a member is an interval that counts as a run.
pub(super) fn runs(rule: Option<&CompiledRule>, flags: MarkerFlags, marker: MemberInfo) -> bool {
    let is_run =
        |rule: &CompiledRule| !rule.before.has(marker.name) && (rule.run.is_empty() || rule.run.has(marker.name));
    !flags.has(MarkerFlags::INSTANT) && rule.is_none_or(is_run)
}

/// Timeline of a flow under its matching rule.
pub(super) fn timeline_under(
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
