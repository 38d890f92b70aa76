//! Markers that say something together: a part of a recording has all of them or none.

use super::Index;
use super::samples::entries::BROWSER_EVENTS;
use crate::profile::{FlowId, LocalMarker, MarkerId, Profile, TimeRange};

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
