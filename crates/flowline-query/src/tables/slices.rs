//! `slice`: all slices, track by track in start order, read from the columns of the index.

use std::ops::Range;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Int64Array};
use datafusion::error::Result;
use flowline_index::statistics::has_cpu_times;
use flowline_profile::{LocalMarker, MarkerFlags, Ns, Thread, ThreadId};

use super::bounds::Bounds;
use super::rows::Rows;
use crate::recording::{Recording, constant};
use crate::schema::{SLICE, TableSpec};

/// The slices of a recording. Units are slices.
#[derive(Debug)]
pub(crate) struct Slices {
    recording: Arc<Recording>,
    /// The thread that each track belongs to.
    owners: Vec<Option<ThreadId>>,
    has_cpu_times: bool,
}

impl Slices {
    pub(crate) fn new(recording: &Arc<Recording>) -> Self {
        let profile = recording.profile();
        let owners = profile.threads_with_ids().map(|(id, _)| recording.thread_of_track(id)).collect();
        Self { owners, has_cpu_times: has_cpu_times(profile), recording: Arc::clone(recording) }
    }

    /// Groups units by track.
    fn by_track<'a>(&'a self, mut units: &'a [u32]) -> impl Iterator<Item = (ThreadId, &'a Thread, &'a [u32])> {
        let profile = self.recording.profile();
        std::iter::from_fn(move || {
            let (track, _) = self.recording.locate(i64::from(*units.first()?))?;
            let thread = profile.thread(track);
            let end = thread.first_marker.0 as usize + thread.markers.len();
            let (own, rest) = units.split_at(units.partition_point(|unit| (*unit as usize) < end));
            units = rest;
            Some((track, thread, own))
        })
    }

    fn integers(
        &self,
        units: &[u32],
        mut of_track: impl FnMut(ThreadId, &Thread, &[u32], &mut Vec<Option<i64>>),
    ) -> ArrayRef {
        let mut values = Vec::with_capacity(units.len());
        for (track, thread, own) in self.by_track(units) {
            of_track(track, thread, own, &mut values);
        }
        Arc::new(Int64Array::from(values))
    }

    fn known(&self, units: &[u32], mut of_track: impl FnMut(ThreadId, &Thread, &[u32], &mut Vec<i64>)) -> ArrayRef {
        let mut values = Vec::with_capacity(units.len());
        for (track, thread, own) in self.by_track(units) {
            of_track(track, thread, own, &mut values);
        }
        Arc::new(Int64Array::from(values))
    }

    fn column(&self, name: &str, units: &[u32]) -> ArrayRef {
        let recording = &*self.recording;
        let profile = recording.profile();
        match name {
            "recording_id" => constant(recording.id(), units.len()),
            "id" => Arc::new(Int64Array::from_iter_values(units.iter().map(|unit| i64::from(*unit)))),
            "ts" => self.known(units, |_, thread, own, values| {
                let times = thread.markers.times();
                values.extend(locals(thread, own).map(|local| times.start(local.index()).0));
            }),
            "dur" => self.integers(units, |_, thread, own, values| {
                let (times, attributes) = (thread.markers.times(), thread.markers.attributes());
                values.extend(locals(thread, own).map(|local| {
                    let range = times.range(local.index());
                    let is_open = attributes.at(local.index()).flags.has(MarkerFlags::INCOMPLETE);
                    (!is_open).then(|| range.end.0.saturating_sub(range.start.0))
                }));
            }),
            "track_id" => self.known(units, |track, _, own, values| {
                values.extend(std::iter::repeat_n(i64::from(track.0), own.len()));
            }),
            "utid" => self.integers(units, |track, _, own, values| {
                let owner = self.owners[track.index()].map(|owner| i64::from(owner.0));
                values.extend(std::iter::repeat_n(owner, own.len()));
            }),
            "category" | "name" => {
                let items = self.by_track(units).flat_map(|(_, thread, own)| {
                    let attributes = thread.markers.attributes();
                    locals(thread, own).map(move |local| attributes.at(local.index()))
                });
                if name == "name" {
                    recording.names().names(items.map(|item| item.name))
                } else {
                    recording.names().categories(items.map(|item| item.category()))
                }
            }
            "depth" => self.integers(units, |track, thread, own, values| {
                let depths = recording.nesting().depths(profile, track);
                values.extend(locals(thread, own).map(|local| depths[local.index()].map(i64::from)));
            }),
            "parent_id" => self.integers(units, |track, thread, own, values| {
                let parents = recording.nesting().parents(profile, track);
                let global = |local: LocalMarker| i64::from(thread.global(local).0);
                values.extend(locals(thread, own).map(|local| parents[local.index()].map(global)));
            }),
            "self_dur" => self.integers(units, |track, thread, own, values| {
                let times = recording.nesting().self_times(profile, track);
                let attributes = thread.markers.attributes();
                values.extend(locals(thread, own).map(|local| {
                    let flags = attributes.at(local.index()).flags;
                    let has_none = flags.has(MarkerFlags::INSTANT) || flags.has(MarkerFlags::INCOMPLETE);
                    (!has_none).then(|| times[local.index()].0)
                }));
            }),
            "thread_dur" => self.integers(units, |track, thread, own, values| {
                let time = |local| profile.cpu_time(track, local).map(|Ns(time)| time);
                values.extend(locals(thread, own).map(|local| if self.has_cpu_times { time(local) } else { None }));
            }),
            "arg_set_id" => self.integers(units, |_, thread, own, values| {
                values.extend(
                    own.iter()
                        .zip(locals(thread, own))
                        .map(|(unit, local)| thread.markers.payload(local).offset().map(|_| i64::from(*unit))),
                );
            }),
            name => unreachable!("no column {name}"),
        }
    }
}

