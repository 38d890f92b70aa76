//! Flow rules compiled for a recording. Every pattern is resolved once against the recording's names, so that matching
//! a flow only looks up bits. (`docs/flows.md` documents the rules.)
//!
//! Cost: a rule's `any`, `values` and labels examine the first and last [`SAMPLED_MEMBERS`] markers of a flow; the
//! other conditions examine only its first marker. Payloads are read last, and only if all other conditions hold.

use rayon::prelude::*;

use super::rule::{FlowRule, LabelSource, Pattern};
use super::rule_names::{MemberInfo, NameSet};
use super::rule_set::FlowRules;
use super::rule_values::{CompiledValue, Events};
use super::states::StateNames;
use crate::flows::graph::FlowGraph;
use flowline_profile::{FlowId, MarkerId, Profile, StringId, TypeId};

/// Number of markers that rules examine at each end of a flow.
pub(crate) const SAMPLED_MEMBERS: usize = 256;
/// Flows per job.
const BATCH: usize = 1 << 13;

/// A rule with the names that its patterns match.
#[derive(Clone, Debug)]
pub(crate) struct CompiledRule {
    pub(crate) rule: FlowRule,
    first: Option<NameSet>,
    any: Option<NameSet>,
    types: Option<Vec<bool>>,
    values: Vec<CompiledValue>,
    /// Markers of each label source, and the events to search during them.
    pub(crate) label: Vec<(NameSet, Events)>,
    pub(crate) thread: NameSet,
    pub(crate) fade: NameSet,
    pub(crate) before: NameSet,
    pub(crate) after: NameSet,
    pub(crate) until: NameSet,
    pub(crate) run: NameSet,
    pub(crate) posts: NameSet,
}

impl CompiledRule {
    fn new(rule: FlowRule, profile: &Profile) -> Self {
        let names = |patterns: &[Pattern]| NameSet::resolve(&profile.strings, patterns);
        let is_type = |patterns: &Vec<Pattern>| -> Vec<bool> {
            let is_one = |name: &str| patterns.iter().any(|pattern| pattern.matches(name));
            profile.types.iter().map(|(_, kind)| is_one(profile.strings.get(kind.name))).collect()
        };
        let source = |source: &LabelSource| match source {
            LabelSource::Field { marker, .. } => (names(marker), Events::default()),
            LabelSource::Text(_) => Default::default(),
            LabelSource::During { during, types, .. } => {
                let names = names(during);
                // No marker matches, so no events are needed.
                let events =
                    if names.is_empty() { Events::default() } else { Events::of_types(profile, is_type(types)) };
                (names, events)
            }
        };
        Self {
            first: rule.when.first.as_deref().map(names),
            any: rule.when.any.as_deref().map(names),
            types: rule.when.types.as_ref().map(is_type),
            values: rule.when.values.iter().map(|value| CompiledValue::new(value.clone(), profile)).collect(),
            label: rule.label.iter().map(source).collect(),
            thread: names(&rule.thread),
            fade: rule.fade.as_ref().map(|fade| names(&fade.from)).unwrap_or_default(),
            before: names(&rule.before),
            after: names(&rule.after),
            until: names(&rule.until),
            run: names(&rule.run),
            posts: names(&rule.posts),
            rule,
        }
    }

    /// True if the conditions on a flow's first marker hold and those on all its markers can hold.
    fn accepts(&self, name: StringId, kind: Option<TypeId>) -> bool {
        let is_type = |types: &Vec<bool>| kind.is_some_and(|kind| types.get(kind.index()) == Some(&true));
        self.first.as_ref().is_none_or(|first| first.has(name))
            && self.types.as_ref().is_none_or(is_type)
            && self.any.as_ref().is_none_or(|any| !any.is_empty())
    }
}

/// Members that rules examine, in order.
#[inline]
pub(crate) fn sampled(members: &[MarkerId]) -> impl Iterator<Item = MarkerId> + '_ {
    let head = members.len().min(SAMPLED_MEMBERS);
    let tail = members.len().saturating_sub(SAMPLED_MEMBERS).max(head);
    members[..head].iter().chain(&members[tail..]).copied()
}

/// Rules compiled for a recording.
#[derive(Clone, Debug, Default)]
pub struct RuleMatcher {
    pub(crate) rules: Vec<CompiledRule>,
    /// Markers that post something, in flows of any rule.
    pub(crate) postings: NameSet,
    /// Markers whose names state what their flow does, in flows without a rule.
    pub(crate) states: StateNames,
}

impl RuleMatcher {
    /// Compiles rules for a recording.
    #[must_use]
    #[inline]
    pub fn new(rules: FlowRules, profile: &Profile) -> Self {
        let postings: Vec<Pattern> = rules.once().iter().flatten().flatten().cloned().collect();
        let postings = NameSet::resolve(&profile.strings, &postings);
        Self {
            postings,
            states: StateNames::new(profile),
            rules: rules.rules.into_par_iter().map(|rule| CompiledRule::new(rule, profile)).collect(),
        }
    }

