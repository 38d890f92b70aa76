//! The tracks of async slices: one per process, and the tracks that events name themselves.

use foldhash::{HashMap, HashSet};
use rayon::prelude::*;

use super::async_bindings::{AsyncBindings, BindingCandidate, SliceLocations};
use super::async_groups::{AsyncGroup, AsyncGroups};
use crate::trace_events::flows::binding;
use crate::trace_events::flows::flow_steps::{Step, TrackSteps};
use crate::trace_events::text::ids::{IdKind, NONE, TextId};
use crate::trace_events::text::trace::Trace;
use crate::trace_events::tracks::marker_tracks::{MarkerTrack, SMALL_TRACKS};
use crate::trace_events::tracks::slice::Slice;
use flowline_profile::{MarkerTablesBuilder, Ns, StartOrder, TrackKind, Warnings};

/// Id and name of a group of async slices.
#[derive(Clone, Copy, Debug)]
pub(in crate::trace_events) struct AsyncGroupLabel {
    /// Byte offset and hash of its id; `None` without an id that distinguishes operations.
    pub(in crate::trace_events) id: Option<(u64, u64)>,
    /// Name of the first slice.
    pub(in crate::trace_events) name: TextId,
}

/// The tracks of async slices, with their groups and flow steps.
#[derive(Debug)]
pub(in crate::trace_events) struct AsyncTracks {
    pub(in crate::trace_events) tracks: Vec<MarkerTrack>,
    /// Steps of slices with a `bind_id`.
    pub(in crate::trace_events) steps: TrackSteps,
    pub(in crate::trace_events) labels: Vec<AsyncGroupLabel>,
    pub(in crate::trace_events) members: GroupMembers,
    /// The async slices that flow events may bind to.
    pub(in crate::trace_events) async_steps: AsyncBindings,
    pub(in crate::trace_events) warnings: Warnings,
}

impl AsyncTracks {
    /// Builds one track per process and per named track. The track indexes start at `first`.
    pub(in crate::trace_events) fn build(trace: &Trace, first: u32, built: AsyncGroups) -> Self {
        let mut owners: Vec<((TextId, TextId), Vec<u32>)> = Vec::new();
        let mut by_owner: HashMap<(TextId, TextId), usize> = HashMap::default();
        let mut labels = Vec::with_capacity(built.groups.len());
        let constant = ConstantIds::new(&built);
        for (number, group) in (0_u32..).zip(&built.groups) {
            let owner = (group.pid, group.tid);
            let at = *by_owner.entry(owner).or_insert_with(|| {
                owners.push((owner, Vec::new()));
                owners.len() - 1
            });
            // Slices that only share a track are not an operation.
            let has_id = !group.is_object && !matches!(group.id.kind(), IdKind::None | IdKind::Track);
            let is_operation = has_id && !constant.has(&built, group);
            let id = is_operation.then(|| group.id.place());
            labels.push(AsyncGroupLabel { id, name: name_of(&built, group) });
            owners[at].1.push(number);
        }
        let wanted: HashSet<u64> = built.candidates.iter().map(BindingCandidate::slice).collect();
        type Owned = (u32, ((TextId, TextId), Vec<u32>));
        let track = |(number, ((pid, tid), groups)): Owned, tables: &mut MarkerTablesBuilder| {
            let (slices, groups) = in_order(&built, &groups);
            let steps: Vec<Step> = binding::bound_slices(trace, number, &slices).collect();
            let mut places = SliceLocations::default();
            if !wanted.is_empty() {
                let place = |(at, slice): (u32, &Slice)| (slice.offset(), (number, at));
                places.extend((0_u32..).zip(&slices).map(place).filter(|(offset, _)| wanted.contains(offset)));
            }
            let owner = (TrackKind::Async, pid, tid);
            let track = if slices.len() <= MarkerTablesBuilder::MAX_ROWS {
                MarkerTrack::of_few(trace, owner, &slices, tables)
            } else {
                MarkerTrack::from_slices(trace, owner, &slices)
            };
            let event_pairs = slices.iter().map(|slice| built.threads_of(slice)).collect();
            (MarkerTrack { groups, event_pairs, ..track }, steps, places)
        };
        // Most of many tracks are small and share their columns.
        let some_tracks = |some: Vec<Owned>| {
            let mut tables = MarkerTablesBuilder::with_capacity(0);
            let mut built: Vec<_> = some.into_iter().map(|owned| track(owned, &mut tables)).collect();
            let mut tables = tables.finish();
            for (track, ..) in
                built.iter_mut().filter(|(track, ..)| track.groups.len() <= MarkerTablesBuilder::MAX_ROWS)
            {
                track.markers = tables.next().unwrap_or_default();
            }
            built
        };
        let numbered: Vec<_> = (first..).zip(owners).collect();
        let job = (numbered.len() / (rayon::current_num_threads() * 4)).clamp(1, SMALL_TRACKS);
        let mut jobs: Vec<Vec<Owned>> = Vec::new();
        for owned in numbered {
            match jobs.last_mut().filter(|some| some.len() < job) {
                Some(some) => some.push(owned),
                None => jobs.push(vec![owned]),
            }
        }
        let finished: Vec<Vec<(MarkerTrack, Vec<Step>, SliceLocations)>> =
            jobs.into_par_iter().with_max_len(1).map(some_tracks).collect();
        let AsyncGroups { candidates, warnings, .. } = built;
        let (mut tracks, mut steps, mut places) = (Vec::new(), TrackSteps::default(), SliceLocations::default());
        for (track, found, located) in finished.into_iter().flatten() {
            tracks.push(track);
            steps.extend(found);
            places.extend(located);
        }
        let members = GroupMembers::from_tracks(&tracks, first, labels.len());
        Self { tracks, steps, labels, members, async_steps: AsyncBindings::new(candidates, &places), warnings }
    }
}