/// The slices of a track with these numbers.
fn locals<'a>(thread: &Thread, own: &'a [u32]) -> impl Iterator<Item = LocalMarker> + 'a {
    let first = thread.first_marker.0;
    own.iter().map(move |unit| LocalMarker(unit - first))
}

/// The ranges of slices whose number, start, track and thread are within the bounds.
pub(crate) fn slice_ranges(
    recording: &Recording,
    (low_id, high_id): (i64, i64),
    bounds: &Bounds,
    owner: impl Fn(ThreadId) -> Option<ThreadId>,
) -> Vec<Range<usize>> {
    let (from, to) = bounds.get("ts");
    let (low_track, high_track) = bounds.get("track_id");
    let threads = bounds.get("utid");
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (track, thread) in recording.profile().threads_with_ids() {
        let number = i64::from(track.0);
        let is_outside = number < low_track || number > high_track;
        let has_other_owner = threads != (i64::MIN, i64::MAX)
            && owner(track).is_none_or(|owner| i64::from(owner.0) < threads.0 || i64::from(owner.0) > threads.1);
        if thread.markers.is_empty() || is_outside || has_other_owner {
            continue;
        }
        let (times, first) = (thread.markers.times(), thread.first_marker.0 as usize);
        let (mut start, mut end) = (0, times.len());
        if from > i64::MIN {
            start = times.partition_point(|time| time.0 < from);
        }
        if to < i64::MAX {
            end = times.partition_point(|time| time.0 <= to);
        }
        let clip = |id: i64| usize::try_from(id.clamp(0, i64::from(u32::MAX) + 1)).unwrap_or(usize::MAX);
        let start = (first + start).max(clip(low_id));
        let end = (first + end).min(clip(high_id.saturating_add(1)));
        match ranges.last_mut() {
            _ if start >= end => {}
            Some(last) if last.end == start => last.end = end,
            _ => ranges.push(start..end),
        }
    }
    ranges
}

impl Rows for Slices {
    fn spec(&self) -> &'static TableSpec {
        SLICE
    }

    fn units(&self) -> usize {
        self.recording.profile().marker_count()
    }

    fn is_cheap(&self, column: usize) -> bool {
        column < SLICE.position("depth") || column == SLICE.position("arg_set_id")
    }

    fn ranges(&self, bounds: &Bounds) -> Vec<Range<usize>> {
        let (low, high) = bounds.get("id");
        let (low_set, high_set) = bounds.get("arg_set_id");
        slice_ranges(&self.recording, (low.max(low_set), high.min(high_set)), bounds, |track| {
            self.owners[track.index()]
        })
    }

    fn read(&self, units: &[u32], columns: &[usize]) -> Result<(Vec<ArrayRef>, usize)> {
        let name = |column: &usize| SLICE.all_columns().nth(*column).expect("a column").name;
        Ok((columns.iter().map(|column| self.column(name(column), units)).collect(), units.len()))
    }
}
