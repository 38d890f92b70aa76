//! Facts about all flows, and the sorted list of the flows that match a filter. Both are computed on the pool.
//! Facts take 32 bytes per flow. Labels and ids are read from the input on demand: for the rows on screen, or for all
//! flows while filtering or sorting by them.

use std::collections::HashMap;

use rayon::prelude::*;

use super::columns::FlowColumn;
use super::filter::{Filter, Quantity};
use super::flow_times::FlowTimes;
use super::texts::Fact;
use flowline_index::Index;
use flowline_index::flows::RuleMatcher;
use flowline_profile::{FlowId, Ns};
use flowline_scene::Scope;

/// Facts about a flow, stored so that its markers need not be read again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FlowFacts {
    pub(super) start: Ns,
    /// Nanoseconds.
    pub(super) length: i64,
    pub(super) threads: u32,
    pub(super) processes: u32,
    /// Position among the kinds.
    pub(super) kind: u32,
}

/// A kind of flows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FlowKind {
    pub(super) name: String,
    pub(super) flows: usize,
}

/// Facts about all flows.
#[derive(Clone, Debug, Default)]
pub(super) struct FlowCounts {
    /// Indexed by flow id.
    pub(super) facts: Vec<FlowFacts>,
    /// The kinds, in the order in which they first occur.
    pub(super) kinds: Vec<FlowKind>,
}

/// Flows per job of the pool.
const BATCH: usize = 1 << 12;

/// Counts the threads and processes that each flow crosses, and the flows of each kind. The result is incomplete once
/// `is_wanted` returns false.
pub(super) fn count(index: &Index, rules: &RuleMatcher, is_wanted: &(dyn Fn() -> bool + Sync)) -> FlowCounts {
    let (profile, graph) = (index.profile(), index.flows());
    let batch_facts = |first: usize| -> Vec<(FlowFacts, &str)> {
        if !is_wanted() {
            return Vec::new();
        }
        // The last flow seen in each thread and process.
        let mut threads = vec![u32::MAX; profile.threads.len()];
        let mut processes = vec![u32::MAX; profile.processes.len()];
        let flow_facts = |flow: FlowId| {
            let range = graph.range(profile, flow);
            let mut facts = FlowFacts { start: range.start, length: range.len(), ..FlowFacts::default() };
            for marker in graph.members(flow) {
                let Some((thread, _)) = profile.locate(*marker) else { continue };
                if is_first(&mut threads, thread.index(), flow) {
                    facts.threads += 1;
                    let process = profile.thread(thread).process.index();
                    facts.processes += u32::from(is_first(&mut processes, process, flow));
                }
            }
            (facts, rules.kind_of(profile, graph, flow))
        };
        (first..(first + BATCH).min(graph.len())).map(FlowId::new).map(flow_facts).collect()
    };
    let batches: Vec<Vec<(FlowFacts, &str)>> =
        (0..graph.len().div_ceil(BATCH)).into_par_iter().map(|b| batch_facts(b * BATCH)).collect();
    let mut counts = FlowCounts::default();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for (mut facts, name) in batches.into_iter().flatten() {
        let number = *known.entry(name).or_insert_with(|| {
            counts.kinds.push(FlowKind { name: name.to_owned(), flows: 0 });
            counts.kinds.len() - 1
        });
        counts.kinds[number].flows += 1;
        facts.kind = u32::try_from(number).unwrap_or(u32::MAX);
        counts.facts.push(facts);
    }
    counts
}

/// True if a flow is seen for the first time in a thread or process.
fn is_first(last_seen: &mut [u32], place: usize, flow: FlowId) -> bool {
    last_seen.get_mut(place).is_some_and(|last| std::mem::replace(last, flow.0) != flow.0)
}

/// The data that rows are built from.
#[derive(Clone, Copy)]
pub(super) struct Flows<'a> {
    pub(super) index: &'a Index,
    pub(super) rules: &'a RuleMatcher,
    pub(super) counts: &'a FlowCounts,
    /// Run and wait times of all flows, once computed.
    pub(super) timelines: Option<&'a [FlowTimes]>,
}

