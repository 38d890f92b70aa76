//! Tests one marker against a query.

mod fields;
mod kept_payloads;
mod keys;
mod nested;
mod payload;
mod payload_filter;
mod term;
mod text;

use super::problem::{Problem, ProblemKind};
use super::query::{Query, Test};
use crate::index::flows::FlowGraph;
use crate::profile::{LocalMarker, MarkerId, Profile, ThreadId};
pub use keys::unknown_keys;
use payload_filter::kept_payloads;
use term::CompiledTerm;

/// A query compiled for a profile. Everything that does not depend on payloads is decided once per distinct string.
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
        let compile = |terms: &'a Vec<super::query::Term>| {
            let mut terms: Vec<_> = terms.iter().map(|term| CompiledTerm::new(profile, flows, term)).collect();
            // Terms that never look at payloads go first: mostly they decide.
            terms.sort_by_key(CompiledTerm::looks_at_payloads);
            terms
        };
        Self { profile, flows, any: query.any.iter().map(compile).collect(), none: compile(&query.none) }
    }

    /// What the terms say that this recording cannot answer.
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

    /// All matching markers, ascending, if the query names only flows.
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

    /// Whether payloads decide about some markers.
    #[must_use]
    pub fn looks_at_payloads(&self) -> bool {
        self.any.iter().flatten().chain(&self.none).any(CompiledTerm::looks_at_payloads)
    }

    /// Finds out which payloads cannot match, by one pass over the input for each term. Results stay the same, and come
    /// sooner if many payloads would be looked into.
    pub fn rule_out_payloads(&mut self, keep_going: &(impl Fn() -> bool + Sync)) {
        for term in self.any.iter_mut().flatten().chain(&mut self.none) {
            if term.looks_at_payloads() {
                term.set_kept(kept_payloads(self.profile, self.flows, term, keep_going));
            }
        }
    }

    /// Whether a marker matches, as far as that is known without its payload.
    #[must_use]
    pub fn matches_without_payload(&self, thread: ThreadId, marker: LocalMarker) -> Option<bool> {
        let quick = |term: &CompiledTerm<'_>| term.quick(self.profile, thread, marker);
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

    /// Whether a marker matches.
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
        // No payload is read for an alternative that fails without it.
        let all = |terms: &Vec<CompiledTerm<'_>>| match terms.as_slice() {
            [term] => hit(term),
            terms => terms.iter().all(|term| quick(term) != Some(false)) && terms.iter().all(hit),
        };
        (self.any.is_empty() || self.any.iter().any(all)) && !(is_open && self.none.iter().any(hit))
    }
}

#[cfg(test)]
mod tests;
