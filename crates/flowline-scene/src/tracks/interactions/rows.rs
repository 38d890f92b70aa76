//! The interactions of each process in rows: each on the first row that is free at its start. Nested interactions have no
//! place.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use crate::tracks::timed_row::TimedEntry;
use flowline_index::{Derived, Index, Packed, Style};
use flowline_insights::interactions::{Interaction, Interactions};
use flowline_insights::page_load::PageId;
use flowline_profile::{Ns, ProcessId, TimeRange};

/// Key of the kind.
pub(super) const KEY: &str = "interactions";

/// The track of a process.
#[derive(Clone, Debug, Default)]
pub(super) struct InteractionTrack {
    pub(super) rows: Vec<Vec<TimedEntry>>,
    /// Interaction to next paint: the slowest among the navigations or windows with interactions in this process.
    pub(super) inp: Option<Ns>,
}

impl InteractionTrack {
    /// Number of interactions.
    pub(super) fn len(&self) -> usize {
        self.rows.iter().map(Vec::len).sum()
    }

    /// The positions of its interactions.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u32> {
        self.rows.iter().flatten().map(|entry| entry.number)
    }
}

/// The tracks of all processes.
#[derive(Clone, Debug, Default)]
pub(super) struct InteractionRows {
    tracks: BTreeMap<ProcessId, InteractionTrack>,
    /// Process and row of each interaction that has a place.
    places: BTreeMap<u32, (ProcessId, u32)>,
}

impl InteractionRows {
    pub(super) fn track(&self, process: ProcessId) -> Option<&InteractionTrack> {
        self.tracks.get(&process)
    }

    pub(super) fn tracks(&self) -> impl Iterator<Item = (ProcessId, &InteractionTrack)> {
        self.tracks.iter().map(|(process, track)| (*process, track))
    }

    pub(super) fn place(&self, number: u32) -> Option<(ProcessId, u32)> {
        self.places.get(&number).copied()
    }
}

/// The interactions with the tracks, if both are built.
pub(super) fn built(index: &Index) -> Option<(&Interactions, &InteractionRows)> {
    Interactions::if_built(index).zip(InteractionRows::if_built(index))
}

/// The time that an interaction takes on its row: without a known paint, up to the end of its handlers.
pub(super) fn times(own: &Interaction) -> TimeRange {
    TimeRange { start: own.start, end: own.end.unwrap_or(own.processing_end).max(own.processing_end) }
}

/// Gives out rows: the first one that is free at a time. Times must not decrease.
#[derive(Default)]
struct FreeRows {
    busy: BinaryHeap<Reverse<(u64, u32)>>,
    free: BTreeSet<u32>,
    count: u32,
}

impl FreeRows {
    fn take(&mut self, packed: Packed) -> u32 {
        while let Some(Reverse((end, row))) = self.busy.peek().copied().filter(|own| own.0.0 <= packed.start()) {
            self.busy.pop();
            debug_assert!(end <= packed.start(), "only free rows");
            self.free.insert(row);
        }
        let row = self.free.pop_first().unwrap_or_else(|| {
            self.count += 1;
            self.count - 1
        });
        // Entries without a length also take a tick, so that none share their place.
        self.busy.push(Reverse((packed.end().max(packed.start() + 1), row)));
        row
    }
}

impl Derived for InteractionRows {
    fn derive(index: &Index) -> Self {
        let (profile, clock) = (index.profile(), index.clock());
        let all = Interactions::of(index);
        let (mut built, mut free): (Self, BTreeMap<ProcessId, FreeRows>) = (Self::default(), BTreeMap::new());
        for (number, own) in (0_u32..).zip(all.list()).filter(|(_, own)| !own.is_nested) {
            let process = profile.thread(own.thread).process;
            let times = times(own);
            let packed = Packed::new(clock.tick(times.start), clock.tick(times.end), Style::default());
            let row = free.entry(process).or_default().take(packed);
            let track = built.tracks.entry(process).or_default();
            if row as usize == track.rows.len() {
                track.rows.push(Vec::new());
            }
            track.rows[row as usize].push(TimedEntry { number, packed });
            built.places.insert(number, (process, row));
        }
        for own in slowest(all) {
            let track = built.tracks.get_mut(&profile.thread(own.thread).process);
            if let Some(track) = track {
                track.inp = track.inp.max(own.length());
            }
        }
        built
    }
}

/// The interactions that stand for their navigation or window.
fn slowest(all: &Interactions) -> Vec<&Interaction> {
    let navigations: BTreeSet<Option<u32>> = all.list().iter().map(|own| own.navigation).collect();
    let windows: BTreeSet<i64> = all
        .list()
        .iter()
        .filter_map(|own| match own.page {
            PageId::Window(window) => Some(window),
            _ => None,
        })
        .collect();
    let of_windows = windows.into_iter().filter_map(|window| all.inp_of_window(window));
    navigations.into_iter().filter_map(|navigation| all.inp(navigation)).chain(of_windows).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_takes_the_first_row_that_is_free() {
        let mut rows = FreeRows::default();
        let ranges = [(0, 10), (5, 20), (10, 12), (11, 30), (20, 25), (25, 25), (25, 26)];
        let taken = ranges.map(|(start, end)| rows.take(Packed::new(start, end, Style::default())));
        assert_eq!(taken, [0, 1, 0, 2, 0, 0, 1]);
    }
}
