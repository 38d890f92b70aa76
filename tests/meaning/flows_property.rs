//! The flow graph against a naive resolver written directly from the rule: one walk over all markers in start order
//! with a map of active ids; each question looks at every marker and every flow.
//!
//! There are few ids, and starts are small whole numbers, so that reuse, ties and touching ends are common.

use std::collections::{BTreeSet, HashMap};

use crate::recording::flows::{recording_of, typed};
use crate::recording::{self, Recording, Row, closing, instant, interval, opening};
use flowline::index::FlowGraph;
use flowline::index::flows::{Chain, FlowName};
use flowline::profile::{
    Direction, FlowId, LocalMarker, MarkerFlags, MarkerId, Ns, Profile, ThreadId, TimeRange, Value,
};
use proptest::prelude::*;
use serde_json::json;

/// Everything known about a flow.
#[derive(Clone, Debug)]
struct Flow {
    id: String,
    members: Vec<MarkerId>,
    range: TimeRange,
}

/// A flow marker: its position, its times, and whether it can contain others.
#[derive(Clone, Copy, Debug)]
struct Node {
    marker: MarkerId,
    thread: usize,
    range: TimeRange,
    is_context: bool,
}

/// The result of the rule for a recording.
#[derive(Debug, Default)]
struct Naive {
    flows: Vec<Flow>,
    nodes: Vec<Node>,
}

/// Ids in the flow fields of a marker, each with a flag for terminating fields.
fn field_references(profile: &Profile, thread: ThreadId, marker: LocalMarker) -> Vec<(String, bool)> {
    let Some(schema) = profile.schema_of(thread, marker) else { return Vec::new() };
    let payload = profile.payload(thread, marker);
    let reference = |field: &flowline::profile::Field| {
        let id = match payload.get(&field.key)? {
            Value::String(text) => text.clone(),
            Value::Int(index) => {
                let index = u64::try_from(*index).ok()?;
                profile.thread(thread).strings.get(profile.source.bytes(), index)?
            }
            _ => return None,
        };
        Some((id, field.format.is_terminating_flow()))
    };
    schema.flow_fields().filter_map(reference).collect()
}

impl Naive {
    fn of(profile: &Profile) -> Self {
        let mut all = Vec::new();
        for (id, thread) in profile.threads_with_ids() {
            for local in (0..thread.markers.len()).map(LocalMarker::new) {
                all.push((thread.markers.start(local), id, local));
            }
        }
        all.sort_unstable();
        let mut naive = Self::default();
        let mut active: HashMap<String, usize> = HashMap::new();
        for (start, id, local) in all {
            let thread = profile.thread(id);
            let (marker, flags) = (thread.global(local), thread.markers.flags(local));
            let range = TimeRange { start, end: thread.markers.end(local) };
            let named = field_references(profile, id, local);
            if !named.is_empty() {
                let is_context = flags.has(MarkerFlags::STACK_BASED) && !flags.has(MarkerFlags::INSTANT);
                naive.nodes.push(Node { marker, thread: id.index(), range, is_context });
            }
            for (id, terminating) in named {
                let flow = *active.entry(id.clone()).or_insert_with(|| {
                    naive.flows.push(Flow { id: id.clone(), members: Vec::new(), range });
                    naive.flows.len() - 1
                });
                let flow = &mut naive.flows[flow];
                if !flow.members.contains(&marker) {
                    flow.members.push(marker);
                }
                flow.range.end = flow.range.end.max(range.end);
                if terminating {
                    active.remove(&id);
                }
            }
        }
        naive
    }

    fn ids(&self) -> impl Iterator<Item = FlowId> + use<> {
        (0..self.flows.len()).map(FlowId::new)
    }

    fn flows_of(&self, marker: MarkerId) -> Vec<FlowId> {
        self.ids().filter(|flow| self.flows[flow.index()].members.contains(&marker)).collect()
    }

    fn start_of(&self, marker: MarkerId) -> Ns {
        self.nodes.iter().find(|node| node.marker == marker).expect("a flow marker").range.start
    }

    /// The innermost stack-based interval of the thread that contains the marker: the one that started last, then the
    /// shortest. Among equal ones, the last one before the marker.
    fn parent(&self, marker: MarkerId) -> Option<MarkerId> {
        let child = self.nodes.iter().find(|node| node.marker == marker)?;
        let contains = |node: &&Node| {
            let is_outer = node.range != child.range || node.marker < child.marker;
            let around = node.range.start <= child.range.start && child.range.end <= node.range.end;
            node.thread == child.thread && node.is_context && node.marker != marker && is_outer && around
        };
        let depth = |node: &&Node| (node.range.start, std::cmp::Reverse(node.range.end), node.marker);
        self.nodes.iter().filter(contains).max_by_key(depth).map(|node| node.marker)
    }