/// The name of the first slice of a group.
fn name_of(built: &AsyncGroups, group: &AsyncGroup) -> TextId {
    built.slices(group).first().map_or(NONE, |slice| slice.name)
}

/// Ids that do not distinguish operations: one after the other, all operations of a name in a process have the same id.
/// Programs without ids, such as compilers, write a constant.
#[derive(Debug, Default)]
struct ConstantIds {
    /// By process and name, the hash of the only id; `None` if there are several.
    only_id: HashMap<(TextId, TextId), Option<u64>>,
}

impl ConstantIds {
    /// Number of operations of an id from which it may be a constant. Below that, an id may just have been reused.
    const USES: u32 = 3;

    fn new(built: &AsyncGroups) -> Self {
        let mut found = Self::default();
        for group in built.groups.iter().filter(|group| group.uses >= Self::USES) {
            found.only_id.insert((group.pid, name_of(built, group)), Some(group.id.place().1));
        }
        if found.only_id.is_empty() {
            return found;
        }
        for group in &built.groups {
            if let Some(only) = found.only_id.get_mut(&(group.pid, name_of(built, group))) {
                *only = only.filter(|hash| *hash == group.id.place().1);
            }
        }
        found
    }

    fn has(&self, built: &AsyncGroups, group: &AsyncGroup) -> bool {
        let is_only = || self.only_id.get(&(group.pid, name_of(built, group))).is_some_and(Option::is_some);
        group.uses >= Self::USES && is_only()
    }
}

/// Returns the slices of some groups, sorted by [`Slice::order`], and the group of each.
fn in_order(built: &AsyncGroups, groups: &[u32]) -> (Vec<Slice>, Vec<u32>) {
    let own = groups.iter().map(|group| (*group, built.slices(&built.groups[*group as usize])));
    let all: Vec<(&Slice, u32)> =
        own.flat_map(|(group, slices)| slices.iter().map(move |slice| (slice, group))).collect();
    let order = StartOrder::new(all.iter().map(|(slice, _)| slice.start), <[u128]>::sort_unstable);
    let mut order: Vec<(&Slice, u32)> = order.positions().map(|position| all[position]).collect();
    for ties in order.chunk_by_mut(|a, b| a.0.start == b.0.start).filter(|ties| ties.len() > 1) {
        ties.sort_unstable_by_key(|(slice, _)| slice.order());
    }
    order.into_iter().map(|(slice, group)| (*slice, group)).unzip()
}

/// Location of a marker of a group.
#[derive(Clone, Copy, Debug)]
pub(in crate::trace_events) struct MemberLocation {
    /// Start of the marker.
    pub(in crate::trace_events) time: Ns,
    /// Index of the track.
    pub(in crate::trace_events) track: u32,
    /// Index of the slice in the track.
    pub(in crate::trace_events) slice: u32,
}

/// The locations of the markers of groups, group by group.
#[derive(Debug)]
pub(in crate::trace_events) struct GroupMembers {
    /// End of each group in `locations`.
    ends: Vec<u32>,
    locations: Vec<MemberLocation>,
}

impl GroupMembers {
    /// Collects the members of `groups` groups from async tracks, whose indexes start at `first`.
    fn from_tracks(tracks: &[MarkerTrack], first: u32, groups: usize) -> Self {
        // Counting sort: `ends` initially contains the start of each group and advances to its end.
        let mut ends = vec![0_u32; groups];
        tracks.iter().flat_map(|track| &track.groups).for_each(|group| ends[*group as usize] += 1);
        let mut before = 0;
        for end in &mut ends {
            before += std::mem::replace(end, before);
        }
        let mut locations = vec![MemberLocation { time: Ns(0), track: NONE, slice: NONE }; before as usize];
        for (number, track) in (first..).zip(tracks) {
            for ((at, group), start) in (0_u32..).zip(&track.groups).zip(track.markers.times().starts()) {
                let end = &mut ends[*group as usize];
                locations[*end as usize] = MemberLocation { time: start, track: number, slice: at };
                *end += 1;
            }
        }
        Self { ends, locations }
    }

    /// Returns the number of members of all groups.
    pub(in crate::trace_events) fn len(&self) -> usize {
        self.locations.len()
    }

    /// Iterates over the members of each group.
    pub(in crate::trace_events) fn groups(&self) -> impl Iterator<Item = &[MemberLocation]> {
        let mut rest = self.locations.as_slice();
        let mut before = 0;
        self.ends.iter().map(move |end| {
            let (own, others) = rest.split_at((end - before) as usize);
            (before, rest) = (*end, others);
            own
        })
    }
}
