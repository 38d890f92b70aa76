//! The graph of flows that the recording states step by step: they are numbered, their markers brought into start order,
//! their steps kept. (The flows of Firefox profiles are found by `walk`.)

use rayon::prelude::*;

use super::context::Context;
use super::ids::{FlowIds, text_at};
use super::mentions::{IdPlace, ThreadMentions, hash};
use super::of_markers::MarkerFlows;
use super::walk::Flows;
use super::{FlowGraph, chain_ids, times_of};
use crate::profile::{Column, FlowId, FlowStep, MarkerFlags, MarkerId, Ns, Profile, Thread};

/// A flow with its members in start order.
struct Found {
    /// Position among the stated ones.
    stated: u32,
    start: Ns,
    members: Vec<MarkerId>,
    last: MarkerId,
}

/// Builds the graph.
pub(super) fn build(profile: &Profile) -> FlowGraph {
    let mut found: Vec<Found> = (0..profile.flows.flows.len())
        .into_par_iter()
        .filter_map(|stated| {
            let mut members: Vec<MarkerId> = profile.flows.steps(stated).iter().map(|step| step.marker).collect();
            members.sort_by_cached_key(|marker| (times_of(profile, *marker).start, *marker));
            members.dedup();
            let first = *members.first()?;
            let last = members.iter().copied().max_by_key(|marker| times_of(profile, *marker).end)?;
            let start = times_of(profile, first).start;
            Some(Found { stated: u32::try_from(stated).ok()?, start, members, last })
        })
        .collect();
    found.par_sort_by_key(|flow| (flow.start, flow.members.first().copied(), flow.stated));
    let text = profile.source.bytes();
    let place = |flow: &Found| {
        let offset = profile.flows.flows[flow.stated as usize].id;
        IdPlace { hash: hash(text_at(text, offset).unwrap_or_default().as_bytes()), offset }
    };
    let listed = ThreadMentions { ids: found.par_iter().map(place).collect(), ..ThreadMentions::default() };
    let (ids, mut numbers) = FlowIds::join(text, &[listed]);
    let mut flows = Flows {
        id_of: numbers.pop().unwrap_or_default().into(),
        last: found.iter().map(|flow| flow.last).collect(),
        offsets: Column::with_capacity(found.len() + 1),
        members: Column::with_capacity(found.iter().map(|flow| flow.members.len()).sum()),
    };
    flows.offsets.push(0);
    for flow in &found {
        flows.members.extend(flow.members.iter().copied());
        flows.offsets.push(u32::try_from(flows.members.len()).unwrap_or(u32::MAX));
    }
    let stated = found.into_iter().map(|flow| flow.stated).collect();
    let of_markers = MarkerFlows::build(profile.marker_count(), &flows.offsets, &flows.members);
    let links = profile.threads.par_iter().with_max_len(1).map(|thread| links(thread, &of_markers));
    let context = Context::build(links.collect::<Vec<_>>().concat());
    let (first_of_id, next_of_id) = chain_ids(&flows.id_of, ids.len());
    FlowGraph { ids, flows, of_markers, context, first_of_id, next_of_id, stated, ..FlowGraph::default() }
}

/// Child and parent of every flow marker of a thread that has a parent.
fn links(thread: &Thread, of_markers: &MarkerFlows) -> Vec<[MarkerId; 2]> {
    let markers = &thread.markers;
    let first = thread.first_marker.0;
    let last = first.saturating_add(u32::try_from(markers.len()).unwrap_or(u32::MAX));
    let mut open: Vec<(Ns, MarkerId)> = Vec::new();
    let mut links = Vec::new();
    for marker in (first..last).map(MarkerId).filter(|marker| !of_markers.of(*marker).is_empty()) {
        let at = (marker.0 - first) as usize;
        let (start, end, flags) = (markers.start[at], markers.end[at], markers.flags[at]);
        // What ends where a slice begins lies beside it, unless it contains it.
        while open.pop_if(|(until, _)| *until < start || (*until == start && end > *until)).is_some() {}
        if let Some((_, parent)) = open.last() {
            links.push([marker, *parent]);
        }
        if flags.has(MarkerFlags::STACK_BASED) && !flags.has(MarkerFlags::INSTANT) {
            open.push((end, marker));
        }
    }
    links
}

impl FlowGraph {
    /// The steps of a flow in the order of time, where the recording states them; otherwise none.
    #[must_use]
    pub fn steps<'a>(&self, profile: &'a Profile, flow: FlowId) -> &'a [FlowStep] {
        self.stated.get(flow.index()).map_or(&[], |stated| profile.flows.steps(*stated as usize))
    }

    /// What the recording calls a flow; empty if it has no name of its own.
    #[must_use]
    pub fn stated_name<'a>(&self, profile: &'a Profile, flow: FlowId) -> &'a str {
        let stated = self.stated.get(flow.index()).and_then(|stated| profile.flows.flows.get(*stated as usize));
        stated.map_or("", |flow| profile.strings.get(flow.name))
    }
}