    fn children(&self, marker: MarkerId) -> Vec<MarkerId> {
        let mut children: Vec<MarkerId> = self.nodes.iter().map(|node| node.marker).collect();
        children.retain(|child| self.parent(*child) == Some(marker));
        children.sort_unstable();
        children
    }

    fn members(&self, flows: &[FlowId]) -> Vec<MarkerId> {
        flows.iter().flat_map(|flow| self.flows[flow.index()].members.clone()).collect()
    }

    fn flows_of_all(&self, markers: impl IntoIterator<Item = MarkerId>) -> BTreeSet<FlowId> {
        markers.into_iter().flat_map(|marker| self.flows_of(marker)).collect()
    }

    fn step(&self, flows: &[FlowId], direction: Direction) -> BTreeSet<FlowId> {
        let members = self.members(flows);
        match direction {
            Direction::Back => self.flows_of_all(members.into_iter().filter_map(|marker| self.parent(marker))),
            Direction::Forward => self.flows_of_all(members.into_iter().flat_map(|marker| self.children(marker))),
        }
    }

    /// Flows by distance, until a step adds none.
    fn layers(&self, flows: &[FlowId], direction: Direction) -> Vec<Vec<FlowId>> {
        let mut met: BTreeSet<FlowId> = flows.iter().copied().collect();
        let mut layers = vec![flows.to_vec()];
        loop {
            let step = self.step(layers.last().expect("the first"), direction);
            let next: Vec<FlowId> = step.difference(&met).copied().collect();
            if next.is_empty() {
                return layers.split_off(1);
            }
            met.extend(&next);
            layers.push(next);
        }
    }

    /// Flows with an id. With a time, only the flow that starts at or before it and whose successor starts later.
    fn find(&self, id: &str, time: Option<Ns>) -> Vec<FlowId> {
        let same: Vec<FlowId> = self.ids().filter(|flow| self.flows[flow.index()].id == id).collect();
        let start = |flow: &FlowId| self.flows[flow.index()].range.start;
        let Some(time) = time else { return same };
        let holds = |(at, flow): (usize, &FlowId)| {
            (start(flow) <= time && same.get(at + 1).is_none_or(|next| time < start(next))).then_some(*flow)
        };
        same.iter().enumerate().filter_map(holds).collect()
    }
}

/// Format of a random marker.
#[derive(Clone, Debug)]
struct Made {
    thread: usize,
    start: u32,
    length: u32,
    shape: u8,
    kind: &'static str,
    ids: [Option<u8>; 2],
}

/// Types of flow markers and the keys of their fields.
const KINDS: [(&str, [&str; 2]); 9] = [
    ("Flow", ["flow", "text"]),
    ("FlowStack", ["flow", "text"]),
    ("Term", ["flow", "text"]),
    ("TermStack", ["flow", "text"]),
    ("Two", ["flow1", "flow2"]),
    ("FlowThenTerm", ["flow", "end"]),
    ("TermThenFlow", ["end", "flow"]),
    ("TwoTerm", ["end1", "end2"]),
    ("PlainStack", ["flow", "text"]),
];

fn made() -> impl Strategy<Value = Made> {
    let kind = prop_oneof![6 => 0..2_usize, 4 => 2..KINDS.len()];
    let id = || prop_oneof![4 => (0_u8..5).prop_map(Some), 1 => Just(None)];
    let length = prop_oneof![1 => Just(0), 3 => 0_u32..4, 2 => 0_u32..30];
    (0..4_usize, 0_u32..24, length, 0_u8..8, kind, id(), id()).prop_map(
        |(thread, start, length, shape, kind, one, two)| Made {
            thread,
            start,
            length,
            shape,
            kind: KINDS[kind].0,
            ids: [one, two],
        },
    )
}

/// Markers as rows: instants, intervals, and pairs with ids in the start, the end or both.
fn rows(made: &Made) -> Vec<Row> {
    let keys = KINDS.iter().find(|(kind, _)| *kind == made.kind).expect("a kind").1;
    let payload = |which: [bool; 2]| {
        let mut fields = json!({});
        for at in 0..2 {
            // Even ids are written as text, odd ones as indexes.
            if let Some(id) = made.ids[at].filter(|_| which[at]) {
                fields[keys[at]] = json!(if id % 2 == 0 { format!("id{id}") } else { format!("@id{id}") });
            }
        }
        typed(made.kind, fields)
    };
    // Some markers start before the recording.
    let (start, end) = (f64::from(made.start) - 4.0, f64::from(made.start + made.length) - 4.0);
    match made.shape {
        0 | 1 => vec![instant("point", start).with(payload([true; 2]))],
        2..=5 => vec![interval("span", start, end).with(payload([true; 2]))],
        6 => {
            vec![opening("pair", start).with(payload([true, false])), closing("pair", end).with(payload([false, true]))]
        }
        _ => vec![opening("pair", start).with(payload([true; 2])), closing("pair", end).with(payload([true, false]))],
    }
}

