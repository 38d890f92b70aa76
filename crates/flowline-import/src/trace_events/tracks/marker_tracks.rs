//! Tracks with their markers. Names and categories are still numbers of the trace.

use smallvec::SmallVec;

use super::event_tracks::EventTrack;
use super::slice::Slice;
use super::{colors, slices};
use crate::trace_events::flows::binding;
use crate::trace_events::flows::flow_steps::TrackSteps;
use crate::trace_events::samples::thread_samples::TrackSamples;
use crate::trace_events::text::batch::PairTable;
use crate::trace_events::text::ids::{NONE, TextId};
use crate::trace_events::text::trace::Trace;
use flowline_profile::{
    CategoryId, LocalMarker, Marker, MarkerTable, MarkerTablesBuilder, PayloadRef, StringId, ThreadSamples, TimeRange,
    TrackKind, Warnings,
};

/// A track with its markers in start order.
#[derive(Debug)]
pub(in crate::trace_events) struct MarkerTrack {
    pub(in crate::trace_events) kind: TrackKind,
    pub(in crate::trace_events) pid: TextId,
    pub(in crate::trace_events) tid: TextId,
    /// Markers whose names are indexes into `labels`.
    pub(in crate::trace_events) markers: MarkerTable,
    /// Pairs of name and category, in order of first use.
    pub(in crate::trace_events) labels: SmallVec<[(TextId, TextId); 2]>,
    /// First start and last end.
    pub(in crate::trace_events) range: Option<TimeRange>,
    /// The group of each marker, on async tracks.
    pub(in crate::trace_events) groups: Vec<u32>,
    /// The process and thread pairs of the events that began and ended each marker ([`NONE`] without such an event), on
    /// async tracks.
    pub(in crate::trace_events) event_pairs: Vec<[u32; 2]>,
    /// Number of events.
    pub(in crate::trace_events) events: u64,
    /// Markers with a custom color.
    pub(in crate::trace_events) colors: Vec<(LocalMarker, &'static str)>,
    /// Samples of the thread.
    pub(in crate::trace_events) samples: Option<Box<ThreadSamples>>,
}

impl MarkerTrack {
    /// Creates a track without markers.
    pub(in crate::trace_events) fn empty(kind: TrackKind, pid: TextId, tid: TextId) -> Self {
        Self {
            kind,
            pid,
            tid,
            markers: MarkerTable::default(),
            labels: SmallVec::new(),
            range: None,
            groups: Vec::new(),
            event_pairs: Vec::new(),
            events: 0,
            colors: Vec::new(),
            samples: None,
        }
    }

    /// Creates a track from sorted slices.
    pub(in crate::trace_events) fn from_slices(
        trace: &Trace,
        owner: (TrackKind, TextId, TextId),
        slices: &[Slice],
    ) -> Self {
        let mut labels = PairTable::for_count(slices.len());
        let markers = MarkerTable::from_rows(slices, marker, |slice| StringId(labels.intern(slice.name, slice.cat)));
        Self { markers, labels: labels.list.into(), ..Self::without_table(trace, owner, slices) }
    }

    /// Creates a track from a few sorted slices, whose markers become the next table of a builder.
    pub(in crate::trace_events) fn of_few(
        trace: &Trace,
        owner: (TrackKind, TextId, TextId),
        slices: &[Slice],
        tables: &mut MarkerTablesBuilder,
    ) -> Self {
        let mut labels: SmallVec<[(TextId, TextId); 2]> = SmallVec::new();
        let label = |slice: &Slice| {
            let own = (slice.name, slice.cat);
            let number = labels.iter().position(|label| *label == own).unwrap_or_else(|| {
                labels.push(own);
                labels.len() - 1
            });
            StringId::new(number)
        };
        tables.push(slices, marker, label);
        Self { labels, ..Self::without_table(trace, owner, slices) }
    }

