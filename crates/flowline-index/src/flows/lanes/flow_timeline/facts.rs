//! Flow data for tables and lanes: run and wait totals, posting thread, running threads, resource and type.

use super::posted_from::PostedFrom;
use super::{FlowTimeline, SegmentKind};
use crate::flows::graph::FlowGraph;
use crate::flows::rules::{
    CompiledRule, LabelSource, MAX_PAYLOADS, MAX_TRACE_PAYLOADS, MemberInfo, POSTED_NAMES, RuleMatcher, field_text,
    posted_name, sampled, without_state,
};
use flowline_profile::{FlowId, MarkerId, Profile, ThreadId};

/// Run and wait totals of a flow, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimelineTotals {
    /// Time during which at least one of its intervals was active.
    pub run: i64,
    /// Time from its postings until something ran.
    pub wait: i64,
    /// The remaining time, between two uses of an object.
    pub idle: i64,
    /// Its longest wait; 0 if it never waited.
    pub longest_wait: i64,
    /// The marker at which its longest wait ended.
    pub waited_for: Option<MarkerId>,
}

impl From<&FlowTimeline> for TimelineTotals {
    fn from(timeline: &FlowTimeline) -> Self {
        let longest = timeline.longest_wait();
        Self {
            run: timeline.total(SegmentKind::Run),
            wait: timeline.total(SegmentKind::Wait),
            idle: timeline.total(SegmentKind::Idle),
            longest_wait: longest.map_or(0, |wait| wait.range.len()),
            waited_for: longest.map(|wait| wait.marker),
        }
    }
}

/// Threads, resource and type of a flow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlowFacts {
    /// The thread that posted the flow.
    pub posted_from: PostedFrom,
    /// The threads of the running markers, in order of their first run.
    pub runs_on: Vec<ThreadId>,
    /// The address, host, path or file of the first marker that has one.
    pub resource: Option<String>,
    /// The type; see [`RuleMatcher::type_of`].
    pub kind: String,
}

impl RuleMatcher {
    /// Run and wait totals of a flow.
    #[must_use]
    #[inline]
    pub fn timeline_totals(&self, profile: &Profile, flows: &FlowGraph, flow: FlowId) -> TimelineTotals {
        TimelineTotals::from(&self.timeline(profile, flows, flow))
    }

    /// Type of a flow: the posted name, if a field of its markers contains it; else the flow's name in the recording,
    /// else the name of its first marker. [`type_path`] splits it.
    #[must_use]
    #[inline]
    pub fn type_of(&self, profile: &Profile, flows: &FlowGraph, flow: FlowId) -> String {
        let rule = self.matching_rule(profile, flows, flow).map(|number| &self.rules[number]);
        type_under(rule, profile, flows, flow)
    }

    /// Resource of a flow: that of its first marker with a resource, else the address from which its label is derived.
    #[must_use]
    pub fn resource(&self, profile: &Profile, flows: &FlowGraph, flow: FlowId) -> Option<String> {
        flows.resource(profile, flow).or_else(|| {
            let rule = &self.rules[self.matching_rule(profile, flows, flow)?];
            let members: Vec<MemberInfo> =
                sampled(flows.members(flow)).filter_map(|marker| MemberInfo::new(profile, marker)).collect();
            rule.address(profile, &members)
        })
    }

    /// All data of a flow except its timeline.
    #[must_use]
    pub fn flow_facts(&self, profile: &Profile, flows: &FlowGraph, flow: FlowId) -> FlowFacts {
        FlowFacts {
            posted_from: self.posted_from(profile, flows, flow),
            runs_on: self.runs_on(profile, flows, flow),
            resource: self.resource(profile, flows, flow),
            kind: self.type_of(profile, flows, flow),
        }
    }

    /// Threads of a flow's running markers, in order of their first run.
    #[must_use]
    pub fn runs_on(&self, profile: &Profile, flows: &FlowGraph, flow: FlowId) -> Vec<ThreadId> {
        let mut runs_on = Vec::new();
        let runs = self.timeline(profile, flows, flow).segments;
        for segment in runs.into_iter().filter(|segment| segment.kind == SegmentKind::Run) {
            let thread = profile.locate(segment.marker).map(|(thread, _)| thread);
            runs_on.extend(thread.filter(|thread| !runs_on.contains(thread)));
        }
        runs_on
    }
}

impl FlowGraph {
    /// Resource of the first of a flow's markers that has one, among its first `MAX_PAYLOADS` markers.
    #[must_use]
    #[inline]
    pub fn resource(&self, profile: &Profile, flow: FlowId) -> Option<String> {
        let mut located = self.members(flow).iter().take(MAX_PAYLOADS).filter_map(|marker| profile.locate(*marker));
        located.find_map(|(thread, local)| profile.resource_of(thread, local))
    }
}

fn type_under(rule: Option<&CompiledRule>, profile: &Profile, flows: &FlowGraph, flow: FlowId) -> String {
    let members = || sampled(flows.members(flow)).filter_map(|marker| MemberInfo::new(profile, marker));
    let sources = rule.into_iter().flat_map(|rule| rule.rule.label.iter().zip(&rule.label));
    let named = sources.into_iter().find_map(|(source, (names, _))| match source {
        LabelSource::Field { field, .. } if POSTED_NAMES.contains(&field.as_str()) => members()
            .filter(|member| names.has(member.name))
            .take(MAX_PAYLOADS)
            .find_map(|member| field_text(profile, member, field)),
        _ => None,
    });
    named.unwrap_or_else(|| match flows.explicit_name(profile, flow) {
        "" => {
            members().next().map_or_else(String::new, |first| without_state(profile.strings.get(first.name)).to_owned())
        }
        name => {
            let posted = |member: MemberInfo| posted_name(profile, member.thread, member.local);
            let posted = members().take(MAX_TRACE_PAYLOADS).find_map(posted);
            posted.map_or_else(|| name.to_owned(), |posted| posted.path)
        }
    })
}

/// Parts of a type, which is split at `::`, `.`, `/` and `:`.
#[inline]
pub fn type_path(kind: &str) -> impl Iterator<Item = &str> {
    kind.split(['.', '/', ':']).map(str::trim).filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_is_a_path() {
        let parts = |kind| type_path(kind).collect::<Vec<_>>();
        assert_eq!(parts("mozilla::net::nsHttpChannel::AsyncOpen"), ["mozilla", "net", "nsHttpChannel", "AsyncOpen"]);
        assert_eq!(parts("network/cache.entry:read"), ["network", "cache", "entry", "read"]);
        assert_eq!(parts("plain name"), ["plain name"]);
        assert!(parts("::").is_empty());
    }
}