impl Flows<'_> {
    /// Facts about a flow.
    pub(super) fn facts(&self, flow: FlowId) -> FlowFacts {
        self.counts.facts.get(flow.index()).copied().unwrap_or_default()
    }

    /// Number of the flow's markers.
    pub(super) fn markers(&self, flow: FlowId) -> usize {
        self.index.flows().members(flow).len()
    }

    /// Run time of a flow in nanoseconds, once computed.
    pub(super) fn run(&self, flow: FlowId) -> Option<i64> {
        Some(self.timelines?.get(flow.index())?.run)
    }

    /// Wait time of a flow in nanoseconds, once computed.
    pub(super) fn wait(&self, flow: FlowId) -> Option<i64> {
        Some((self.facts(flow).length - self.run(flow)?).max(0))
    }

    /// Longest wait of a flow in nanoseconds, once computed.
    pub(super) fn longest_wait(&self, flow: FlowId) -> Option<i64> {
        Some(self.timelines?.get(flow.index())?.longest_wait)
    }

    /// A text of a flow, in lower case.
    fn text(&self, fact: Fact, flow: FlowId) -> String {
        fact.text(self.index, self.rules, flow).to_lowercase()
    }

    fn label(&self, flow: FlowId) -> String {
        let look = self.rules.appearance(self.index.profile(), self.index.flows(), self.index.source().styles, flow);
        look.label.to_lowercase()
    }

    fn id(&self, flow: FlowId) -> String {
        self.index.flows().id_text(self.index.profile(), flow).to_lowercase()
    }

    /// Flows that match a filter and have a marker in the scope, sorted; equal ones stay in start order. The result is
    /// incomplete once `is_wanted` returns false.
    pub(super) fn rows(
        &self,
        filter: &Filter,
        scope: &Scope,
        (column, descending): (FlowColumn, bool),
        is_wanted: &(dyn Fn() -> bool + Sync),
    ) -> Vec<FlowId> {
        let number = |flow: FlowId, fact: Quantity| match fact {
            Quantity::Markers => i64::try_from(self.markers(flow)).unwrap_or(i64::MAX),
            Quantity::Threads => i64::from(self.facts(flow).threads),
            Quantity::Processes => i64::from(self.facts(flow).processes),
            Quantity::Length => self.facts(flow).length,
            Quantity::Run => self.run(flow).unwrap_or(0),
            Quantity::Wait => self.wait(flow).unwrap_or(0),
            Quantity::LongestWait => self.longest_wait(flow).unwrap_or(0),
        };
        let (profile, graph) = (self.index.profile(), self.index.flows());
        let is_everything = scope.is_everything();
        let accepted = filter.kinds(self.counts.kinds.iter().map(|kind| kind.name.as_str()));
        let holds = |flow: &FlowId| {
            let kind = self.facts(*flow).kind as usize;
            is_wanted()
                && (is_everything || scope.contains_one_of(profile, graph.members(*flow)))
                && filter.holds(
                    |fact| number(*flow, fact),
                    |test| accepted.holds(test, kind),
                    |fact| self.text(fact, *flow),
                    || [self.label(*flow), self.id(*flow)],
                )
        };
        let all = (0..self.index.flows().len()).into_par_iter().map(FlowId::new);
        let flows: Vec<FlowId> =
            if filter.is_empty() && is_everything { all.collect() } else { all.filter(holds).collect() };
        let text = |of: &(dyn Fn(FlowId) -> String + Sync)| {
            let key = |flow: FlowId| if is_wanted() { of(flow) } else { String::new() };
            ordered(flows.par_iter().map(|flow| (key(*flow), *flow)).collect(), descending)
        };
        let by_number =
            |fact: Quantity| ordered(flows.par_iter().map(|flow| (number(*flow, fact), *flow)).collect(), descending);
        match column {
            FlowColumn::Label => text(&|flow| self.label(flow)),
            FlowColumn::Id => text(&|flow| self.id(flow)),
            // Flows are numbered in start order.
            FlowColumn::Start => {
                ordered(flows.par_iter().map(|flow| (self.facts(*flow).start, *flow)).collect(), descending)
            }
            FlowColumn::Length => by_number(Quantity::Length),
            FlowColumn::Run => by_number(Quantity::Run),
            FlowColumn::Wait => by_number(Quantity::Wait),
            FlowColumn::LongestWait => by_number(Quantity::LongestWait),
            FlowColumn::PostedFrom => text(&|flow| self.text(Fact::PostedFrom, flow)),
            FlowColumn::RunsOn => text(&|flow| self.text(Fact::RunsOn, flow)),
            FlowColumn::Type => text(&|flow| self.text(Fact::Type, flow)),
            FlowColumn::Resource => text(&|flow| self.text(Fact::Resource, flow)),
            FlowColumn::Markers => by_number(Quantity::Markers),
            FlowColumn::Threads => by_number(Quantity::Threads),
            FlowColumn::Processes => by_number(Quantity::Processes),
        }
    }
}

/// Sorts flows by key; equal ones by ascending id.
fn ordered<K: Ord + Send + Sync>(mut keys: Vec<(K, FlowId)>, descending: bool) -> Vec<FlowId> {
    keys.par_sort_unstable_by(|(one, a), (other, b)| {
        let order = if descending { other.cmp(one) } else { one.cmp(other) };
        order.then(a.cmp(b))
    });
    keys.into_par_iter().map(|(_, flow)| flow).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_flows_stay_in_start_order() {
        let keys = || vec![(2, FlowId(0)), (1, FlowId(1)), (2, FlowId(2)), (3, FlowId(3))];
        let numbers = |flows: Vec<FlowId>| flows.into_iter().map(|flow| flow.0).collect::<Vec<_>>();
        assert_eq!(numbers(ordered(keys(), false)), [1, 0, 2, 3]);
        assert_eq!(numbers(ordered(keys(), true)), [3, 0, 2, 1]);
    }

    #[test]
    fn a_recording_without_flows_has_no_rows() {
        let index = Index::build(std::sync::Arc::default(), flowline_profile::Arrangement::ByName);
        let counts = count(&index, &RuleMatcher::default(), &|| true);
        let flows = Flows { index: &index, rules: &RuleMatcher::default(), counts: &counts, timelines: None };
        let rows = flows.rows(&Filter::parse("x"), &Scope::default(), (FlowColumn::Label, true), &|| true);
        assert!(counts.facts.is_empty() && counts.kinds.is_empty() && rows.is_empty());
    }
}
