//! Decides whether a part has to state its clock.

use foldhash::HashSet;

use crate::chrome::clock::StatedClock;
use crate::chrome::clusters::{Clusters, Stretch};
use crate::chrome::marker_tracks::MarkerTrack;
use flowline_profile::{Profile, TimeRange};

/// The clock that a part must state, to which the kept events belong: always if the whole has a main cluster, and otherwise
/// if the part could look as if it had one.
pub(super) fn of_part(whole: &Profile, tracks: &[MarkerTrack], kept: &HashSet<u64>) -> Option<StatedClock> {
    if let Some(cluster) = whole.main_cluster() {
        return Some(StatedClock(Some(cluster.range)));
    }
    let of_track = |track: &MarkerTrack| {
        let events = track.markers.times().ranges().zip(track.markers.payloads());
        let ranges = events.filter(|(_, event)| kept.contains(&event.0)).map(|(range, _)| range);
        ranges.collect::<Vec<TimeRange>>()
    };
    let stretches = tracks.iter().flat_map(of_track).map(Stretch::of_marker);
    let clusters = Clusters::new(whole.meta.range, stretches.collect());
    clusters.could_have_main().then_some(StatedClock(None))
}
