//! The layout shifts of each process, and the clusters that contain some of them.

use std::collections::BTreeMap;

use crate::tracks::timed_row::TimedEntry;
use flowline_index::{Derived, Index, Packed, Style};
use flowline_insights::layout_shifts::LayoutShifts;
use flowline_profile::ProcessId;

/// Key of the kind.
pub(super) const KEY: &str = "layout-shifts";

/// The track of a process.
#[derive(Clone, Debug, Default)]
pub(super) struct ShiftTrack {
    /// Its shifts by time.
    pub(super) shifts: Vec<TimedEntry>,
    /// The clusters with its shifts, by time.
    pub(super) clusters: Vec<TimedEntry>,
}

/// The tracks of all processes.
#[derive(Clone, Debug, Default)]
pub(super) struct ShiftRows(BTreeMap<ProcessId, ShiftTrack>);

impl ShiftRows {
    pub(super) fn track(&self, process: ProcessId) -> Option<&ShiftTrack> {
        self.0.get(&process)
    }

    pub(super) fn tracks(&self) -> impl Iterator<Item = (ProcessId, &ShiftTrack)> {
        self.0.iter().map(|(process, track)| (*process, track))
    }
}

/// The shifts with the tracks, if both are built.
pub(super) fn built(index: &Index) -> Option<(&LayoutShifts, &ShiftRows)> {
    LayoutShifts::if_built(index).zip(ShiftRows::if_built(index))
}

impl Derived for ShiftRows {
    fn derive(index: &Index) -> Self {
        let (profile, clock) = (index.profile(), index.clock());
        let all = LayoutShifts::of(index);
        let mut tracks: BTreeMap<ProcessId, ShiftTrack> = BTreeMap::new();
        let style = Style::default().with_point_end(true);
        for (number, shift) in (0_u32..).zip(all.shifts()) {
            let track = tracks.entry(profile.thread(shift.thread).process).or_default();
            let tick = clock.tick(shift.time);
            track.shifts.push(TimedEntry { number, packed: Packed::new(tick, tick, style) });
            let Some((number, cluster)) = shift.cluster.and_then(|at| Some((at, all.clusters().get(at)?))) else {
                continue;
            };
            let number = u32::try_from(number).unwrap_or(u32::MAX);
            if track.clusters.last().is_none_or(|last| last.number != number) {
                let packed =
                    Packed::new(clock.tick(cluster.times.start), clock.tick(cluster.times.end), Style::default());
                track.clusters.push(TimedEntry { number, packed });
            }
        }
        Self(tracks)
    }
}
