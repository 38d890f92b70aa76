//! The slices around those that flow events bind to. A flow event binds to the deepest slice at its time; where one slice ends
//! and another begins, both are open. So a slice that lost what encloses it would lose the flow event to the other one.

use foldhash::HashSet;

use crate::import::chrome::event_links::EventLinks;
use crate::import::chrome::flow_steps::{Exactness, Step};
use crate::import::chrome::marker_tracks::MarkerTrack;
use crate::import::chrome::slice::is_outside;
use crate::profile::{LocalMarker, MarkerTable, TimeRange};

/// Links slices that flow events bind to by their depth to the slices that enclose them. `tracks` are those of threads; steps
/// on other tracks are ignored.
pub(super) fn link(tracks: &[MarkerTrack], steps: &[Step], links: &mut EventLinks) {
    let mut bound = vec![HashSet::default(); tracks.len()];
    for step in steps.iter().filter(|step| step.exactness() == Exactness::None) {
        let slice = LocalMarker(step.slice);
        let is_open = |markers: &MarkerTable| slice.index() < markers.len() && markers.range(slice).start <= step.ts;
        if let Some(bound) = bound.get_mut(step.track()).filter(|_| is_open(&tracks[step.track()].markers)) {
            bound.insert(slice);
        }
    }
    for (track, bound) in tracks.iter().zip(bound).filter(|(_, bound)| !bound.is_empty()) {
        let markers = &track.markers;
        let mut nest: Vec<(TimeRange, LocalMarker)> = Vec::new();
        for (slice, range) in (0..).map(LocalMarker).zip(markers.times().ranges()) {
            while nest.pop_if(|(open, _)| is_outside(range, open.end)).is_some() {}
            if bound.contains(&slice) {
                let own = markers.payload(slice).0;
                nest.iter().for_each(|(_, open)| links.need(own, markers.payload(*open).0));
            }
            if !markers.is_instant(slice) {
                nest.push((range, slice));
            }
        }
    }
}
