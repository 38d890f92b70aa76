//! Tracks with their markers; names and categories are still numbers of the trace.

use super::batch::PairTable;
use super::event_tracks::EventTrack;
use super::flow_steps::TrackSteps;
use super::ids::{NONE, TextId};
use super::slice::Slice;
use super::thread_samples::TrackSamples;
use super::trace::Trace;
use super::{colors, flows, slices};
use crate::profile::{
    CategoryId, LocalMarker, Marker, MarkerTable, PayloadRef, StringId, ThreadSamples, TimeRange, TrackKind, Warnings,
};

/// A track with its markers in start order.
#[derive(Debug)]
pub(super) struct MarkerTrack {
    pub(super) kind: TrackKind,
    pub(super) pid: TextId,
    pub(super) tid: TextId,
    /// Markers; their names are indexes into `labels`.
    pub(super) markers: MarkerTable,
    /// Pairs of name and category, in order of first use.
    pub(super) labels: Vec<(TextId, TextId)>,
    /// First start and last end.
    pub(super) range: Option<TimeRange>,
    /// The group of each marker, in async tracks.
    pub(super) groups: Vec<u32>,
    /// Number of its events.
    pub(super) events: u64,
    /// Markers with a colour of their own.
    pub(super) colors: Vec<(LocalMarker, &'static str)>,
    /// What was sampled of it.
    pub(super) samples: Option<Box<ThreadSamples>>,
}

impl MarkerTrack {
    /// A track without markers.
    pub(super) fn empty(kind: TrackKind, pid: TextId, tid: TextId) -> Self {
        Self::from_slices(&Trace::default(), (kind, pid, tid), &[])
    }

    /// A track of sorted slices.
    pub(super) fn from_slices(trace: &Trace, (kind, pid, tid): (TrackKind, TextId, TextId), slices: &[Slice]) -> Self {
        let mut labels = PairTable::for_count(slices.len());
        let marker = |slice: &Slice| Marker {
            start: slice.start,
            end: slice.end,
            name: StringId(0),
            category: CategoryId(0),
            kind: None,
            flags: slice.flags(),
            payload: PayloadRef(slice.event),
            begin: slice.begin().map_or(PayloadRef::NONE, PayloadRef),
            supplement: None,
        };
        let markers = MarkerTable::from_rows(slices, marker, |slice| StringId(labels.intern(slice.name, slice.cat)));
        let color = |(at, slice): (usize, &Slice)| {
            let cname = if slice.extra == NONE { NONE } else { trace.extra_at(slice.extra).cname };
            let word = if cname == NONE { None } else { colors::for_cname(trace.texts.get(cname)) };
            Some((LocalMarker::new(at), word?))
        };
        let colored = if trace.has_colors { slices } else { &[] };
        Self {
            kind,
            pid,
            tid,
            labels: labels.list,
            range: markers.times().extent(),
            groups: Vec::new(),
            events: slices.len() as u64,
            colors: colored.iter().enumerate().filter_map(color).collect(),
            markers,
            samples: None,
        }
    }
}

/// The markers and samples of a track, and the flow steps of its flow events and `bind_id`s; `number` is the index of the track.
pub(super) fn build_track(
    trace: &Trace,
    number: u32,
    events: EventTrack,
    samples: TrackSamples<'_>,
    warnings: &mut Warnings,
) -> (MarkerTrack, TrackSteps) {
    let count = events.events.list().len() as u64;
    let ids = samples.trace_ids(&events);
    let slices = slices::build(trace, events.events, warnings);
    // The largest track is often built alone in the end, so its parts are offered to other cores.
    let ((steps, overlaps), (track, samples)) = rayon::join(
        || {
            let mut overlaps = Warnings::default();
            slices::count_overlaps(&slices, &mut overlaps);
            let mut steps = TrackSteps::with_capacity(events.flows.len());
            steps.extend(flows::bind(trace, number, &events.flows, &slices));
            if trace.has_bind_ids {
                steps.extend(flows::bound_slices(trace, number, &slices));
            }
            (steps, overlaps)
        },
        || {
            let owner = (events.kind, events.pid, events.tid);
            rayon::join(|| MarkerTrack::from_slices(trace, owner, &slices), || samples.finish(&slices, &ids, warnings))
        },
    );
    warnings.merge(overlaps);
    let range = [track.range, samples.as_ref().and_then(|(_, range)| *range)].into_iter().flatten();
    let range = range.reduce(TimeRange::union);
    (MarkerTrack { events: count, range, samples: samples.map(|(samples, _)| samples), ..track }, steps)
}