fn recording_with(markers: &[Made]) -> Recording {
    let of_thread = |thread| markers.iter().filter(|made| made.thread == thread).flat_map(rows).collect();
    let mut recording = recording_of((0..4).map(of_thread).collect());
    // The last thread belongs to another process, which started five milliseconds later.
    recording.starts.push(recording.starts[0] + 5.0);
    recording.tracks[3].process = 1;
    recording.tracks[0].samples = vec![-2.0, 60.0];
    recording
}

fn profile_of(markers: &[Made], raw: bool) -> Profile {
    let recording = recording_with(markers);
    recording::read(&if raw { recording.raw() } else { recording.processed() })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn flows_members_and_names_match_the_naive_resolver(
        markers in prop::collection::vec(made(), 0..50),
        raw: bool,
        times in prop::collection::vec((-6_i64..32, -2_i64..12), 1..8),
    ) {
        let profile = profile_of(&markers, raw);
        let (graph, naive) = (FlowGraph::build(&profile), Naive::of(&profile));
        prop_assert_eq!((graph.len(), graph.is_empty()), (naive.flows.len(), naive.flows.is_empty()));
        prop_assert!(graph.iter().eq(naive.ids()));
        prop_assert_eq!(graph.memberships(), naive.flows.iter().map(|flow| flow.members.len()).sum::<usize>());
        prop_assert_eq!(graph.flow_markers(), naive.nodes.len());
        prop_assert!(graph.warnings().list().is_empty(), "{:?}", graph.warnings());
        for (flow, wanted) in naive.ids().zip(&naive.flows) {
            prop_assert_eq!(graph.id_text(&profile, flow), &*wanted.id);
            prop_assert_eq!(graph.members(flow), &wanted.members[..]);
            prop_assert_eq!(graph.range(&profile, flow), wanted.range);
            for node in &naive.nodes {
                let here = wanted.members.iter().position(|member| *member == node.marker);
                prop_assert_eq!(graph.position(&profile, flow, node.marker), here);
                let beside = |step: isize| wanted.members.get(here?.checked_add_signed(step)?).copied();
                prop_assert_eq!(graph.sibling(&profile, flow, node.marker, Direction::Forward), beside(1));
                prop_assert_eq!(graph.sibling(&profile, flow, node.marker, Direction::Back), beside(-1));
            }
            for &(from, length) in &times {
                let (from, to) = (Ns(from * 1_000_000), Ns((from + length) * 1_000_000));
                let between = graph.members_between(&profile, flow, from, to);
                let wanted: Vec<MarkerId> =
                    wanted.members.iter().copied().filter(|m| (from..=to).contains(&naive.start_of(*m))).collect();
                prop_assert_eq!(&graph.members(flow)[between], &wanted[..]);
            }
        }
        for id in ["id0", "id1", "id2", "id3", "id4", "id5", "ID1", ""] {
            prop_assert_eq!(graph.with_id(&profile, id), naive.find(id, None));
            for &(time, fraction) in &times {
                let time = Ns(time * 1_000_000 + fraction);
                let name = FlowName::new(id.into(), Some(profile.clock().show(time)));
                prop_assert_eq!(graph.find(&profile, &name), naive.find(id, Some(time)), "{}", name);
                let parsed = FlowName::parse(&name.to_string());
                prop_assert_eq!((parsed.id, parsed.time), (name.id, name.time));
            }
        }
        for (flow, wanted) in naive.ids().zip(&naive.flows) {
            let same = naive.find(&wanted.id, None);
            let next = same.iter().copied().find(|other| *other > flow);
            prop_assert_eq!(graph.next_use(flow), next);
            // Of uses that start together, only the last one has a unique name.
            let found = naive.find(&wanted.id, Some(wanted.range.start));
            prop_assert_eq!(graph.find(&profile, &graph.name(&profile, flow)), found);
        }
    }

    #[test]
    fn parents_connections_and_chains_match_the_naive_resolver(
        markers in prop::collection::vec(made(), 0..40),
        raw: bool,
        several in prop::collection::vec(any::<prop::sample::Index>(), 0..5),
        (steps, limit) in (0_usize..6, prop_oneof![0_usize..8, Just(99)]),
    ) {
        let profile = profile_of(&markers, raw);
        let (graph, naive) = (FlowGraph::build(&profile), Naive::of(&profile));
        for marker in (0..profile.marker_count() + 2).map(MarkerId::new) {
            prop_assert_eq!(graph.flows_of(marker), naive.flows_of(marker));
            prop_assert_eq!(graph.parent(marker), naive.parent(marker), "{:?}", marker);
            prop_assert_eq!(graph.children(marker).collect::<Vec<_>>(), naive.children(marker), "{:?}", marker);
        }
        prop_assert_eq!(graph.links(), naive.nodes.iter().filter(|node| naive.parent(node.marker).is_some()).count());
        let several: Vec<FlowId> = several
            .iter()
            .filter(|_| !naive.flows.is_empty())
            .map(|flow| FlowId::new(flow.index(naive.flows.len())))
            .collect();
        for flows in naive.ids().map(|flow| vec![flow]).chain([several]) {
            let others = |list: BTreeSet<FlowId>| list.into_iter().filter(|flow| !flows.contains(flow)).collect::<Vec<_>>();
            let found = graph.connections(&flows);
            prop_assert_eq!(found.direct, others(naive.flows_of_all(naive.members(&flows))));
            prop_assert_eq!(found.incoming, others(naive.step(&flows, Direction::Back)));
            prop_assert_eq!(found.outgoing, others(naive.step(&flows, Direction::Forward)));
            for direction in [Direction::Back, Direction::Forward] {
                prop_assert!(graph.step(&flows, direction).into_iter().eq(naive.step(&flows, direction)));
                let chain = graph.chain(&flows, direction, steps, limit);
                prop_assert_eq!(chain, cut(naive.layers(&flows, direction), steps, limit));
            }
        }
    }
}

