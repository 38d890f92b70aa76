//! Selection and order of flow lanes: flows with a marker in the scope whose type is enabled.

use std::collections::{BTreeSet, HashMap};

use rayon::prelude::*;

use flowline_index::Index;
use flowline_index::flows::LaneData;
use flowline_profile::{FlowId, Profile, ThreadId};
use flowline_scene::{FlowLaneGroup, FlowLanes, Scope};
use flowline_view::{FlowLaneOrder, FlowLaneView};

/// Maximum number of lanes that are listed immediately, for any recording.
const FIRST: usize = 400;
/// Maximum number of members examined for these lanes.
const FIRST_MEMBERS: usize = 20_000;

/// The first flow lanes of a scope in start order; fast enough for the first frame.
#[must_use]
pub fn first_lanes(index: &Index, scope: &Scope, shows_instants: bool) -> FlowLanes {
    let (profile, graph) = (index.profile(), index.flows());
    let mut looked_at = 0;
    let all = graph.iter().take_while(|flow| {
        looked_at += graph.members(*flow).len();
        looked_at <= FIRST_MEMBERS
    });
    let is_everything = scope.is_everything();
    let has = |flow: &FlowId| {
        (shows_instants || !is_instant(index, *flow))
            && (is_everything || scope.contains_one_of(profile, graph.members(*flow)))
    };
    FlowLanes::new(all.filter(has).take(FIRST).collect(), graph.len(), Vec::new())
}

/// True for a flow that takes no time, about which a lane says nothing.
fn is_instant(index: &Index, flow: FlowId) -> bool {
    index.flows().range(index.profile(), flow).len() <= 0
}

/// The flow lanes of a scope in an order. Without facts, types are neither counted nor filtered, and lanes are in start
/// order. The result is incomplete once `is_wanted` returns false.
#[must_use]
pub fn ordered_lanes(
    index: &Index,
    facts: Option<&LaneData>,
    scope: &Scope,
    view: &FlowLaneView,
    is_wanted: &(dyn Fn() -> bool + Sync),
) -> FlowLanes {
    let (profile, graph) = (index.profile(), index.flows());
    let is_everything = scope.is_everything();
    let in_scope =
        |flow: &FlowId| is_wanted() && (is_everything || scope.contains_one_of(profile, graph.members(*flow)));
    let mut flows: Vec<FlowId> = (0..graph.len()).into_par_iter().map(FlowId::new).filter(in_scope).collect();
    let lasting: Vec<FlowId> = flows.par_iter().copied().filter(|flow| !is_instant(index, *flow)).collect();
    let instants = u32::try_from(flows.len() - lasting.len()).unwrap_or(u32::MAX);
    if !view.instants {
        flows = lasting;
    }
    let listed = |flows: Vec<FlowId>, counts| FlowLanes::new(flows, graph.len(), counts).with_instants(instants);
    let Some(facts) = facts else { return listed(flows, Vec::new()) };
    let nodes = facts.types.nodes();
    let mut counts = vec![0_u32; nodes.len()];
    for flow in &flows {
        if let Some(count) = counts.get_mut(facts.node(*flow)) {
            *count += 1;
        }
    }
    // Each node precedes its descendants.
    for node in (0..nodes.len()).rev() {
        if let Some(parent) = nodes[node].parent {
            counts[parent] += counts[node];
        }
    }
    if !view.ticks.is_everything() {
        let is_on: Vec<bool> =
            (0..nodes.len()).into_par_iter().map(|node| view.ticks.has(&facts.types.path(node))).collect();
        flows.retain(|flow| is_on.get(facts.node(*flow)).copied().unwrap_or(true));
    }
    // Flows are numbered in start order, which breaks ties.
    let longest_first = |flows: &mut Vec<FlowId>, amount: &(dyn Fn(FlowId) -> i64 + Sync)| {
        let mut keys: Vec<(std::cmp::Reverse<i64>, FlowId)> =
            flows.par_iter().map(|flow| (std::cmp::Reverse(amount(*flow)), *flow)).collect();
        keys.par_sort_unstable();
        *flows = keys.into_iter().map(|(_, flow)| flow).collect();
    };
    match view.order {
        FlowLaneOrder::Start => {}
        FlowLaneOrder::Length => longest_first(&mut flows, &|flow| graph.range(profile, flow).len()),
        FlowLaneOrder::Wait => longest_first(&mut flows, &|flow| facts.wait(flow)),
        FlowLaneOrder::LongestWait => longest_first(&mut flows, &|flow| facts.longest_wait(flow)),
        FlowLaneOrder::Run => longest_first(&mut flows, &|flow| facts.run(flow)),
        FlowLaneOrder::Type => {
            flows.par_sort_by_key(|flow| (facts.node(*flow), *flow));
            if !view.by_thread {
                let (flows, groups) = grouped(facts, flows, &view.collapsed);
                return listed(flows, counts).with_groups(groups);
            }
        }
    }
    if view.by_thread {
        let (flows, groups) = grouped_by_thread(profile, facts, &flows, &view.collapsed);
        return listed(flows, counts).with_groups(groups);
    }
    listed(flows, counts)
}

