//! Rules prepared for a recording: every pattern is resolved once against the recording's names, so that a flow is
//! matched by looking up bits.
//!
//! Cost: a rule's `any` looks at the first [`NEAR`] and the last [`NEAR`] markers of a flow, the other conditions at
//! its first marker only.

use rayon::prelude::*;

use super::FlowGraph;
use super::rules::{FlowRule, FlowRules, LabelSource, Pattern};
use crate::profile::{FlowId, LocalMarker, MarkerId, Profile, StringId, Strings, ThreadId, TypeId};

/// How many of a flow's markers are looked at from either end.
pub(super) const NEAR: usize = 256;
/// Flows handled by one job.
const BATCH: usize = 1 << 13;

/// Names of a recording that a list of patterns matches: a bit for each interned string.
#[derive(Clone, Debug, Default)]
pub(super) struct Names(Vec<u64>);

impl Names {
    fn resolve(strings: &Strings, patterns: &[Pattern]) -> Self {
        let mut names = Self::default();
        let mut open = Vec::new();
        for pattern in patterns {
            match pattern.only_name() {
                Some(name) => strings.find(name).into_iter().for_each(|id| names.add(id)),
                None => open.push(pattern),
            }
        }
        if !open.is_empty() {
            let matching = strings.iter().filter(|(_, name)| open.iter().any(|pattern| pattern.matches(name)));
            matching.for_each(|(id, _)| names.add(id));
        }
        names
    }

    fn add(&mut self, id: StringId) {
        let word = id.index() / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (id.index() % 64);
    }

    /// Whether a name is among them.
    pub(super) fn has(&self, id: StringId) -> bool {
        self.0.get(id.index() / 64).is_some_and(|word| word >> (id.index() % 64) & 1 == 1)
    }

    /// Whether no name of the recording is.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A rule with the names that its patterns match.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    pub(super) rule: FlowRule,
    first: Option<Names>,
    any: Option<Names>,
    types: Option<Vec<bool>>,
    /// The markers of each source of the label.
    pub(super) label: Vec<Names>,
    pub(super) thread: Names,
    pub(super) fade: Names,
    pub(super) before: Names,
    pub(super) after: Names,
}

impl Prepared {
    fn new(rule: FlowRule, profile: &Profile) -> Self {
        let names = |patterns: &[Pattern]| Names::resolve(&profile.strings, patterns);
        let is_type = |patterns: &Vec<Pattern>| -> Vec<bool> {
            let is_one = |name: &str| patterns.iter().any(|pattern| pattern.matches(name));
            profile.types.iter().map(|(_, kind)| is_one(profile.strings.get(kind.name))).collect()
        };
        let source = |source: &LabelSource| match source {
            LabelSource::Field { marker, .. } => names(marker),
            LabelSource::Text(_) => Names::default(),
        };
        Self {
            first: rule.when.first.as_deref().map(names),
            any: rule.when.any.as_deref().map(names),
            types: rule.when.types.as_ref().map(is_type),
            label: rule.label.iter().map(source).collect(),
            thread: names(&rule.thread),
            fade: rule.fade.as_ref().map(|fade| names(&fade.from)).unwrap_or_default(),
            before: names(&rule.before),
            after: names(&rule.after),
            rule,
        }
    }

    /// Whether the conditions on a flow's first marker hold, and those on all can.
    fn accepts(&self, name: StringId, kind: Option<TypeId>) -> bool {
        let is_type = |types: &Vec<bool>| kind.is_some_and(|kind| types.get(kind.index()) == Some(&true));
        self.first.as_ref().is_none_or(|first| first.has(name))
            && self.types.as_ref().is_none_or(is_type)
            && self.any.as_ref().is_none_or(|any| !any.is_empty())
    }
}

/// A member of a flow with what rules ask for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) marker: MarkerId,
    pub(super) thread: ThreadId,
    pub(super) local: LocalMarker,
    pub(super) name: StringId,
}

impl Seen {
    pub(super) fn new(profile: &Profile, marker: MarkerId) -> Option<Self> {
        let (thread, local) = profile.locate(marker)?;
        Some(Self { marker, thread, local, name: profile.thread(thread).markers.name[local.index()] })
    }
}

