//! The slices around those that flow events bind to. A flow event binds to the deepest slice at its time; where one
//! slice ends and another begins, both are open. If a slice lost its enclosing slices, its flow event would bind to the
//! other slice. All other slices that are open at the same time are nested, regardless of the slices around both.

use foldhash::HashSet;

use crate::trace_events::flows::flow_steps::{SliceMatch, Step};
use crate::trace_events::tracks::event_links::EventLinks;
use crate::trace_events::tracks::marker_tracks::MarkerTrack;
use crate::trace_events::tracks::slice::is_outside;
use flowline_profile::{LocalMarker, MarkerTable, Ns, TimeRange};

/// With this bit, the offset of a slice's event represents the slice and all slices around it. Inner slices need all of
/// these together, but the slice itself does not need the slices around it.
pub(super) const ENCLOSING: u64 = 1 << 63;

/// A slice that may enclose the next one.
struct Open {
    end: Ns,
    event: u64,
    /// True if its [`ENCLOSING`] offset is linked already.
    is_linked: bool,
}

/// Links slices that flow events bind to at their start or end to the slices that enclose them. `tracks` are the tracks
/// of threads; steps on other tracks are ignored. Each slice gets at most three links, however deep it is.
pub(super) fn link(tracks: &[MarkerTrack], steps: &[Step], links: &mut EventLinks) {
    let mut bound = vec![HashSet::default(); tracks.len()];
    for step in steps.iter().filter(|step| step.exactness() == SliceMatch::None) {
        let slice = LocalMarker(step.slice);
        let is_border = |range: TimeRange| range.start == step.ts || range.end == step.ts;
        let is_at_border = |markers: &MarkerTable| slice.index() < markers.len() && is_border(markers.range(slice));
        if let Some(bound) = bound.get_mut(step.track()).filter(|_| is_at_border(&tracks[step.track()].markers)) {
            bound.insert(slice);
        }
    }
    for (track, bound) in tracks.iter().zip(bound).filter(|(_, bound)| !bound.is_empty()) {
        let markers = &track.markers;
        let mut nest: Vec<Open> = Vec::new();
        for (slice, range) in (0..).map(LocalMarker).zip(markers.times().ranges()) {
            while nest.pop_if(|open| is_outside(range, open.end)).is_some() {}
            let event = markers.payload(slice).0;
            if bound.contains(&slice) {
                link_around(event, &mut nest, links);
            }
            if !markers.is_instant(slice) {
                nest.push(Open { end: range.end, event, is_linked: false });
            }
        }
    }
}

/// Links an event to all slices around it, which are in `nest`, innermost last.
fn link_around(event: u64, nest: &mut [Open], links: &mut EventLinks) {
    let mut inside = event;
    for open in nest.iter_mut().rev() {
        let around = open.event | ENCLOSING;
        links.need(inside, around);
        if std::mem::replace(&mut open.is_linked, true) {
            return;
        }
        links.need(around, open.event);
        inside = around;
    }
}

#[cfg(test)]
mod tests {
    use bytemuck::Zeroable;

    use super::*;
    use crate::trace_events::text::event::Draft;
    use crate::trace_events::text::ids::NONE;
    use crate::trace_events::text::trace::Trace;
    use crate::trace_events::tracks::slice::Slice;
    use flowline_profile::{MarkerFlags, TrackKind};

    /// A slice whose event is at `offset`.
    fn slice(offset: usize, start: i64, end: i64) -> Slice {
        let draft = Draft { ts: Ns(start), ph: b'X', ..Draft::new(offset) };
        Slice::new(&Trace::default(), &draft.finish(0, 0).0, Ns(start), Ns(end), MarkerFlags::NONE)
    }

    /// Returns the links of a track. Slices have their positions as offsets, and flow events bind to slices at the
    /// given times.
    fn links(slices: &[Slice], bound: impl Iterator<Item = (u32, i64)>) -> Vec<(u64, u64)> {
        let track = MarkerTrack::from_slices(&Trace::default(), (TrackKind::Thread, NONE, NONE), slices);
        let step = |(slice, ts): (u32, i64)| {
            let mut step = Step::zeroed();
            (step.slice, step.ts) = (slice, Ns(ts));
            step
        };
        let steps: Vec<Step> = bound.map(step).collect();
        let mut links = EventLinks::new(true);
        link(&[track], &steps, &mut links);
        links.needs
    }

    /// Returns the events that an event needs, directly or indirectly.
    fn needed(links: &[(u64, u64)], event: u64) -> Vec<u64> {
        let (mut found, mut queue) = (HashSet::default(), vec![event]);
        while let Some(event) = queue.pop() {
            let needs = links.iter().filter(|(from, _)| *from == event).map(|(_, to)| *to);
            queue.extend(needs.filter(|to| found.insert(*to)));
        }
        let mut events: Vec<u64> = found.into_iter().filter(|event| event & ENCLOSING == 0).collect();
        events.sort_unstable();
        events
    }

    #[test]
    fn a_slice_bound_at_its_border_needs_all_enclosing_slices() {
        let slices = [slice(0, 0, 100), slice(1, 10, 90), slice(2, 10, 20), slice(3, 20, 30), slice(4, 95, 96)];
        let needs = |bound: [(u32, i64); 2]| {
            let links = links(&slices, bound.into_iter());
            (0..5).map(|event| needed(&links, event)).collect::<Vec<_>>()
        };
        assert_eq!(needs([(2, 20), (3, 20)]), [vec![], vec![], vec![0, 1], vec![0, 1], vec![]]);
        assert_eq!(
            needs([(2, 15), (3, 21)]),
            [(); 5].map(|()| Vec::<u64>::new()),
            "only enclosing slices are open there"
        );
    }

    #[test]
    fn a_deep_slice_has_no_more_links_than_another() {
        // Every slice encloses all later slices.
        let depth = 2000;
        let slices: Vec<Slice> = (0..depth).map(|at| slice(at, at as i64, 9000 - at as i64)).collect();
        let links = links(&slices, (0..2000).map(|at| (at, i64::from(at))));
        assert!(links.len() <= 3 * depth, "{} links", links.len());
        assert_eq!(needed(&links, 1999).len(), 1999);
    }
}