/// Groups flows below headings of the threads that execute them; their order stays within each. The thread of the first
/// flow comes first. The contents of collapsed headings are omitted.
fn grouped_by_thread(
    profile: &Profile,
    facts: &LaneData,
    flows: &[FlowId],
    collapsed: &BTreeSet<u32>,
) -> (Vec<FlowId>, Vec<FlowLaneGroup>) {
    let mut places: HashMap<ThreadId, usize> = HashMap::new();
    let mut threads: Vec<(ThreadId, Vec<FlowId>)> = Vec::new();
    for flow in flows {
        let thread = facts.thread(*flow);
        let place = *places.entry(thread).or_insert(threads.len());
        if place == threads.len() {
            threads.push((thread, Vec::new()));
        }
        threads[place].1.push(*flow);
    }
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let (mut listed, mut groups) = (Vec::with_capacity(flows.len()), Vec::with_capacity(threads.len()));
    for (thread, flows) in threads {
        let node = FlowLaneGroup::node_of_thread(thread);
        let collapsed = collapsed.contains(&node);
        groups.push(FlowLaneGroup {
            node,
            name: profile.thread_title(thread),
            depth: 0,
            first: number(listed.len()),
            flow_lanes: number(flows.len()),
            collapsed,
        });
        if !collapsed {
            listed.extend(flows);
        }
    }
    (listed, groups)
}

/// Groups flows, which are ordered by type, below headings. The contents of collapsed headings are omitted. A namespace
/// that contains only one other namespace shares its heading.
fn grouped(facts: &LaneData, flows: Vec<FlowId>, collapsed: &BTreeSet<u32>) -> (Vec<FlowId>, Vec<FlowLaneGroup>) {
    let nodes = facts.types.nodes();
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    // The flows of a range of nodes; each node precedes its descendants.
    let place = |node: usize| flows.partition_point(|flow| facts.node(*flow) < node);
    let (mut listed, mut groups, mut open) = (Vec::new(), Vec::new(), Vec::<usize>::new());
    let mut at = 0;
    while let Some(top) = nodes.get(at) {
        let (first, last) = (place(at), place(top.end));
        if first == last {
            at = top.end.max(at + 1);
            continue;
        }
        let (mut node, mut name) = (at, top.part.clone());
        while place(node + 1) == first
            && let Some(child) = only_child(facts, node, |child| place(child) < place(nodes[child].end))
        {
            (node, name) = (child, format!("{name}::{}", nodes[child].part));
        }
        open.retain(|end| *end > at);
        let collapsed = collapsed.contains(&number(node));
        groups.push(FlowLaneGroup {
            node: number(node),
            name,
            depth: number(open.len()),
            first: number(listed.len()),
            flow_lanes: number(last - first),
            collapsed,
        });
        if collapsed {
            at = top.end.max(at + 1);
            continue;
        }
        listed.extend_from_slice(&flows[first..place(node + 1)]);
        open.push(top.end);
        at = node + 1;
    }
    (listed, groups)
}

/// The only child of a node that has flows.
fn only_child(facts: &LaneData, node: usize, has_flows: impl Fn(usize) -> bool) -> Option<usize> {
    let nodes = facts.types.nodes();
    let next = |child: &usize| Some(nodes[*child].end.max(child + 1)).filter(|next| *next < nodes[node].end);
    let first = Some(node + 1).filter(|child| *child < nodes[node].end);
    let mut children = std::iter::successors(first, next).filter(|child| has_flows(*child));
    let only = children.next()?;
    children.next().is_none().then_some(only)
}
