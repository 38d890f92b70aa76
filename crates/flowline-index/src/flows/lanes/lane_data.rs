//! Data for sorting and filtering flow lanes: the run and wait times of every flow, and the tree of all types. It is
//! computed for all flows at once, in parallel, and only when lanes are shown; it takes 32 bytes per flow.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;

use crate::flows::graph::FlowGraph;
use crate::flows::rules::RuleMatcher;
use crate::flows::{FlowTimeline, SegmentKind, TimelineTotals, type_path};
use flowline_profile::{FlowId, Profile, ThreadId};

/// Flows per job.
const BATCH: usize = 1 << 10;
/// Name of a type without any part.
const UNNAMED: &str = "(unnamed)";
/// Maximum number of parts of a path, so that a name with thousands of colons does not create a tree of that depth.
const MAX_PARTS: usize = 24;

/// Sort keys of a flow lane, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Amounts {
    run: i64,
    wait: i64,
    longest_wait: i64,
}

/// Data of all flow lanes.
#[derive(Clone, Debug, Default)]
pub struct LaneData {
    amounts: Vec<Amounts>,
    /// The node of the type tree, by flow.
    nodes: Vec<u32>,
    /// The executing thread, by flow.
    threads: Vec<ThreadId>,
    /// All types.
    pub types: TypeTree,
}

impl LaneData {
    /// Computes the data of all flows. The result is incomplete if `is_wanted` returns false at any time.
    #[must_use]
    pub fn build(
        profile: &Profile,
        flows: &FlowGraph,
        rules: &RuleMatcher,
        is_wanted: &(dyn Fn() -> bool + Sync),
    ) -> Self {
        let batch = |number: usize| -> Vec<(Amounts, String, ThreadId)> {
            if !is_wanted() {
                return Vec::new();
            }
            let facts = |flow: FlowId| {
                let timeline = rules.timeline(profile, flows, flow);
                let TimelineTotals { run, wait, longest_wait, .. } = TimelineTotals::from(&timeline);
                let thread = executing_thread(profile, &timeline).or_else(|| first_thread(profile, flows, flow));
                let kind = rules.type_of(profile, flows, flow);
                (Amounts { run, wait, longest_wait }, kind, thread.unwrap_or_default())
            };
            (number * BATCH..((number + 1) * BATCH).min(flows.len())).map(FlowId::new).map(facts).collect()
        };
        let batches: Vec<_> = (0..flows.len().div_ceil(BATCH)).into_par_iter().with_max_len(1).map(batch).collect();
        let mut amounts = Vec::with_capacity(flows.len());
        let (mut numbers, mut counts): (HashMap<String, u32>, Vec<(String, usize)>) = (HashMap::new(), Vec::new());
        let mut types = Vec::with_capacity(flows.len());
        let mut threads = Vec::with_capacity(flows.len());
        for (found, kind, thread) in batches.into_iter().flatten() {
            amounts.push(found);
            threads.push(thread);
            let number = numbers.get(&kind).copied().unwrap_or_else(|| {
                let number = u32::try_from(counts.len()).unwrap_or(u32::MAX);
                counts.push((kind.clone(), 0));
                numbers.insert(kind, number);
                number
            });
            counts[number as usize].1 += 1;
            types.push(number);
        }
        let (tree, node_of) = TypeTree::build(&counts);
        let nodes = types.into_iter().map(|number| node_of[number as usize]).collect();
        Self { amounts, nodes, threads, types: tree }
    }

    /// Run time of a flow in nanoseconds.
    #[must_use]
    #[inline]
    pub fn run(&self, flow: FlowId) -> i64 {
        self.of(flow).run
    }

    /// Wait time of a flow in nanoseconds.
    #[must_use]
    #[inline]
    pub fn wait(&self, flow: FlowId) -> i64 {
        self.of(flow).wait
    }

    /// Longest wait of a flow in nanoseconds.
    #[must_use]
    #[inline]
    pub fn longest_wait(&self, flow: FlowId) -> i64 {
        self.of(flow).longest_wait
    }

    #[inline]
    fn of(&self, flow: FlowId) -> Amounts {
        self.amounts.get(flow.index()).copied().unwrap_or_default()
    }

    /// The thread on which a flow ran for the longest time; that of its first marker if it did not run.
    #[must_use]
    #[inline]
    pub fn thread(&self, flow: FlowId) -> ThreadId {
        self.threads.get(flow.index()).copied().unwrap_or_default()
    }

    /// Node of a flow's type.
    #[must_use]
    #[inline]
    pub fn node(&self, flow: FlowId) -> usize {
        self.nodes.get(flow.index()).map_or(0, |node| *node as usize)
    }
}

/// The thread on which a flow ran for the longest time; the first of several.
fn executing_thread(profile: &Profile, timeline: &FlowTimeline) -> Option<ThreadId> {
    let mut threads: Vec<(ThreadId, i64)> = Vec::new();
    for run in timeline.segments.iter().filter(|segment| segment.kind == SegmentKind::Run) {
        let Some((thread, _)) = profile.locate(run.marker) else { continue };
        match threads.iter_mut().find(|(known, _)| *known == thread) {
            Some((_, total)) => *total = total.saturating_add(run.range.len()),
            None => threads.push((thread, run.range.len())),
        }
    }
    threads.into_iter().reduce(|most, other| if other.1 > most.1 { other } else { most }).map(|(thread, _)| thread)
}

