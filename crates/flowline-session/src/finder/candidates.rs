//! Searchable names and their destinations.

use std::cmp::Reverse;
use std::collections::HashMap;

use rayon::prelude::*;

use super::called_functions::called_functions;
use super::fuzzy::letters;
use flowline_index::flows::RuleMatcher;
use flowline_index::{Derived, Index};
use flowline_insights::insights::{InsightState, Insights};
use flowline_profile::{FlowId, LocalMarker, MarkerId, ProcessId, StringId, ThreadId};

/// Maximum number of flows whose labels are read: those with the most markers. A label may need the payloads of several
/// markers.
pub const MAX_NAMED_FLOWS: usize = 50_000;
/// Maximum stored length of a name in bytes.
const LONGEST: usize = 300;
/// Score bonus for threads, processes and insights, which are few and often searched.
const PLACE_WEIGHT: i32 = 6;

/// Destination of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// A thread.
    Thread(ThreadId),
    /// A process.
    Process(ProcessId),
    /// All markers with the same name.
    Name {
        /// The name.
        name: StringId,
        /// The first marker with the name.
        first: MarkerId,
        /// Number of markers.
        count: u64,
    },
    /// A function that events called.
    Calls {
        /// The longest call.
        longest: MarkerId,
        /// Number of calls.
        count: u64,
    },
    /// A flow.
    Flow(FlowId),
    /// An insight, by its position among all.
    Insight(usize),
}

/// Names with their destinations.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    /// All texts, concatenated.
    texts: String,
    /// End of each text, and its [`letters`].
    ends: Vec<(usize, u64)>,
    destinations: Vec<Destination>,
}

impl Candidates {
    /// Adds a name.
    pub fn push(&mut self, name: &str, destination: Destination) {
        let name = &name[..name.floor_char_boundary(LONGEST)];
        self.texts.push_str(name);
        self.ends.push((self.texts.len(), letters(name)));
        self.destinations.push(destination);
    }

    /// The names of processes, threads, markers and called functions.
    pub(super) fn names(index: &Index, is_wanted: &(dyn Fn() -> bool + Sync)) -> Self {
        let profile = index.profile();
        let mut all = Self::default();
        for (process, content) in (0..).map(ProcessId::new).zip(&profile.processes) {
            all.push(&content.name, Destination::Process(process));
        }
        for (thread, _) in profile.threads_with_ids() {
            all.push(&profile.long_name(thread), Destination::Thread(thread));
        }
        for (name, (first, count)) in names_of_markers(index, is_wanted) {
            all.push(profile.strings.get(name), Destination::Name { name, first, count });
        }
        for (title, calls) in called_functions(index, is_wanted) {
            all.push(&title, Destination::Calls { longest: calls.longest, count: calls.count });
        }
        all
    }

    /// The labels of flows under a set of rules.
    pub(super) fn flows(index: &Index, rules: &RuleMatcher, is_wanted: &(dyn Fn() -> bool + Sync)) -> Self {
        let (profile, graph, styles) = (index.profile(), index.flows(), index.source().styles);
        let mut flows: Vec<FlowId> = (0..graph.len()).map(FlowId::new).collect();
        if flows.len() > MAX_NAMED_FLOWS {
            let members = |flow: &FlowId| Reverse(graph.members(*flow).len());
            flows.select_nth_unstable_by_key(MAX_NAMED_FLOWS, members);
            flows.truncate(MAX_NAMED_FLOWS);
            flows.sort_unstable();
        }
        let label = |flow: &FlowId| {
            if is_wanted() { rules.appearance(profile, graph, styles, *flow).label } else { String::new() }
        };
        let labels: Vec<String> = flows.par_iter().with_max_len(64).map(label).collect();
        let mut all = Self::default();
        for (flow, label) in flows.into_iter().zip(&labels) {
            all.push(label, Destination::Flow(flow));
        }
        all
    }

    /// The titles of the insights that found something, of all page loads; those that failed first.
    pub(super) fn insights(index: &Index) -> Self {
        let mut all = Self::default();
        let list = Insights::of(index).list();
        for state in [InsightState::Fail, InsightState::Informative] {
            for (position, insight) in list.iter().enumerate().filter(|(_, insight)| insight.finding.state == state) {
                all.push(insight.name.title(), Destination::Insight(position));
            }
        }
        all
    }

    /// Number of names.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there are no names.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// A name by its index.
    #[must_use]
    pub fn text(&self, number: usize) -> &str {
        let begin = number.checked_sub(1).map_or(0, |before| self.ends[before].0);
        &self.texts[begin..self.ends[number].0]
    }

    /// Destination of a name.
    #[must_use]
    pub fn destination(&self, number: usize) -> Destination {
        self.destinations[number]
    }

    /// The letters of a name.
    pub(super) fn letters(&self, number: usize) -> u64 {
        self.ends[number].1
    }

    /// Score of a name for an empty query.
    pub(super) fn weight(&self, number: usize) -> i32 {
        match self.destinations[number] {
            Destination::Thread(_) | Destination::Process(_) | Destination::Insight(_) => PLACE_WEIGHT,
            Destination::Name { .. } | Destination::Calls { .. } | Destination::Flow(_) => 0,
        }
    }
}

/// The names of all markers with their first marker and their count, the most frequent first.
fn names_of_markers(index: &Index, is_wanted: &(dyn Fn() -> bool + Sync)) -> Vec<(StringId, (MarkerId, u64))> {
    let profile = index.profile();
    let threads: Vec<ThreadId> = profile.threads_with_ids().map(|(id, _)| id).collect();
    let of_thread = |id: ThreadId| {
        let thread = profile.thread(id);
        let mut names: HashMap<StringId, (MarkerId, u64)> = HashMap::new();
        let attributes = thread.markers.attributes();
        let mut found: Vec<Option<(LocalMarker, u64)>> = vec![None; attributes.items().len()];
        for (at, number) in attributes.numbers().enumerate() {
            if at % 65_536 == 0 && !is_wanted() {
                break;
            }
            found[number].get_or_insert((LocalMarker::new(at), 0)).1 += 1;
        }
        for (own, found) in attributes.items().iter().zip(found) {
            let Some((first, count)) = found else { continue };
            let first = thread.global(first);
            let entry = names.entry(own.name).or_insert((first, 0));
            *entry = (entry.0.min(first), entry.1 + count);
        }
        names.into_iter().collect::<Vec<_>>()
    };
    let parts: Vec<Vec<_>> = threads.into_par_iter().map(of_thread).collect();
    let mut all: HashMap<StringId, (MarkerId, u64)> = HashMap::new();
    for (name, (first, count)) in parts.into_iter().flatten() {
        let entry = all.entry(name).or_insert((first, 0));
        *entry = (entry.0.min(first), entry.1 + count);
    }
    let mut names: Vec<_> = all.into_iter().collect();
    names.sort_unstable_by_key(|(name, (_, count))| (Reverse(*count), *name));
    names
}
