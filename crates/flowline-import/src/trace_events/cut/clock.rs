//! Decides whether a cut needs an event with its clock.

use foldhash::HashSet;

use crate::trace_events::text::clock::CutClock;
use crate::trace_events::tracks::clusters::{Clusters, Stretch};
use crate::trace_events::tracks::marker_tracks::MarkerTrack;
use flowline_profile::{Profile, TimeRange};

/// Returns the clock for a cut with the kept events: always if the whole trace has a main cluster, otherwise only if
/// the cut could appear to have one.
pub(super) fn of_part(whole: &Profile, tracks: &[MarkerTrack], kept: &HashSet<u64>) -> Option<CutClock> {
    if let Some(cluster) = whole.main_cluster() {
        return Some(CutClock(Some(cluster.range)));
    }
    let of_track = |track: &MarkerTrack| {
        let events = track.markers.times().ranges().zip(track.markers.payloads());
        let ranges = events.filter(|(_, event)| kept.contains(&event.0)).map(|(range, _)| range);
        ranges.collect::<Vec<TimeRange>>()
    };
    let stretches = tracks.iter().flat_map(of_track).map(Stretch::of_marker);
    let clusters = Clusters::new(whole.meta.range, stretches.collect());
    clusters.could_have_main().then_some(CutClock(None))
}
