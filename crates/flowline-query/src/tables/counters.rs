//! `counter`: samples of counters. Tracks of counters are numbered after those of slices.

use std::ops::Range;

use flowline_profile::{Counter, Profile, Series};

use super::bounds::Bounds;
use super::builders::{Cell, Columns};
use super::listed::Lists;
use crate::recording::Recording;
use crate::schema::{COUNTER, TableSpec};

/// The samples of counters.
#[derive(Debug)]
pub(crate) struct CounterSamples;

/// All series with their counters, in the order of their tracks.
pub(super) fn series(profile: &Profile) -> impl Iterator<Item = (&Counter, &Series)> {
    profile.counters.iter().flat_map(|counter| counter.series.iter().map(move |series| (counter, series)))
}

/// The track of a series.
pub(super) fn series_track(profile: &Profile, series: usize) -> i64 {
    i64::try_from(profile.threads.len() + series).unwrap_or(i64::MAX)
}

fn nth(recording: &Recording, list: usize) -> &Series {
    series(recording.profile()).nth(list).expect("a series of the recording").1
}

/// The part of ascending times within the bounds of `ts`.
pub(super) fn times_within(length: usize, bounds: &Bounds, time: impl Fn(usize) -> i64) -> Range<usize> {
    let (from, to) = bounds.get("ts");
    let first = |is_before: &dyn Fn(i64) -> bool| {
        let (mut low, mut high) = (0, length);
        while low < high {
            let middle = low.midpoint(high);
            if is_before(time(middle)) { low = middle + 1 } else { high = middle }
        }
        low
    };
    let start = first(&|time| time < from);
    start..first(&|time| time <= to).max(start)
}

impl Lists for CounterSamples {
    const SPEC: &'static TableSpec = COUNTER;

    fn lengths(recording: &Recording) -> Vec<usize> {
        series(recording.profile()).map(|(_, series)| series.samples.len()).collect()
    }

    fn part(recording: &Recording, list: usize, length: usize, bounds: &Bounds) -> Range<usize> {
        let (low, high) = bounds.get("track_id");
        if !(low..=high).contains(&series_track(recording.profile(), list)) {
            return 0..0;
        }
        let samples = &nth(recording, list).samples;
        times_within(length, bounds, |at| samples[at].time.0)
    }

    fn push(recording: &Recording, list: usize, rows: &mut dyn Iterator<Item = usize>, to: &mut Columns) {
        let track = series_track(recording.profile(), list);
        let samples = &nth(recording, list).samples;
        for row in rows {
            let sample = samples[row];
            to.push(&[recording.id().into(), track.into(), sample.time.0.into(), Cell::Real(sample.value)]);
        }
    }
}