    /// Scans the recording for all events that the rules may need. Otherwise this happens on first use. It can take a
    /// long time.
    #[inline]
    pub fn prepare(&self, profile: &Profile) {
        self.rules.iter().flat_map(|rule| &rule.label).for_each(|(_, events)| events.prepare(profile));
    }

    /// Rule by number.
    #[must_use]
    #[inline]
    pub fn rule(&self, number: usize) -> Option<&FlowRule> {
        self.rules.get(number).map(|compiled| &compiled.rule)
    }

    /// Number of the first rule that matches a flow.
    #[must_use]
    #[inline]
    pub fn matching_rule(&self, profile: &Profile, flows: &FlowGraph, flow: FlowId) -> Option<usize> {
        decide(&self.rules, profile, flows.members(flow), &mut Vec::new())
    }

    /// Kind of a flow: the name of the matching rule; without one, the flow's name in the recording, else the name of
    /// its first marker.
    #[must_use]
    pub fn kind_of<'a>(&'a self, profile: &'a Profile, flows: &FlowGraph, flow: FlowId) -> &'a str {
        let rule = self.matching_rule(profile, flows, flow).map(|number| self.rules[number].rule.name());
        if let Some(name) = rule.filter(|name| !name.is_empty()) {
            return name;
        }
        match flows.explicit_name(profile, flow) {
            "" => {
                let first = flows.members(flow).first().and_then(|marker| MemberInfo::new(profile, *marker));
                first.map_or("", |first| profile.strings.get(first.name))
            }
            name => name,
        }
    }

    /// Tracks that the rules define, each with the number of the first rule that defines it, in rule order.
    #[must_use]
    pub fn tracks(&self) -> Vec<(usize, String)> {
        let mut tracks: Vec<(usize, String)> = Vec::new();
        for (number, compiled) in self.rules.iter().enumerate() {
            if let Some(name) = compiled.rule.track()
                && tracks.iter().all(|(_, known)| known != name)
            {
                tracks.push((number, name.to_owned()));
            }
        }
        tracks
    }

    /// Flows of each of [`RuleMatcher::tracks`], ascending (which is start order), each with the number of its matching
    /// rule.
    #[must_use]
    pub fn flows_of_tracks(&self, profile: &Profile, flows: &FlowGraph) -> Vec<(String, Vec<(FlowId, usize)>)> {
        let mut tracks: Vec<(String, Vec<(FlowId, usize)>)> =
            self.tracks().into_iter().map(|(_, name)| (name, Vec::new())).collect();
        let track = |compiled: &CompiledRule| {
            let wanted = compiled.rule.track()?;
            tracks.iter().position(|(name, _)| name == wanted)
        };
        let track_of: Vec<Option<usize>> = self.rules.iter().map(track).collect();
        let Some(last) = track_of.iter().rposition(Option::is_some) else { return tracks };
        let firsts: Vec<usize> = (0..flows.len()).step_by(BATCH).collect();
        let of_batch = |first: usize| -> Vec<(usize, (FlowId, usize))> {
            let mut names = Vec::new();
            let track = |flow| {
                let rule = decide(&self.rules[..=last], profile, flows.members(flow), &mut names)?;
                Some((track_of[rule]?, (flow, rule)))
            };
            (first..(first + BATCH).min(flows.len())).map(FlowId::new).filter_map(track).collect()
        };
        let batches: Vec<Vec<(usize, (FlowId, usize))>> = firsts.into_par_iter().map(of_batch).collect();
        for (track, flow) in batches.into_iter().flatten() {
            tracks[track].1.push(flow);
        }
        tracks
    }
}

/// Number of the first rule that matches a flow with these members. `names` is scratch space for their names, which are
/// looked up only if a rule needs them.
fn decide(rules: &[CompiledRule], profile: &Profile, members: &[MarkerId], names: &mut Vec<StringId>) -> Option<usize> {
    let first = MemberInfo::new(profile, *members.first()?)?;
    let kind = profile.thread(first.thread).markers.kind(first.local);
    names.clear();
    let mut has_any = |any: &NameSet| {
        if names.is_empty() {
            let sample = sampled(members).filter_map(|marker| MemberInfo::new(profile, marker));
            names.extend(sample.map(|member| member.name));
        }
        names.iter().any(|name| any.has(*name))
    };
    rules.iter().position(|rule| {
        rule.accepts(first.name, kind)
            && rule.any.as_ref().is_none_or(&mut has_any)
            && rule.values.iter().all(|value| {
                let sample = sampled(members).filter_map(|marker| MemberInfo::new(profile, marker));
                value.holds(profile, sample)
            })
    })
}

#[cfg(test)]
mod tests;
