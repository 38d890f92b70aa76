//! Markers that a Firefox schema places beside the chart and the table, derived on first use: in the heading of their thread,
//! at the memory counter of their process, or on a lane of messages or of file accesses below their thread.
//!
//! As in the Firefox Profiler, markers about memory are in the heading of their thread if the process has no memory
//! counter; a memory counter shows those of the main thread. The markers stay in the rows of their threads, too.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::{Derived, Index, RowMarkers, ThreadLayout, touching};
use flowline_profile::{
    CounterId, LocalMarker, MarkerSurface, ProcessId, Profile, Schema, Thread, ThreadId, parallel_chunk_size,
};

/// Where a lane is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LanePlace {
    /// In the heading of the thread.
    Heading,
    /// Above the values of a counter.
    Counter(CounterId),
    /// On a row of messages below the thread.
    Messages,
    /// On a row of file accesses below the thread.
    Files,
}

/// The surfaces with lanes; each is a bit of a set.
const SURFACES: [MarkerSurface; 4] =
    [MarkerSurface::Overview, MarkerSurface::Memory, MarkerSurface::Ipc, MarkerSurface::FileIo];
const OVERVIEW: u8 = 1;
const MEMORY: u8 = 2;
const MESSAGES: u8 = 4;
const FILES: u8 = 8;

/// The surfaces of each payload type.
#[derive(Debug, Default)]
struct SurfaceTypes(Vec<u8>);

impl SurfaceTypes {
    fn new(profile: &Profile) -> Self {
        let bits = |schema: &Schema| {
            let is_shown = |(bit, surface): (u8, MarkerSurface)| u8::from(schema.is_shown_in(surface)) << bit;
            (0..).zip(SURFACES).map(is_shown).sum()
        };
        Self(profile.types.iter().map(|(id, _)| profile.types.schema(id).map_or(0, bits)).collect())
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|bits| *bits == 0)
    }

    fn of(&self, thread: &Thread, marker: LocalMarker) -> u8 {
        thread.markers.kind(marker).and_then(|kind| self.0.get(kind.index())).copied().unwrap_or(0)
    }
}

/// The markers of a thread at a place.
#[derive(Debug)]
pub struct SurfaceLane {
    /// The thread of the markers.
    pub thread: ThreadId,
    /// Where they are shown.
    pub place: LanePlace,
    /// Number of markers.
    pub count: u32,
    /// The surfaces of the markers.
    surfaces: u8,
    /// The long markers, and the others to draw over them.
    layout: ThreadLayout,
}

impl SurfaceLane {
    /// The rows that are drawn over each other.
    #[must_use]
    #[inline]
    pub const fn layout(&self) -> &ThreadLayout {
        &self.layout
    }

    /// The markers of a row of the layout.
    #[must_use]
    pub fn items<'a>(&'a self, index: &'a Index, row: usize) -> RowMarkers<'a> {
        self.layout.items(index.source(), index.profile().thread(self.thread), row)
    }

    /// True if the lane has a marker in a closed range of ticks.
    #[must_use]
    pub fn touches(&self, index: &Index, (from, to): (u64, u64)) -> bool {
        (0..self.layout.rows.len()).any(|row| !touching(&self.items(index, row), from, to).is_empty())
    }
}

/// The lanes of a recording.
#[derive(Debug, Default)]
pub struct MarkerSurfaces {
    types: SurfaceTypes,
    lanes: Vec<SurfaceLane>,
    headings: BTreeMap<ThreadId, u32>,
    counters: BTreeMap<CounterId, u32>,
    rows: BTreeMap<ThreadId, Vec<u32>>,
}

impl MarkerSurfaces {
    /// True if a recording may have lanes. This is fast.
    #[must_use]
    pub fn may_exist(profile: &Profile) -> bool {
        !SurfaceTypes::new(profile).is_empty()
    }