/// The members that rules look at, in order.
pub(super) fn near(members: &[MarkerId]) -> impl Iterator<Item = MarkerId> + '_ {
    let head = members.len().min(NEAR);
    let tail = members.len().saturating_sub(NEAR).max(head);
    members[..head].iter().chain(&members[tail..]).copied()
}

/// Rules prepared for a recording.
#[derive(Clone, Debug, Default)]
pub struct RuleBook {
    pub(super) rules: Vec<Prepared>,
}

impl RuleBook {
    /// Looks the rules' patterns up in the recording's names.
    #[must_use]
    pub fn new(rules: FlowRules, profile: &Profile) -> Self {
        Self { rules: rules.rules.into_par_iter().map(|rule| Prepared::new(rule, profile)).collect() }
    }

    /// The rule of a number.
    #[must_use]
    pub fn rule(&self, number: usize) -> Option<&FlowRule> {
        self.rules.get(number).map(|prepared| &prepared.rule)
    }

    /// Number of the rule that a flow is shown by.
    #[must_use]
    pub fn rule_of(&self, profile: &Profile, flows: &FlowGraph, flow: FlowId) -> Option<usize> {
        decide(&self.rules, profile, flows.members(flow), &mut Vec::new())
    }

    /// The tracks that rules ask for, each with the number of the first rule that does, in rule order.
    #[must_use]
    pub fn tracks(&self) -> Vec<(usize, String)> {
        let mut tracks: Vec<(usize, String)> = Vec::new();
        for (number, prepared) in self.rules.iter().enumerate() {
            if let Some(name) = prepared.rule.track()
                && tracks.iter().all(|(_, known)| known != name)
            {
                tracks.push((number, name.to_owned()));
            }
        }
        tracks
    }

    /// The flows of each of [`RuleBook::tracks`], ascending, so in the order in which they begin.
    #[must_use]
    pub fn flows_of_tracks(&self, profile: &Profile, flows: &FlowGraph) -> Vec<(String, Vec<FlowId>)> {
        let mut tracks: Vec<(String, Vec<FlowId>)> =
            self.tracks().into_iter().map(|(_, name)| (name, Vec::new())).collect();
        let track = |prepared: &Prepared| {
            let wanted = prepared.rule.track()?;
            tracks.iter().position(|(name, _)| name == wanted)
        };
        let track_of: Vec<Option<usize>> = self.rules.iter().map(track).collect();
        let Some(last) = track_of.iter().rposition(Option::is_some) else { return tracks };
        let firsts: Vec<usize> = (0..flows.len()).step_by(BATCH).collect();
        let of_batch = |first: usize| -> Vec<(usize, FlowId)> {
            let mut names = Vec::new();
            let track = |flow| {
                let rule = decide(&self.rules[..=last], profile, flows.members(flow), &mut names)?;
                Some((track_of[rule]?, flow))
            };
            (first..(first + BATCH).min(flows.len())).map(FlowId::new).filter_map(track).collect()
        };
        let batches: Vec<Vec<(usize, FlowId)>> = firsts.into_par_iter().map(of_batch).collect();
        for (track, flow) in batches.into_iter().flatten() {
            tracks[track].1.push(flow);
        }
        tracks
    }
}

/// The first rule that matches a flow with these members. `names` is room for their names, which are looked up only if
/// a rule asks for them.
fn decide(rules: &[Prepared], profile: &Profile, members: &[MarkerId], names: &mut Vec<StringId>) -> Option<usize> {
    let first = Seen::new(profile, *members.first()?)?;
    let kind = profile.thread(first.thread).markers.kind(first.local);
    names.clear();
    let mut has_any = |any: &Names| {
        if names.is_empty() {
            names.extend(near(members).filter_map(|marker| Seen::new(profile, marker)).map(|seen| seen.name));
        }
        names.iter().any(|name| any.has(*name))
    };
    rules.iter().position(|rule| rule.accepts(first.name, kind) && rule.any.as_ref().is_none_or(&mut has_any))
}

#[cfg(test)]
mod tests;
