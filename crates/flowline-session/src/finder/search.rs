//! The names of the open recording, collected on demand, and an incremental search among them.

use std::cmp::Reverse;
use std::sync::Arc;

use rayon::prelude::*;

use super::candidates::Candidates;
use super::fuzzy::FuzzyQuery;
use crate::flows::FlowPanelModel;
use crate::insights::InsightReport;
use crate::tasks::{OnDemand, Wake};
use flowline_index::Index;

/// Maximum number of results.
pub const MAX_RESULTS: usize = 200;

/// Names per job of the pool.
const BATCH: usize = 4096;

/// Names that are collected together. Flow labels take longer, so they are collected separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum CandidateSet {
    Names,
    Flows,
    Insights,
}

/// The names of the open recording, collected on demand.
pub struct FinderNames(OnDemand<CandidateSet, Candidates>);

impl FinderNames {
    /// `wake` is called when names have been collected.
    #[must_use]
    pub fn new(wake: &Wake) -> Self {
        Self(OnDemand::new(wake, 3))
    }

    /// The names collected so far: first those of threads, processes and markers, then the labels of flows, then the
    /// insights of page loads.
    #[must_use]
    pub fn get(&self, index: &Arc<Index>, flows: &FlowPanelModel) -> Vec<Arc<Candidates>> {
        let insights_index = Arc::clone(index);
        let (names_index, flows_index, rules) = (Arc::clone(index), Arc::clone(index), Arc::clone(&flows.rules));
        let names = self.0.get(CandidateSet::Names, move |is_wanted| Candidates::names(&names_index, is_wanted));
        let flows =
            self.0.get(CandidateSet::Flows, move |is_wanted| Candidates::flows(&flows_index, &rules, is_wanted));
        // Later parts keep their numbers only behind the earlier ones.
        let insights = (names.is_some() && flows.is_some() && InsightReport::may_exist(index.profile()))
            .then(|| self.0.get(CandidateSet::Insights, move |_| Candidates::insights(&insights_index)));
        names.into_iter().chain(flows).chain(insights.flatten()).collect()
    }
}

/// Search results, best first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FinderResults {
    /// Part and number of at most [`MAX_RESULTS`] names, and their scores.
    pub best: Vec<(usize, u32, i32)>,
    /// Number of all names that match.
    pub total: usize,
}

/// An incremental search: if more letters are typed, only the previous matches are searched.
#[derive(Clone, Debug, Default)]
pub struct FinderSearch {
    query: FuzzyQuery,
    /// Number of names in each part.
    sizes: Vec<usize>,
    /// Numbers of the names that matched, in each part.
    matched: Vec<Vec<u32>>,
    found: FinderResults,
}

impl FinderSearch {
    /// The latest results.
    #[must_use]
    pub const fn found(&self) -> &FinderResults {
        &self.found
    }

    /// Searches again if the text or the names have changed; returns true if it did.
    pub fn follow(&mut self, text: &str, parts: &[Arc<Candidates>]) -> bool {
        let query = FuzzyQuery::new(text);
        let sizes: Vec<usize> = parts.iter().map(|part| part.len()).collect();
        if self.query == query && (query.is_empty() || self.sizes == sizes) {
            return false;
        }
        let filters_more = self.sizes == sizes && query.filters_more(&self.query);
        let mut all: Vec<(usize, u32, i32)> = Vec::new();
        let mut matched = Vec::new();
        for (part, candidates) in parts.iter().enumerate() {
            let earlier = filters_more.then(|| std::mem::take(&mut self.matched[part]));
            let scored = match earlier {
                _ if query.is_empty() => Vec::new(),
                Some(numbers) => score(candidates, &query, &numbers),
                None => score(
                    candidates,
                    &query,
                    &(0..u32::try_from(candidates.len()).unwrap_or(u32::MAX)).collect::<Vec<_>>(),
                ),
            };
            matched.push(scored.iter().map(|(number, _)| *number).collect());
            all.extend(scored.into_iter().map(|(number, score)| (part, number, score)));
        }
        let total = all.len();
        let order = |(part, number, score): &(usize, u32, i32)| (Reverse(*score), *part, *number);
        if all.len() > MAX_RESULTS {
            all.select_nth_unstable_by_key(MAX_RESULTS, order);
            all.truncate(MAX_RESULTS);
        }
        all.sort_unstable_by_key(order);
        // An empty text matches everything without a search, so its matches cannot be reused.
        let sizes = if query.is_empty() { Vec::new() } else { sizes };
        *self = Self { query, sizes, matched, found: FinderResults { best: all, total } };
        true
    }
}

/// Scores the names with these numbers; returns the matching ones in the order of the numbers.
fn score(candidates: &Candidates, query: &FuzzyQuery, numbers: &[u32]) -> Vec<(u32, i32)> {
    let scored = |numbers: &[u32]| -> Vec<(u32, i32)> {
        let one = |number: &u32| {
            let at = *number as usize;
            let score = if query.may_match(candidates.letters(at)) { query.score(candidates.text(at)) } else { None };
            Some((*number, score? + candidates.weight(at)))
        };
        numbers.iter().filter_map(one).collect()
    };
    if numbers.len() <= BATCH {
        return scored(numbers);
    }
    let parts: Vec<Vec<(u32, i32)>> = numbers.par_chunks(BATCH).map(scored).collect();
    parts.concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finder::Destination;
    use flowline_profile::ProcessId;

    fn named(names: &[&str]) -> Vec<Arc<Candidates>> {
        let mut candidates = Candidates::default();
        names.iter().for_each(|name| candidates.push(name, Destination::Process(ProcessId(0))));
        vec![Arc::new(candidates)]
    }

    #[test]
    fn each_letter_narrows_what_was_found_and_backspace_widens_it() {
        let parts = named(&["Renderer", "Refresh driver", "GeckoMain", "Compositor"]);
        let found = |search: &FinderSearch| -> Vec<String> {
            let text = |(part, number, _): &(usize, u32, i32)| parts[*part].text(*number as usize).to_owned();
            search.found().best.iter().map(text).collect()
        };
        let mut search = FinderSearch::default();
        assert!(!search.follow("", &[]));
        for (typed, expected) in [("r", 3), ("rd", 2), ("rdd", 0), ("rd", 2), ("", 0), ("o", 2)] {
            search.follow(typed, &parts);
            assert_eq!(found(&search).len(), expected, "{typed}: {:?}", found(&search));
            assert_eq!(search.found().total, expected);
            let mut fresh = FinderSearch::default();
            fresh.follow(typed, &parts);
            assert_eq!(fresh.found(), search.found(), "same result as a fresh search");
        }
        assert!(!search.follow("o", &parts), "nothing changed");
    }

    #[test]
    fn the_best_of_very_many_are_kept_and_all_are_counted() {
        let names: Vec<String> = (0..20_000).map(|number| format!("task number {number}")).collect();
        let parts = named(&names.iter().map(String::as_str).collect::<Vec<_>>());
        let mut search = FinderSearch::default();
        search.follow("tn", &parts);
        assert_eq!((search.found().best.len(), search.found().total), (MAX_RESULTS, 20_000));
        search.follow("task 19999", &parts);
        assert_eq!(search.found().best.first().map(|best| best.1), Some(19_999));
    }
}
