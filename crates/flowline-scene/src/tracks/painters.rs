//! The painters of all kinds of tracks.

use super::kinds::TRACK_KINDS;
use super::painter::TrackPainter;
use super::{counter, flow_lane, flow_track, samples, thread};

/// The painters of all kinds, with their caches.
#[derive(Debug)]
pub(crate) struct Painters(Vec<Box<dyn TrackPainter>>);

impl Default for Painters {
    fn default() -> Self {
        let own: [Box<dyn TrackPainter>; 7] = [
            Box::<thread::MarkerPainter>::default(),
            Box::<flow_track::FlowTrackPainter>::default(),
            Box::<counter::CounterPainter>::default(),
            Box::<samples::CallPainter>::default(),
            Box::<samples::ActivityPainter>::default(),
            Box::<samples::GraphPainter>::default(),
            Box::<flow_lane::FlowLanePainter>::default(),
        ];
        Self(own.into_iter().chain(TRACK_KINDS.iter().map(|kind| kind.painter())).collect())
    }
}

impl Painters {
    /// All painters. Batches have layers, so the order does not matter.
    pub(crate) fn all(&mut self) -> impl Iterator<Item = &mut Box<dyn TrackPainter>> {
        self.0.iter_mut()
    }
}