fn first_thread(profile: &Profile, flows: &FlowGraph, flow: FlowId) -> Option<ThreadId> {
    flows.members(flow).first().and_then(|marker| profile.locate(*marker)).map(|(thread, _)| thread)
}

/// A node of the type tree: a type path that is a prefix of one or more types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeNode {
    /// The last part of the path.
    pub part: String,
    /// Number of parts before the last one.
    pub depth: usize,
    /// The parent node.
    pub parent: Option<usize>,
    /// One past the last descendant; one past the node itself if it has none.
    pub end: usize,
    /// Number of flows whose types begin with the path.
    pub flows: usize,
}

/// All types as a tree, each node before its descendants. Siblings are sorted by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypeTree {
    nodes: Vec<TypeNode>,
}

impl TypeTree {
    /// Builds the tree from types with their numbers of flows; also returns the node of each type.
    fn build(types: &[(String, usize)]) -> (Self, Vec<u32>) {
        let path = |kind: &str| -> Vec<String> {
            let parts: Vec<String> = type_path(kind).take(MAX_PARTS).map(str::to_owned).collect();
            if parts.is_empty() { vec![UNNAMED.to_owned()] } else { parts }
        };
        let paths: Vec<Vec<String>> = types.iter().map(|(kind, _)| path(kind)).collect();
        let mut by_path: BTreeMap<&[String], usize> = BTreeMap::new();
        for (path, (_, flows)) in paths.iter().zip(types) {
            *by_path.entry(path).or_default() += flows;
        }
        let (mut tree, mut open) = (Self::default(), Vec::<usize>::new());
        let mut places: HashMap<&[String], u32> = HashMap::with_capacity(by_path.len());
        for (path, flows) in by_path {
            // In this order, a namespace comes directly before its contents.
            let shared = open.iter().zip(path).take_while(|(node, part)| tree.nodes[**node].part == **part).count();
            tree.close(open.drain(shared..));
            for part in &path[shared..] {
                let (depth, parent) = (open.len(), open.last().copied());
                open.push(tree.nodes.len());
                tree.nodes.push(TypeNode { part: part.clone(), depth, parent, end: 0, flows: 0 });
            }
            open.iter().for_each(|node| tree.nodes[*node].flows += flows);
            places.insert(path, open.last().map_or(0, |node| u32::try_from(*node).unwrap_or(u32::MAX)));
        }
        tree.close(open.into_iter());
        let node_of = paths.iter().map(|path| places.get(path.as_slice()).copied().unwrap_or(0)).collect();
        (tree, node_of)
    }

    fn close(&mut self, nodes: impl Iterator<Item = usize>) {
        let end = self.nodes.len();
        nodes.for_each(|node| self.nodes[node].end = end);
    }

    /// Nodes in tree order.
    #[must_use]
    #[inline]
    pub fn nodes(&self) -> &[TypeNode] {
        &self.nodes
    }

    /// Parts of a node's path; empty for an unknown node.
    #[must_use]
    pub fn path(&self, node: usize) -> Vec<String> {
        let above = std::iter::successors(self.nodes.get(node), |node| self.nodes.get(node.parent?));
        let mut parts: Vec<String> = above.map(|node| node.part.clone()).collect();
        parts.reverse();
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn namespaces_come_before_their_contents_and_count_them() {
        let types = [("a::b", 2), ("net.x", 1), ("a", 3), ("a/c", 4), ("ab", 5), ("::", 6), ("a.b.c", 7)];
        let (tree, node_of) = TypeTree::build(&types.map(|(kind, flows)| (kind.to_owned(), flows)));
        let lines: Vec<(usize, &str, usize)> =
            tree.nodes().iter().map(|node| (node.depth, node.part.as_str(), node.flows)).collect();
        let expected = [
            (0, "(unnamed)", 6),
            (0, "a", 16),
            (1, "b", 9),
            (2, "c", 7),
            (1, "c", 4),
            (0, "ab", 5),
            (0, "net", 1),
            (1, "x", 1),
        ];
        assert_eq!(lines, expected);
        for ((kind, _), node) in types.iter().zip(&node_of) {
            let path = tree.path(*node as usize);
            let wanted: Vec<&str> = type_path(kind).collect();
            assert!(path == wanted || path == [UNNAMED], "{kind}");
        }
        for (number, node) in tree.nodes().iter().enumerate() {
            let below = tree.nodes()[number + 1..].iter().take_while(|other| other.depth > node.depth).count();
            assert_eq!(node.end, number + 1 + below);
            assert_eq!(
                node.parent.map(|parent| tree.nodes()[parent].depth + 1),
                node.depth.checked_sub(1).map(|up| up + 1)
            );
        }
    }
}
