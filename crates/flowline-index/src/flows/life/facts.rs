//! What tables and tapes say of a flow: its totals, where it was posted, where it runs, its resource and its type.

use super::super::posted_name::{POSTED_NAMES, posted_name};
use super::super::rule_matcher::{CompiledRule, sampled};
use super::super::rule_names::MemberInfo;
use super::super::rule_values::{FEW_PAYLOADS, MAX_PAYLOADS, field_text};
use super::super::rules::LabelSource;
use super::super::{FlowGraph, RuleMatcher};
use super::{Life, SegmentKind};
use flowline_profile::{FlowId, MarkerId, Profile, ThreadId};

/// How long a flow ran and waited, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LifeTotals {
    /// Time in which at least one of its intervals was on.
    pub run: i64,
    /// The rest.
    pub wait: i64,
    /// Its longest wait; 0 if it never waited.
    pub longest_wait: i64,
    /// The marker at which its longest wait ended.
    pub waited_for: Option<MarkerId>,
}

impl From<&Life> for LifeTotals {
    fn from(life: &Life) -> Self {
        let longest = life.longest_wait();
        Self {
            run: life.total(SegmentKind::Run),
            wait: life.total(SegmentKind::Wait),
            longest_wait: longest.map_or(0, |wait| wait.range.len()),
            waited_for: longest.map(|wait| wait.marker),
        }
    }
}

/// What a flow is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlowFacts {
    /// The thread of its first marker.
    pub posted_from: Option<ThreadId>,
    /// The threads of the markers that ran, in the order in which they first did.
    pub runs_on: Vec<ThreadId>,
    /// The address, host, path or file that it is about; that of the first of its markers that has one.
    pub resource: Option<String>,
    /// What was posted: see [`RuleMatcher::type_of`].
    pub kind: String,
}

impl RuleMatcher {
    /// How long a flow ran and waited.
    #[must_use]
    pub fn life_totals(&self, profile: &Profile, flows: &FlowGraph, flow: FlowId) -> LifeTotals {
        LifeTotals::from(&self.life(profile, flows, flow))
    }

    /// The type of a flow: the name of what was posted, where a field of its markers has it; else the name that the recording
    /// gives the flow, else that of its first marker. [`type_path`] divides it.
    #[must_use]
    pub fn type_of(&self, profile: &Profile, flows: &FlowGraph, flow: FlowId) -> String {
        let rule = self.rule_of(profile, flows, flow).map(|number| &self.rules[number]);
        type_under(rule, profile, flows, flow)
    }

    /// The resource of a flow: that of the first of its markers that has one, else the address from which its label is made.
    #[must_use]
    pub fn resource(&self, profile: &Profile, flows: &FlowGraph, flow: FlowId) -> Option<String> {
        flows.resource(profile, flow).or_else(|| {
            let rule = &self.rules[self.rule_of(profile, flows, flow)?];
            let members: Vec<MemberInfo> =
                sampled(flows.members(flow)).filter_map(|marker| MemberInfo::new(profile, marker)).collect();
            rule.address(profile, &members)
        })
    }

    /// Everything that is said of a flow beside its life.
    #[must_use]
    pub fn flow_facts(&self, profile: &Profile, flows: &FlowGraph, flow: FlowId) -> FlowFacts {
        FlowFacts {
            posted_from: flows.posted_from(profile, flow),
            runs_on: self.runs_on(profile, flows, flow),
            resource: self.resource(profile, flows, flow),
            kind: self.type_of(profile, flows, flow),
        }
    }

    /// The threads of the markers of a flow that ran, in the order in which they first did.
    #[must_use]
    pub fn runs_on(&self, profile: &Profile, flows: &FlowGraph, flow: FlowId) -> Vec<ThreadId> {
        let mut runs_on = Vec::new();
        let runs = self.life(profile, flows, flow).segments;
        for segment in runs.into_iter().filter(|segment| segment.kind == SegmentKind::Run) {
            let thread = profile.locate(segment.marker).map(|(thread, _)| thread);
            runs_on.extend(thread.filter(|thread| !runs_on.contains(thread)));
        }
        runs_on
    }
}

impl FlowGraph {
    /// The thread of a flow's first marker.
    #[must_use]
    pub fn posted_from(&self, profile: &Profile, flow: FlowId) -> Option<ThreadId> {
        self.members(flow).first().and_then(|marker| profile.locate(*marker)).map(|(thread, _)| thread)
    }

    /// The resource of the first of a flow's markers that has one; its first markers are looked at.
    #[must_use]
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
        "" => members().next().map_or_else(String::new, |first| profile.strings.get(first.name).to_owned()),
        name => {
            let posted = |member: MemberInfo| posted_name(profile, member.thread, member.local);
            let posted = members().take(FEW_PAYLOADS).find_map(posted);
            posted.map_or_else(|| name.to_owned(), |posted| posted.path)
        }
    })
}

/// The parts of a type: it is divided at `::`, `.`, `/` and `:`.
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
