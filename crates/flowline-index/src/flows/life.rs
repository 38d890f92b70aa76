//! The life of a flow: when it ran and when it waited.
//!
//! The segments of a flow partition the time from its start to its end. It *runs* where at least one of its intervals is on,
//! and *waits* elsewhere. A wait is divided where a marker of the flow begins: each part belongs to the marker at which it
//! ends, and lasts from the step before, where that was posted.
//!
//! A trace says more precisely when something was posted: at a step, inside a slice that goes on. From then to the start
//! of the slice that was posted the flow waits, whatever the slice that posted it still does. A step at the very start of its
//! slice, as every `bind_id` makes one, does not say when the slice posted.
//!
//! A rule may name the markers that are the run (`run`), and those that only announce it (`before`).

mod facts;
mod sweep;

pub use facts::{FlowFacts, LifeTotals, type_path};

use super::rule_matcher::CompiledRule;
use super::rule_names::MemberInfo;
use super::{FlowGraph, RuleMatcher, times_of};
use flowline_profile::{FlowId, FlowSteps, MarkerFlags, MarkerId, Ns, Profile, TimeRange};
use sweep::Piece;

/// What happens in a segment of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SegmentKind {
    /// At least one of its intervals is on.
    Run,
    /// None is.
    Wait,
}

/// A part of a flow's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LifeSegment {
    /// When; not empty.
    pub range: TimeRange,
    /// What happens.
    pub kind: SegmentKind,
    /// What runs: of several markers the one that began last. Of a wait the marker at which it ends.
    pub marker: MarkerId,
}

/// The segments of a flow, in order, without gap or overlap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Life {
    /// The segments; none if the flow has no length.
    pub segments: Vec<LifeSegment>,
}

impl Life {
    /// Nanoseconds spent in segments of a kind.
    #[must_use]
    pub fn total(&self, kind: SegmentKind) -> i64 {
        let lengths = self.segments.iter().filter(|segment| segment.kind == kind).map(|segment| segment.range.len());
        lengths.fold(0, i64::saturating_add)
    }

    /// The longest wait; of equal ones the first.
    #[must_use]
    pub fn longest_wait(&self) -> Option<&LifeSegment> {
        let waits = self.segments.iter().filter(|segment| segment.kind == SegmentKind::Wait);
        waits.reduce(|longest, wait| if wait.range.len() > longest.range.len() { wait } else { longest })
    }

    /// The number of the segment at a time; of two that touch there the later one.
    #[must_use]
    pub fn at(&self, time: Ns) -> Option<usize> {
        let after = self.segments.partition_point(|segment| segment.range.start <= time);
        after.checked_sub(1).filter(|at| time <= self.segments[*at].range.end)
    }
}

impl RuleMatcher {
    /// The life of a flow; empty for an unknown one. Costs n log n in its members.
    #[must_use]
    pub fn life(&self, profile: &Profile, flows: &FlowGraph, flow: FlowId) -> Life {
        let rule = self.rule_of(profile, flows, flow).map(|number| &self.rules[number]);
        life_under(rule, profile, flows, flow)
    }
}

/// Whether a member is an interval that counts as a run.
pub(super) fn runs(rule: Option<&CompiledRule>, flags: MarkerFlags, marker: MemberInfo) -> bool {
    let is_run =
        |rule: &CompiledRule| !rule.before.has(marker.name) && (rule.run.is_empty() || rule.run.has(marker.name));
    !flags.has(MarkerFlags::INSTANT) && rule.is_none_or(is_run)
}

/// The life of a flow under the rule that decides how it is shown.
pub(super) fn life_under(rule: Option<&CompiledRule>, profile: &Profile, flows: &FlowGraph, flow: FlowId) -> Life {
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
        pieces = without_waits(pieces, profile, steps);
    }
    Life { segments: sweep::segments(pieces, flows.range(profile, flow), flows.flows.last.get(flow.index()).copied()) }
}

/// Takes out of each slice that posts something the time from there to the earliest start of what it posted.
fn without_waits(pieces: Vec<Piece>, profile: &Profile, steps: FlowSteps<'_>) -> Vec<Piece> {
    // The slice that posts, when, and the earliest start of what it posts there.
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
