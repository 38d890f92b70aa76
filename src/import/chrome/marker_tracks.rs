//! Tracks with their markers; names and categories are still numbers of the trace.

use foldhash::HashMap;
use rayon::prelude::*;

use super::asyncs::AsyncGroup;
use super::batch::PairTable;
use super::event_tracks::EventTrack;
use super::flows::{self, Step, StepLocation};
use super::ids::{IdKind, NONE, TextId};
use super::slices::Slice;
use super::trace::Trace;
use super::{colors, slices};
use crate::profile::{
    CategoryId, LocalMarker, Marker, MarkerTable, Ns, PayloadRef, StringId, TimeRange, TrackKind, Warnings,
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
}

impl MarkerTrack {
    /// A track without markers.
    pub(super) fn empty(kind: TrackKind, pid: TextId, tid: TextId) -> Self {
        Self::from_slices(&Trace::default(), (kind, pid, tid), &[])
    }

    /// A track of sorted slices.
    fn from_slices(trace: &Trace, (kind, pid, tid): (TrackKind, TextId, TextId), slices: &[Slice]) -> Self {
        let mut labels = PairTable::default();
        let marker = |slice: &Slice| Marker {
            start: slice.start,
            end: slice.end,
            name: StringId(labels.intern(slice.name, slice.cat)),
            category: CategoryId(0),
            kind: None,
            flags: slice.flags(),
            payload: PayloadRef(slice.event),
            begin: slice.begin().map_or(PayloadRef::NONE, PayloadRef),
            supplement: None,
        };
        let markers = MarkerTable::from_sorted(slices.iter().map(marker));
        let color = |(at, slice): (usize, &Slice)| {
            let cname = if slice.extra == NONE { NONE } else { trace.extra_at(slice.extra).cname };
            let word = if cname == NONE { None } else { colors::for_cname(trace.texts.get(cname)) };
            Some((LocalMarker::new(at), word?))
        };
        let last = markers.end.iter().max();
        Self {
            kind,
            pid,
            tid,
            labels: labels.list,
            range: markers.start.first().zip(last).map(|(start, end)| TimeRange { start: *start, end: *end }),
            groups: Vec::new(),
            events: slices.len() as u64,
            colors: slices.iter().enumerate().filter_map(color).collect(),
            markers,
        }
    }
}

/// The markers of a track, and the flow steps of its flow events and `bind_id`s; `number` is the index of the track.
pub(super) fn build_track(
    trace: &Trace,
    number: u32,
    mut events: EventTrack,
    warnings: &mut Warnings,
) -> (MarkerTrack, Vec<Step>) {
    let count = events.events.len() as u64;
    let slices = slices::build(trace, events.events, warnings);
    let mut steps = flows::bind(trace, number, &mut events.flows, &slices);
    steps.extend(flows::bound_slices(trace, number, &slices));
    (
        MarkerTrack {
            events: count,
            ..MarkerTrack::from_slices(trace, (events.kind, events.pid, events.tid), &slices)
        },
        steps,
    )
}

/// Id and name of a group of async slices.
#[derive(Clone, Copy, Debug)]
pub(super) struct AsyncGroupLabel {
    /// Byte offset of its id; `None` without an id.
    pub(super) id: Option<u64>,
    /// The name of its first slice.
    pub(super) name: TextId,
}

/// One track of async slices per process, with indexes from `first` on; their flow steps; and the labels of the groups.
pub(super) fn build_async_tracks(
    trace: &Trace,
    first: u32,
    groups: Vec<AsyncGroup>,
) -> (Vec<MarkerTrack>, Vec<Step>, Vec<AsyncGroupLabel>) {
    let mut tracks: Vec<(TextId, Vec<(Slice, u32)>)> = Vec::new();
    let mut by_process: HashMap<TextId, usize> = HashMap::default();
    let mut names = Vec::with_capacity(groups.len());
    for (number, group) in (0_u32..).zip(groups) {
        let at = *by_process.entry(group.pid).or_insert_with(|| {
            tracks.push((group.pid, Vec::new()));
            tracks.len() - 1
        });
        let id = (group.id.kind() != IdKind::None).then(|| group.id.offset());
        names.push(AsyncGroupLabel { id, name: group.slices.first().map_or(NONE, |slice| slice.name) });
        tracks[at].1.extend(group.slices.into_iter().map(|slice| (slice, number)));
    }
    let track = |(number, (pid, mut slices)): (u32, (TextId, Vec<(Slice, u32)>))| {
        slices.sort_unstable_by_key(|(slice, _)| slice.order());
        let (slices, groups): (Vec<Slice>, Vec<u32>) = slices.into_iter().unzip();
        let steps: Vec<Step> = flows::bound_slices(trace, number, &slices).collect();
        (MarkerTrack { groups, ..MarkerTrack::from_slices(trace, (TrackKind::Async, pid, NONE), &slices) }, steps)
    };
    let numbered: Vec<_> = (first..).zip(tracks).collect();
    let built: Vec<(MarkerTrack, Vec<Step>)> = numbered.into_par_iter().map(track).collect();
    let (mut tracks, mut steps) = (Vec::new(), Vec::new());
    for (track, found) in built {
        tracks.push(track);
        steps.extend(found);
    }
    (tracks, steps, names)
}

/// The locations of the markers of groups, group by group.
#[derive(Debug)]
pub(super) struct GroupMembers {
    /// End of each group in `locations`.
    ends: Vec<u32>,
    locations: Vec<StepLocation>,
}

impl GroupMembers {
    /// Of `groups` groups on async tracks, whose indexes begin at `first`.
    pub(super) fn from_tracks(tracks: &[MarkerTrack], first: u32, groups: usize) -> Self {
        // Counting sort: `ends` first holds the start of each group, and is advanced to its end.
        let mut ends = vec![0_u32; groups];
        tracks.iter().flat_map(|track| &track.groups).for_each(|group| ends[*group as usize] += 1);
        let mut before = 0;
        for end in &mut ends {
            before += std::mem::replace(end, before);
        }
        let mut locations = vec![StepLocation { time: Ns(0), track: NONE, slice: NONE }; before as usize];
        for (number, track) in (first..).zip(tracks) {
            for ((at, group), start) in (0_u32..).zip(&track.groups).zip(&track.markers.start) {
                let end = &mut ends[*group as usize];
                locations[*end as usize] = StepLocation { time: *start, track: number, slice: at };
                *end += 1;
            }
        }
        Self { ends, locations }
    }

    /// The number of members of all groups.
    pub(super) fn len(&self) -> usize {
        self.locations.len()
    }

    /// The members of each group.
    pub(super) fn groups(&self) -> impl Iterator<Item = &[StepLocation]> {
        let mut rest = self.locations.as_slice();
        let mut before = 0;
        self.ends.iter().map(move |end| {
            let (own, others) = rest.split_at((end - before) as usize);
            (before, rest) = (*end, others);
            own
        })
    }
}
