//! Counts the contents of tracks in a range.

use std::collections::BTreeMap;

use super::kinds::TRACK_KINDS;
use crate::layout::TrackCounts;
use flowline_index::Index;
use flowline_index::flows::FlowTrack;
use flowline_profile::{Ns, ThreadId, TimeRange};
use flowline_view::TrackId;

impl TrackCounts {
    /// Counts everything that overlaps a range, and the samples in [start, end). Tracks that are still being derived
    /// are not counted.
    #[must_use]
    pub fn new(index: &Index, tracks: &[FlowTrack], range: TimeRange) -> Self {
        let profile = index.profile();
        let mut parts: BTreeMap<(TrackId, u32), usize> = BTreeMap::new();
        for kind in TRACK_KINDS {
            kind.count(index, range, &mut |(track, part), is_in| {
                *parts.entry((TrackId::new(kind.key(), track), part)).or_default() += usize::from(is_in);
            });
        }
        let in_track = |track: &FlowTrack| {
            let times = track.flows().iter().map(|flow| index.flows().range(profile, *flow));
            times.filter(|own| range.overlaps(own.start, own.end)).count()
        };
        let sampled = |at: usize| {
            let Some(samples) = &profile.thread(ThreadId::new(at)).samples else { return 0 };
            let before = |time: Ns| samples.cpu.time.partition_point(|other| *other < time);
            before(range.end).saturating_sub(before(range.start))
        };
        Self {
            parts,
            flows: tracks.iter().map(in_track).collect(),
            samples: (0..profile.threads.len()).map(sampled).collect(),
        }
    }
}
