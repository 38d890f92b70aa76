//! Tests single markers against a query.

mod candidate_payloads;
mod fields;
mod keys;
mod nested;
mod occurrences;
mod payload;
mod payload_filter;
mod string_indexes;
mod term;
mod text;
mod work;

use rayon::prelude::*;

use super::problem::{Problem, ProblemKind};
use super::query::{Query, Test};
use crate::flows::FlowGraph;
use flowline_profile::{Attributes, LocalMarker, MarkerId, Profile, ThreadId};
pub use keys::unknown_keys;
use payload_filter::candidate_payloads;
use term::CompiledTerm;

/// Minimum number of attribute combinations that one job tests.
const ATTRIBUTES: usize = 1 << 12;

/// A query compiled for a profile. Tests that do not depend on payloads are evaluated once per distinct string.
pub struct Matcher<'a> {
    profile: &'a Profile,
    flows: &'a FlowGraph,
    any: Vec<Vec<CompiledTerm<'a>>>,
    none: Vec<CompiledTerm<'a>>,
}

impl<'a> Matcher<'a> {
    /// Compiles a query.
    #[must_use]
    pub fn new(profile: &'a Profile, flows: &'a FlowGraph, query: &'a Query) -> Self {
        let clock = query.clock.unwrap_or_else(|| profile.clock());
        let compile = |terms: &'a Vec<super::query::Term>| {
            let mut terms: Vec<_> = terms.iter().map(|term| CompiledTerm::new(profile, flows, term, clock)).collect();
            // Terms that never read payloads go first: they usually decide.
            terms.sort_by_key(CompiledTerm::looks_at_payloads);
            terms
        };
        Self { profile, flows, any: query.any.iter().map(compile).collect(), none: compile(&query.none) }
    }

    /// The problems of terms that do not apply to this recording.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        let all = self.any.iter().flatten().chain(&self.none);
        let problem = |compiled: &CompiledTerm<'_>| {
            let kind = match &compiled.asked.test {
                Test::Flow(_) if compiled.members.is_empty() && !self.flows.is_known() => ProblemKind::FlowsToCome,
                Test::Flow(_) if compiled.members.is_empty() => ProblemKind::NoFlow,
                Test::Number { key, range } if !compiled.suits_some_field(self.profile, key, range) => {
                    ProblemKind::OtherUnit { key: key.clone() }
                }
                _ => return None,
            };
            Some(Problem { term: compiled.asked.typed.clone(), kind })
        };
        all.filter_map(problem).collect()
    }

    /// All matching markers, ascending, if the query consists only of flow terms.
    #[must_use]
    pub fn only_flows(&self) -> Option<Vec<MarkerId>> {
        let names_flow = |terms: &Vec<CompiledTerm<'_>>| match terms.as_slice() {
            [term] => !term.negated && !term.members.is_empty(),
            _ => false,
        };
        if self.any.is_empty() || !self.any.iter().all(names_flow) || !self.none.is_empty() {
            return None;
        }
        let mut members: Vec<MarkerId> = self.any.iter().flatten().flat_map(|term| &term.members).copied().collect();
        members.sort_unstable();
        members.dedup();
        Some(members)
    }

    /// True if the result for some markers depends on payloads.
    #[must_use]
    #[inline]
    pub fn looks_at_payloads(&self) -> bool {
        self.any.iter().flatten().chain(&self.none).any(CompiledTerm::looks_at_payloads)
    }

    /// Finds the payloads that cannot match, with one pass over the input per term. Results stay the same, and arrive
    /// sooner if many payloads would otherwise be read.
    pub fn rule_out_payloads(&mut self, keep_going: &(impl Fn() -> bool + Sync)) {
        for term in self.any.iter_mut().flatten().chain(&mut self.none) {
            if term.looks_at_payloads() && !term.tests_message_end() {
                term.set_kept(candidate_payloads(self.profile, self.flows, term, keep_going));
            }
        }
    }

    /// For each distinct attribute combination of a thread's markers, the result for these markers; `None` if it
    /// depends on more than attributes.
    #[inline]
    pub(super) fn by_attributes(&self, thread: ThreadId) -> Vec<Option<bool>> {
        self.decide_each(thread, |term, attributes| term.by_attributes(thread, attributes))
    }

    /// Like [`Matcher::by_attributes`], for markers whose payloads were ruled out for all terms.
    #[inline]
    pub(super) fn by_attributes_alone(&self, thread: ThreadId) -> Vec<Option<bool>> {
        let without = |term: &CompiledTerm<'_>| term.kept().map(|_| term.negated);
        self.decide_each(thread, |term, attributes| term.by_attributes(thread, attributes).or_else(|| without(term)))
    }

    fn decide_each(
        &self,
        thread: ThreadId,
        quick: impl Fn(&CompiledTerm<'_>, Attributes) -> Option<bool> + Sync,
    ) -> Vec<Option<bool>> {
        let distinct = self.profile.thread(thread).markers.attributes().items().par_iter();
        distinct.with_min_len(ATTRIBUTES).map(|attributes| self.decide(|term| quick(term, *attributes))).collect()
    }

    /// True if the payload of a marker was ruled out for every term that has a payload filter.
    #[inline]
    pub(super) fn is_ruled_out(&self, thread: ThreadId, marker: LocalMarker) -> bool {
        let kept = self.any.iter().flatten().chain(&self.none).filter_map(CompiledTerm::kept);
        kept.into_iter().all(|kept| !kept.keeps(thread, marker))
    }

    /// True if the result depends on data of the individual marker other than its payload.
    #[inline]
    pub(super) fn asks_for_markers(&self) -> bool {
        self.any.iter().flatten().chain(&self.none).any(CompiledTerm::depends_on_marker)
    }

    /// True if a marker matches; `None` if that depends on its payload.
    #[must_use]
    #[inline]
    pub fn matches_without_payload(&self, thread: ThreadId, marker: LocalMarker) -> Option<bool> {
        self.decide(|term| term.quick(self.profile, thread, marker))
    }

    /// Combines the results of the terms.
    fn decide(&self, quick: impl Fn(&CompiledTerm<'_>) -> Option<bool>) -> Option<bool> {
        let (mut open, mut any) = (false, self.any.is_empty());
        for term in &self.none {
            match quick(term) {
                Some(true) => return Some(false),
                Some(false) => {}
                None => open = true,
            }
        }
        let mut any_open = false;
        for terms in &self.any {
            let mut all = Some(true);
            for term in terms {
                match quick(term) {
                    Some(true) => {}
                    Some(false) => {
                        all = Some(false);
                        break;
                    }
                    None => all = None,
                }
            }
            match all {
                Some(true) => {
                    any = true;
                    break;
                }
                Some(false) => {}
                None => any_open = true,
            }
        }
        if !any && !any_open {
            return Some(false);
        }
        (any && !open).then_some(true)
    }

    /// True if a marker matches.
    #[must_use]
    pub fn matches(&self, thread: ThreadId, marker: LocalMarker) -> bool {
        let quick = |term: &CompiledTerm<'_>| term.quick(self.profile, thread, marker);
        let mut is_open = false;
        for term in &self.none {
            match quick(term) {
                Some(true) => return false,
                Some(false) => {}
                None => is_open = true,
            }
        }
        let hit =
            |term: &CompiledTerm<'_>| quick(term).unwrap_or_else(|| term.matches_payload(self.profile, thread, marker));
        // Don't read a payload for an alternative that fails without it.
        let all = |terms: &Vec<CompiledTerm<'_>>| match terms.as_slice() {
            [term] => hit(term),
            terms => terms.iter().all(|term| quick(term) != Some(false)) && terms.iter().all(hit),
        };
        (self.any.is_empty() || self.any.iter().any(all)) && !(is_open && self.none.iter().any(hit))
    }
}

#[cfg(test)]
mod tests;
