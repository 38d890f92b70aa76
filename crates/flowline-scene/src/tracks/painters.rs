//! The painters of all kinds of tracks.

use super::painter::TrackPainter;
use super::{counter, custom, flow_lane, flow_track, network, samples, thread};

/// The painters of all kinds, with their caches.
#[derive(Debug, Default)]
pub(crate) struct Painters {
    threads: thread::MarkerPainter,
    flow_tracks: flow_track::FlowTrackPainter,
    counters: counter::CounterPainter,
    network: network::NetworkPainter,
    calls: samples::CallPainter,
    activity: samples::ActivityPainter,
    flow_lanes: flow_lane::FlowLanePainter,
    custom: custom::CustomPainter,
}

impl Painters {
    /// All painters. Batches have layers, so the order does not matter.
    pub(crate) fn all(&mut self) -> [&mut dyn TrackPainter; 8] {
        let Self { threads, flow_tracks, counters, network, calls, activity, flow_lanes, custom } = self;
        [threads, flow_tracks, counters, network, calls, activity, flow_lanes, custom]
    }
}
