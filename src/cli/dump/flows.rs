//! `flowline dump flows`: one line per flow, in start order.
//!
//! The output grows with the number of memberships, not with the number of connections: at most [`MOST_CONNECTED`]
//! connected flows are listed per class, and the rest is only counted. `--all` lists all of them.

use std::collections::HashMap;
use std::io::Write;

use serde_json::{Value, json};

use flowline_index::flows::RuleMatcher;
use flowline_index::search::Hits;
use flowline_index::{FlowGraph, Index};
use flowline_profile::{FlowId, MarkerId};

/// Maximum number of connected flows to list per class.
const MOST_CONNECTED: usize = 1_000;

/// Unions of more memberships than this are cached, because many later flows have the same markers.
const COSTLY: usize = 10_000;

/// Writes all flows; with a search, only those with a matching marker.
pub(super) fn flows(
    out: &mut impl Write,
    index: &Index,
    rules: &RuleMatcher,
    hits: Option<&Hits>,
    list_all: bool,
) -> std::io::Result<()> {
    let (profile, graph) = (index.profile(), index.flows());
    let found = |marker: &MarkerId| {
        profile.locate(*marker).is_some_and(|(thread, local)| hits.is_none_or(|hits| hits.contains(thread, local)))
    };
    let limit = if list_all { usize::MAX } else { MOST_CONNECTED };
    let mut unions = Unions { graph, limit, known: HashMap::new() };
    for flow in graph.iter().filter(|flow| hits.is_none() || graph.members(*flow).iter().any(found)) {
        let range = graph.range(profile, flow);
        let members = graph.members(flow);
        let mut line = json!({
            "flow": flow.0,
            "id": graph.id_text(profile, flow),
            "start_ns": range.start.0,
            "end_ns": range.end.0,
            "markers": members.iter().map(|marker| marker.0).collect::<Vec<_>>(),
        });
        let shared = members.iter().copied().filter(|marker| graph.flows_of(*marker).len() > 1);
        let parents = members.iter().filter_map(|marker| graph.parent(*marker));
        let children = members.iter().flat_map(|marker| graph.children(*marker));
        for (class, markers) in
            [("direct", shared.collect::<Vec<_>>()), ("incoming", parents.collect()), ("outgoing", children.collect())]
        {
            let (list, count) = unions.without(flow, markers);
            if count > list.len() {
                line[format!("{class}_count")] = count.into();
            }
            line[class] = list.into();
        }
        let steps = graph.steps(profile, flow);
        if !steps.is_empty() {
            line["arrows"] = steps.arrows().map(|(from, to)| json!([from.marker.0, to.marker.0])).collect::<Value>();
        }
        let name = graph.explicit_name(profile, flow);
        if !name.is_empty() {
            line["name"] = name.into();
        }
        let (totals, facts) = (rules.timeline_totals(profile, graph, flow), rules.flow_facts(profile, graph, flow));
        line["run_ns"] = totals.run.into();
        line["wait_ns"] = totals.wait.into();
        line["idle_ns"] = totals.idle.into();
        line["longest_wait_ns"] = totals.longest_wait.into();
        line["posted_from"] = facts.posted_from.thread().map(|thread| thread.0).into();
        line["type"] = facts.kind.into();
        line["resource"] = facts.resource.into();
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Computes unions of the flows of markers.
struct Unions<'a> {
    graph: &'a FlowGraph,
    /// Maximum number of flows to list per union.
    limit: usize,
    /// Cache of costly unions by their markers: the first flows and the total number.
    known: HashMap<Vec<MarkerId>, (Vec<FlowId>, usize)>,
}

impl Unions<'_> {
    /// Returns the flows of any of the markers except `flow`, ascending: the listed ones, and the total number.
    fn without(&mut self, flow: FlowId, mut markers: Vec<MarkerId>) -> (Vec<u32>, usize) {
        markers.sort_unstable();
        markers.dedup();
        let is_member = markers.iter().any(|marker| self.graph.flows_of(*marker).binary_search(&flow).is_ok());
        let union = |markers: &[MarkerId]| {
            let mut flows: Vec<FlowId> =
                markers.iter().flat_map(|marker| self.graph.flows_of(*marker)).copied().collect();
            flows.sort_unstable();
            flows.dedup();
            let count = flows.len();
            // One more, because the list may include the flow itself.
            flows.truncate(self.limit.saturating_add(1));
            (flows, count)
        };
        let cost: usize = markers.iter().map(|marker| self.graph.flows_of(*marker).len()).sum();
        let computed;
        let (flows, count) = if cost <= COSTLY {
            computed = union(&markers);
            &computed
        } else {
            self.known.entry(markers).or_insert_with_key(|markers| union(markers))
        };
        let others = flows.iter().filter(|other| **other != flow).take(self.limit).map(|other| other.0);
        (others.collect(), count - usize::from(is_member))
    }
}
