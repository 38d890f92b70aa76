//! Markers that say something together: a part of a recording has all of them or none.

use std::collections::HashMap;

use super::Index;
use super::samples::entries::BROWSER_EVENTS;
use flowline_profile::{FlowId, LocalMarker, MarkerId, Profile, TimeRange};

/// Adds to the markers of a part, by thread, the members of the flows that have a marker in it.
pub fn add_flow_members(index: &Index, markers: &mut [Vec<LocalMarker>]) {
    let (profile, graph) = (index.profile(), index.flows());
    let mut flows: Vec<FlowId> = Vec::new();
    for (thread, markers) in profile.threads.iter().zip(&*markers) {
        flows.extend(markers.iter().flat_map(|marker| graph.flows_of(thread.global(*marker))));
        flows.sort_unstable();
        flows.dedup();
    }
    add(profile, flows.into_iter().flat_map(|flow| graph.members(flow)).copied(), markers);
}

/// Adds to the markers of a part of a Firefox profile, by thread, what keeps flows of one id apart: where markers of several such flows
/// are in the part, all members of these flows and of those between them. Ends and postings divide flows, and what a posting does depends
/// on what came before it.
pub fn add_flow_dividers(index: &Index, markers: &mut [Vec<LocalMarker>]) {
    let (profile, graph) = (index.profile(), index.flows());
    let mut pending: Vec<MarkerId> = Vec::new();
    for (thread, markers) in profile.threads.iter().zip(&*markers) {
        pending.extend(markers.iter().map(|marker| thread.global(*marker)));
    }
    // From the first to the last flow of an id that is in the part. The first of all flows of an id stands for the id.
    let mut spans: HashMap<FlowId, (usize, usize)> = HashMap::new();
    let mut added: Vec<MarkerId> = Vec::new();
    // What is added may be in other flows, too.
    while let Some(marker) = pending.pop() {
        for flow in graph.flows_of(marker) {
            let uses = graph.uses_of(*flow);
            let Some((first, at)) = uses.first().zip(uses.binary_search(flow).ok()).filter(|_| uses.len() > 1) else {
                continue;
            };
            let known = spans.get(first).copied();
            let (from, to) = known.map_or((at, at), |(from, to)| (from.min(at), to.max(at)));
            spans.insert(*first, (from, to));
            if from == to {
                // A flow that is alone needs nothing; the second one brings the first.
                continue;
            }
            // Only what the span has grown by: an id may have a million uses, and its span grows by one at a time.
            let [before, after] = match known.filter(|(from, to)| from < to) {
                Some((known_from, known_to)) => [from..known_from, known_to + 1..to + 1],
                None => [from..to + 1, 0..0],
            };
            for member in before.chain(after).flat_map(|at| graph.members(uses[at])) {
                pending.push(*member);
                added.push(*member);
            }
        }
    }
    add(profile, added.into_iter(), markers);
}

/// Adds to the markers of a part, by thread, those without which others would read differently: the other markers of their
/// network requests, the earlier stamps that entries of custom tracks are named after, and the events that say that a trace is
/// one of a browser. With a `range`, all markers of the requests that lie in it at least in part are added, too.
pub fn add_companions(index: &Index, range: Option<TimeRange>, markers: &mut [Vec<LocalMarker>]) {
    let (profile, network, custom) = (index.profile(), index.network(), index.custom_tracks());
    let has = |markers: &[Vec<LocalMarker>], marker: MarkerId| {
        profile.locate(marker).is_some_and(|(thread, local)| markers[thread.index()].binary_search(&local).is_ok())
    };
    let mut added: Vec<MarkerId> = Vec::new();
    for (id, request) in network.iter() {
        let own = network.markers(id);
        let is_in = range.is_some_and(|range| range.overlaps(request.start, request.end));
        if is_in || own.iter().any(|marker| has(markers, *marker)) {
            added.extend(own);
        }
    }
    for entry in custom.entries().iter().filter(|entry| has(markers, entry.marker)) {
        added.extend(entry.named_after.iter().flatten());
    }
    for name in BROWSER_EVENTS.iter().filter_map(|name| profile.strings.find(name)) {
        let first = profile.threads.iter().find_map(|thread| {
            let found = (0..thread.markers.len()).map(LocalMarker::new).find(|at| thread.markers.name(*at) == name)?;
            Some(thread.global(found))
        });
        added.extend(first);
    }
    add(profile, added.into_iter(), markers);
}

/// Adds markers to those of their threads, which stay ascending.
fn add(profile: &Profile, added: impl Iterator<Item = MarkerId>, markers: &mut [Vec<LocalMarker>]) {
    for (thread, local) in added.filter_map(|marker| profile.locate(marker)) {
        markers[thread.index()].push(local);
    }
    for markers in markers {
        markers.sort_unstable();
        markers.dedup();
    }
}