    /// True if there are no lanes.
    #[must_use]
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.lanes.is_empty()
    }

    /// A lane by its number.
    #[must_use]
    #[inline]
    pub fn lane(&self, number: u32) -> Option<&SurfaceLane> {
        self.lanes.get(number as usize)
    }

    /// All lanes with their numbers.
    pub fn lanes(&self) -> impl Iterator<Item = (u32, &SurfaceLane)> {
        (0..).zip(&self.lanes)
    }

    /// The lane in the heading of a thread.
    #[must_use]
    pub fn of_heading(&self, thread: ThreadId) -> Option<u32> {
        self.headings.get(&thread).copied()
    }

    /// The lane above the values of a counter.
    #[must_use]
    pub fn of_counter(&self, counter: CounterId) -> Option<u32> {
        self.counters.get(&counter).copied()
    }

    /// The lanes below a thread.
    #[must_use]
    pub fn below(&self, thread: ThreadId) -> &[u32] {
        self.rows.get(&thread).map_or(&[], Vec::as_slice)
    }

    /// True if a marker of the thread of a lane is on the lane.
    #[must_use]
    pub fn has(&self, lane: &SurfaceLane, thread: &Thread, marker: LocalMarker) -> bool {
        self.types.of(thread, marker) & lane.surfaces != 0
    }

    /// The markers of a lane in start order, also those that others cover.
    pub fn markers<'a>(&'a self, lane: &'a SurfaceLane, thread: &'a Thread) -> impl Iterator<Item = LocalMarker> {
        (0..thread.markers.len()).map(LocalMarker::new).filter(|marker| self.has(lane, thread, *marker))
    }
}

/// The first memory counter of each process.
fn memory_counters(profile: &Profile) -> BTreeMap<ProcessId, CounterId> {
    let mut found = BTreeMap::new();
    for (number, counter) in profile.counters.iter().enumerate() {
        if let Some(process) = counter.process.filter(|_| counter.category == "Memory") {
            found.entry(process).or_insert(CounterId::new(number));
        }
    }
    found
}

impl Derived for MarkerSurfaces {
    fn derive(index: &Index) -> Self {
        let profile = index.profile();
        let types = SurfaceTypes::new(profile);
        if types.is_empty() {
            return Self::default();
        }
        let counters = memory_counters(profile);
        let mut main_threads: BTreeMap<ProcessId, ThreadId> = BTreeMap::new();
        for (id, thread) in profile.threads_with_ids().filter(|(_, thread)| thread.is_main) {
            main_threads.entry(thread.process).or_insert(id);
        }
        let lanes_of = |(id, thread): &(ThreadId, &Thread)| {
            let counter = counters.get(&thread.process).copied();
            let is_main = main_threads.get(&thread.process) == Some(id);
            let places = [
                (Some(LanePlace::Heading), if counter.is_some() { OVERVIEW } else { OVERVIEW | MEMORY }),
                (counter.filter(|_| is_main).map(LanePlace::Counter), MEMORY),
                (Some(LanePlace::Messages), MESSAGES),
                (Some(LanePlace::Files), FILES),
            ];
            let mut markers: [Vec<LocalMarker>; 4] = Default::default();
            for marker in (0..thread.markers.len()).map(LocalMarker::new) {
                let bits = types.of(thread, marker);
                for ((place, surfaces), markers) in places.iter().zip(&mut markers) {
                    if bits & surfaces != 0 && place.is_some() {
                        markers.push(marker);
                    }
                }
            }
            let lane = |((place, surfaces), markers): ((Option<LanePlace>, u8), Vec<LocalMarker>)| {
                let place = place.filter(|_| !markers.is_empty())?;
                let count = u32::try_from(markers.len()).unwrap_or(u32::MAX);
                Some(SurfaceLane { thread: *id, place, count, surfaces, layout: index.summary_of(*id, &markers) })
            };
            places.into_iter().zip(markers).filter_map(lane).collect::<Vec<SurfaceLane>>()
        };
        let threads: Vec<(ThreadId, &Thread)> = profile.threads_with_ids().collect();
        let length = parallel_chunk_size(threads.len());
        let lanes: Vec<Vec<SurfaceLane>> = threads.par_iter().with_max_len(length).map(lanes_of).collect();
        let mut surfaces = Self { types, lanes: lanes.into_iter().flatten().collect(), ..Self::default() };
        for (number, lane) in (0..).zip(&surfaces.lanes) {
            match lane.place {
                LanePlace::Heading => _ = surfaces.headings.insert(lane.thread, number),
                LanePlace::Counter(counter) => _ = surfaces.counters.insert(counter, number),
                LanePlace::Messages | LanePlace::Files => surfaces.rows.entry(lane.thread).or_default().push(number),
            }
        }
        surfaces
    }
}
