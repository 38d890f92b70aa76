//! Builds the tracks of threads in parallel.

use std::cmp::Reverse;

use rayon::prelude::*;

use super::event_tracks::EventTrack;
use super::marker_tracks::{self, BuiltTracks, MarkerTrack, SMALL_TRACKS};
use crate::progress::Progress;
use crate::trace_events::flows::flow_steps::TrackSteps;
use crate::trace_events::samples::thread_samples::{TraceSamples, TrackSampleData, TrackSamples};
use crate::trace_events::text::ids::NONE;
use crate::trace_events::text::trace::Trace;
use flowline_profile::{TrackKind, Warnings, parallel_chunk_size};

/// Work of one parallel job.
enum TrackJob {
    One(u32, Box<(TrackSampleData, EventTrack)>),
    Small(Vec<(u32, EventTrack)>),
}

/// Builds the tracks of threads and instants in parallel, with their flow steps.
pub(in crate::trace_events) fn build_tracks(
    trace: &Trace,
    tracks: Vec<EventTrack>,
    mut samples: TraceSamples,
    progress: &Progress,
) -> (Vec<MarkerTrack>, Vec<TrackSteps>, Warnings) {
    let count = tracks.len();
    let (mut large, mut small): (Vec<_>, Vec<Vec<_>>) = (Vec::new(), Vec::new());
    for (number, track) in (0..).zip(tracks) {
        let own = samples.take(&track);
        if !matches!(own, TrackSampleData::None) || !marker_tracks::is_small(&track) {
            large.push((number, Box::new((own, track))));
            continue;
        }
        match small.last_mut().filter(|some| some.len() < SMALL_TRACKS) {
            Some(some) => some.push((number, track)),
            None => small.push(vec![(number, track)]),
        }
    }
    // The largest tracks go first, because one that starts last would keep a single core busy.
    large.sort_by_key(|(_, own)| Reverse(own.1.events.list().len()));
    let large = large.into_iter().map(|(number, own)| TrackJob::One(number, own));
    let jobs: Vec<TrackJob> = large.chain(small.into_iter().map(TrackJob::Small)).collect();
    let build = |job: TrackJob| match job {
        TrackJob::One(number, own) => {
            let (own, track) = *own;
            let own = TrackSamples { of_trace: &samples, own };
            progress.advance(1);
            marker_tracks::build_track(trace, number, track, own)
        }
        TrackJob::Small(tracks) => {
            progress.advance(tracks.len() as u64);
            marker_tracks::build_small_tracks(trace, tracks)
        }
    };
    let job_len = parallel_chunk_size(jobs.len());
    let built: Vec<BuiltTracks> = jobs.into_par_iter().with_max_len(job_len).map(build).collect();
    let mut tracks: Vec<MarkerTrack> = Vec::new();
    tracks.resize_with(count, || MarkerTrack::empty(TrackKind::Thread, NONE, NONE));
    let mut steps: Vec<(u32, TrackSteps)> = Vec::new();
    let mut warned: Vec<(u32, Warnings)> = Vec::new();
    for own in built {
        own.tracks.into_iter().for_each(|(number, track)| tracks[number as usize] = track);
        steps.extend(own.steps);
        warned.extend(own.warnings);
    }
    steps.sort_unstable_by_key(|(number, _)| *number);
    // The first example of each kind comes from the first track.
    warned.sort_unstable_by_key(|(number, _)| *number);
    let mut warnings = Warnings::default();
    warned.into_iter().for_each(|(_, own)| warnings.merge(own));
    (tracks, steps.into_iter().map(|(_, steps)| steps).collect(), warnings)
}
