//! Marker dependencies: markers that are only meaningful together, so an excerpt of a recording contains all or none of
//! them.

use std::collections::HashMap;

use crate::Index;
use crate::samples::entries::BROWSER_EVENTS;
use flowline_profile::{FlowId, LocalMarker, MarkerId, Profile, TimeRange};

/// Adds to the markers of an excerpt, by thread, all members of the flows that have a marker in it.
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

/// Adds to the markers of an excerpt of a Firefox profile, by thread, the markers that keep flows with the same id
/// separate. If the excerpt has markers of several such flows, these are all members of those flows and of the flows
/// between them. End markers and posting markers divide flows, and the effect of a posting depends on earlier markers.
pub fn add_flow_dividers(index: &Index, markers: &mut [Vec<LocalMarker>]) {
    let (profile, graph) = (index.profile(), index.flows());
    let mut pending: Vec<MarkerId> = Vec::new();
    for (thread, markers) in profile.threads.iter().zip(&*markers) {
        pending.extend(markers.iter().map(|marker| thread.global(*marker)));
    }
    // Range from the first to the last flow with an id in the excerpt. The key is the first of all flows with that id.
    let mut spans: HashMap<FlowId, (usize, usize)> = HashMap::new();
    let mut added: Vec<MarkerId> = Vec::new();
    // Added markers may be members of further flows.
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
                // A single flow needs no dividers. When a second flow is found, the first is added with it.
                continue;
            }
            // Visit only the newly covered flows: an id may have a million uses, and its range may grow by one at a
            // time.
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

/// Adds to the markers of an excerpt, by thread, the markers that their interpretation depends on: the other markers of
/// their network requests, the earlier timestamps that custom track entries refer to by name, and the events that
/// identify a trace as a browser trace. If `range` is given, all markers of network requests that overlap it are added
/// as well.
pub fn add_marker_dependencies(index: &Index, range: Option<TimeRange>, markers: &mut [Vec<LocalMarker>]) {
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

/// Adds markers to the lists of their threads, which stay in ascending order.
fn add(profile: &Profile, added: impl Iterator<Item = MarkerId>, markers: &mut [Vec<LocalMarker>]) {
    for (thread, local) in added.filter_map(|marker| profile.locate(marker)) {
        markers[thread.index()].push(local);
    }
    for markers in markers {
        markers.sort_unstable();
        markers.dedup();
    }
}
