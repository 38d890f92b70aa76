//! Counts of track contents other than markers in the range of a scope: network requests, entries of custom tracks,
//! flows on flow tracks, and samples. They are counted in the background, together with the markers.

use std::collections::BTreeMap;

use flowline_index::Index;
use flowline_index::flows::FlowTrack;
use flowline_profile::{Ns, ProcessId, ThreadId, TimeRange};

/// Counts shown in track labels, for the most recently counted range.
#[derive(Clone, Debug, Default)]
pub struct TrackCounts {
    /// Network requests by process.
    requests: BTreeMap<ProcessId, usize>,
    /// Entries of custom tracks, by the number of the track and the first row of the part.
    entries: BTreeMap<(u32, usize), usize>,
    /// Flows by flow track.
    flows: Vec<usize>,
    /// Samples by thread.
    samples: Vec<usize>,
}

impl TrackCounts {
    /// Counts everything that overlaps a range, and the samples in [start, end). Tracks that are still being derived
    /// are not counted.
    #[must_use]
    pub fn new(index: &Index, tracks: &[FlowTrack], range: TimeRange) -> Self {
        let profile = index.profile();
        let mut requests = BTreeMap::new();
        for request in index.network_if_built().into_iter().flat_map(|network| network.requests()) {
            *requests.entry(request.process).or_default() += usize::from(range.overlaps(request.start, request.end));
        }
        let mut entries = BTreeMap::new();
        let custom = index.custom_tracks_if_built();
        for (number, track) in custom.into_iter().flat_map(|custom| (0_u32..).zip(custom.tracks())) {
            for entry in track.entries() {
                let Some(part) = track.row_of(entry).and_then(|row| track.part_of(row)) else { continue };
                let entry = custom.and_then(|custom| custom.entries().get(entry as usize));
                let is_in = entry.is_some_and(|entry| range.overlaps(entry.start, entry.drawn_end()));
                *entries.entry((number, part.first_row)).or_default() += usize::from(is_in);
            }
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
            requests,
            entries,
            flows: tracks.iter().map(in_track).collect(),
            samples: (0..profile.threads.len()).map(sampled).collect(),
        }
    }

    /// Network requests of a process.
    #[must_use]
    pub fn requests(&self, process: ProcessId) -> Option<usize> {
        self.requests.get(&process).copied()
    }

    /// Entries of a custom track, by its number: of the part that begins at a row, or of all parts.
    #[must_use]
    pub fn entries(&self, track: u32, first_row: Option<usize>) -> Option<usize> {
        let (from, to) = first_row.map_or((0, usize::MAX), |row| (row, row));
        self.entries.range((track, from)..=(track, to)).map(|(_, count)| *count).reduce(|sum, count| sum + count)
    }

    /// Flows on a flow track, by its number.
    #[must_use]
    pub fn flows(&self, track: u32) -> Option<usize> {
        self.flows.get(track as usize).copied()
    }

    /// Samples of a thread.
    #[must_use]
    pub fn samples(&self, thread: ThreadId) -> Option<usize> {
        self.samples.get(thread.index()).copied()
    }
}