/// A chain limited to a number of steps and flows.
fn cut(mut layers: Vec<Vec<FlowId>>, steps: usize, limit: usize) -> Chain {
    let ends_before = layers.len() < steps;
    layers.truncate(steps);
    let mut room = limit;
    let limited = layers.concat().len() > limit;
    for layer in &mut layers {
        layer.truncate(room);
        room -= layer.len();
    }
    layers.retain(|layer| !layer.is_empty());
    Chain { steps: layers, complete: ends_before && !limited, limited }
}

#[test]
fn large_recordings_match_the_naive_resolver() {
    // Large enough that every list processed in chunks has several chunks.
    let mut random = fastrand::Rng::with_seed(1);
    let mut next = |below: u32| random.u32(..below);
    let kinds = [("Flow", "flow"), ("FlowStack", "flow"), ("Term", "flow"), ("Two", "flow1"), ("TermThenFlow", "end")];
    let mut row = || {
        let (start, kind) = (f64::from(next(2_000)), next(5) as usize);
        let row = if next(2) == 0 { instant("m", start) } else { interval("m", start, start + f64::from(next(9))) };
        let mut fields = json!({});
        fields[kinds[kind].1] = json!(format!("id{}", next(9_000)));
        if kind >= 3 {
            fields[["flow2", "flow"][kind - 3]] = json!(format!("id{}", next(300)));
        }
        row.with(typed(kinds[kind].0, fields))
    };
    let recording = recording_of((0..12).map(|_| (0..2_500).map(|_| row()).collect()).collect());
    let profile = recording::read(&recording.raw());
    let (graph, naive) = (FlowGraph::build(&profile), Naive::of(&profile));
    assert!(naive.flows.len() > 15_000 && naive.nodes.len() == 30_000);
    assert_eq!(graph.len(), naive.flows.len());
    let mut of_markers: Vec<Vec<FlowId>> = vec![Vec::new(); profile.marker_count()];
    let mut of_ids: HashMap<&str, Vec<FlowId>> = HashMap::new();
    for (flow, wanted) in naive.ids().zip(&naive.flows) {
        assert_eq!(graph.members(flow), wanted.members, "{flow:?}");
        assert_eq!(graph.range(&profile, flow), wanted.range, "{flow:?}");
        wanted.members.iter().for_each(|marker| of_markers[marker.index()].push(flow));
        of_ids.entry(&wanted.id).or_default().push(flow);
    }
    for (at, wanted) in of_markers.iter().enumerate() {
        assert_eq!(graph.flows_of(MarkerId::new(at)), wanted, "marker {at}");
    }
    for number in 0..9_000 {
        let id = format!("id{number}");
        assert_eq!(graph.with_id(&profile, &id), of_ids.get(id.as_str()).cloned().unwrap_or_default(), "{id}");
    }
    for node in naive.nodes.iter().step_by(97) {
        assert_eq!(graph.parent(node.marker), naive.parent(node.marker), "{:?}", node.marker);
    }
}