    /// Creates a track from sorted slices, without the marker table.
    fn without_table(trace: &Trace, (kind, pid, tid): (TrackKind, TextId, TextId), slices: &[Slice]) -> Self {
        let color = |(at, slice): (usize, &Slice)| {
            let cname = if slice.extra == NONE { NONE } else { trace.extra_at(slice.extra).cname };
            let word = if cname == NONE { None } else { colors::for_cname(trace.texts.get(cname)) };
            Some((LocalMarker::new(at), word?))
        };
        let colored = if trace.has_colors { slices } else { &[] };
        Self {
            range: slices.iter().map(Slice::range).reduce(TimeRange::union),
            events: slices.len() as u64,
            colors: colored.iter().enumerate().filter_map(color).collect(),
            ..Self::empty(kind, pid, tid)
        }
    }
}

/// Returns the marker of a slice, without a name.
fn marker(slice: &Slice) -> Marker {
    Marker {
        start: slice.start,
        end: slice.end,
        name: StringId(0),
        category: CategoryId(0),
        kind: None,
        flags: slice.flags(),
        payload: PayloadRef(slice.event),
        begin: slice.begin().map_or(PayloadRef::NONE, PayloadRef),
        supplement: None,
    }
}

/// Tracks built by one job, by number: markers and samples, and the flow steps and warnings of tracks that have any.
#[derive(Default)]
pub(in crate::trace_events) struct BuiltTracks {
    pub(in crate::trace_events) tracks: Vec<(u32, MarkerTrack)>,
    pub(in crate::trace_events) steps: Vec<(u32, TrackSteps)>,
    pub(in crate::trace_events) warnings: Vec<(u32, Warnings)>,
}

impl BuiltTracks {
    fn push(&mut self, number: u32, track: MarkerTrack, steps: TrackSteps, warnings: Warnings) {
        self.tracks.push((number, track));
        if !steps.list.is_empty() {
            self.steps.push((number, steps));
        }
        if !warnings.is_empty() {
            self.warnings.push((number, warnings));
        }
    }
}

/// Returns true if a track has few enough events to share its columns.
pub(in crate::trace_events) fn is_small(track: &EventTrack) -> bool {
    track.events.list().len() <= MarkerTablesBuilder::MAX_ROWS
}

/// Maximum number of small tracks per job.
pub(in crate::trace_events) const SMALL_TRACKS: usize = 512;

/// Builds small tracks without samples, with shared columns.
pub(in crate::trace_events) fn build_small_tracks(trace: &Trace, tracks: Vec<(u32, EventTrack)>) -> BuiltTracks {
    let events = tracks.iter().map(|(_, track)| track.events.slices()).sum();
    let mut tables = MarkerTablesBuilder::with_capacity(events);
    let mut built = BuiltTracks { tracks: Vec::with_capacity(tracks.len()), ..BuiltTracks::default() };
    for (number, EventTrack { kind, pid, tid, events, flows }) in tracks {
        let mut warnings = Warnings::default();
        let count = events.list().len() as u64;
        let slices = slices::build(trace, events, &mut warnings);
        slices::count_overlaps(&slices, &mut warnings);
        let mut steps = TrackSteps::default();
        steps.extend(binding::bind(trace, number, &flows, &slices));
        if trace.has_bind_ids {
            steps.extend(binding::bound_slices(trace, number, &slices));
        }
        let track = MarkerTrack::of_few(trace, (kind, pid, tid), &slices, &mut tables);
        built.push(number, MarkerTrack { events: count, ..track }, steps, warnings);
    }
    for ((_, track), markers) in built.tracks.iter_mut().zip(tables.finish()) {
        track.markers = markers;
    }
    built
}

/// Builds the markers and samples of a track, and the flow steps of its flow events and `bind_id`s. `number` is the
/// index of the track.
pub(in crate::trace_events) fn build_track(
    trace: &Trace,
    number: u32,
    events: EventTrack,
    samples: TrackSamples<'_>,
) -> BuiltTracks {
    let mut warnings = Warnings::default();
    let count = events.events.list().len() as u64;
    let ids = samples.trace_ids(&events);
    let slices = slices::build(trace, events.events, &mut warnings);
    // The largest track often remains alone at the end, so its work is split for other cores.
    let ((steps, overlaps), (track, samples)) = rayon::join(
        || {
            let mut overlaps = Warnings::default();
            slices::count_overlaps(&slices, &mut overlaps);
            let mut steps = TrackSteps::with_capacity(events.flows.len());
            steps.extend(binding::bind(trace, number, &events.flows, &slices));
            if trace.has_bind_ids {
                steps.extend(binding::bound_slices(trace, number, &slices));
            }
            (steps, overlaps)
        },
        || {
            let owner = (events.kind, events.pid, events.tid);
            rayon::join(
                || MarkerTrack::from_slices(trace, owner, &slices),
                || samples.finish(&slices, &ids, &mut warnings),
            )
        },
    );
    warnings.merge(overlaps);
    let range = [track.range, samples.as_ref().and_then(|(_, range)| *range)].into_iter().flatten();
    let range = range.reduce(TimeRange::union);
    let track = MarkerTrack { events: count, range, samples: samples.map(|(samples, _)| samples), ..track };
    let mut built = BuiltTracks::default();
    built.push(number, track, steps, warnings);
    built
}
