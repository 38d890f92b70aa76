//! Finds the main cluster of a trace that does not name it.
//!
//! Programs pause for seconds or minutes, so a gap that is only long relative to the recording is no evidence of
//! another clock. Times since boot, times since 1970, and times since a program started differ by hours to decades.

use rayon::prelude::*;

use flowline_profile::{
    LocalMarker, MainCluster, MarkerFlags, Ns, Profile, StringId, Thread, TimeRange, parallel_chunk_size,
};

/// A gap is at least 1/`PART` of the recording, and the main cluster is shorter than that.
const PART: i64 = 50;
/// Minimum gap between two clocks: two hours.
const MIN_GAP: Ns = Ns(2 * 3600 * 1_000_000_000);

/// A stretch without a gap, and the number of markers that start in it.
#[derive(Clone, Copy)]
pub(in crate::trace_events) struct Stretch {
    range: TimeRange,
    markers: u64,
}

impl Stretch {
    pub(in crate::trace_events) const fn of_marker(range: TimeRange) -> Self {
        Self { range, markers: 1 }
    }

    const fn of_sample(time: Ns) -> Self {
        Self { range: TimeRange { start: time, end: time }, markers: 0 }
    }
}

/// The clusters of a recording, in time order.
pub(in crate::trace_events) struct Clusters {
    list: Vec<Stretch>,
    /// The main cluster is shorter, in nanoseconds.
    max_main: i64,
    /// Number of all markers.
    markers: u64,
}

impl Clusters {
    /// Joins stretches of a recording into clusters.
    pub(in crate::trace_events) fn new(recording: TimeRange, mut stretches: Vec<Stretch>) -> Self {
        stretches.sort_unstable_by_key(|stretch| stretch.range.start);
        let list = min_gap(recording).map_or_else(Vec::new, |gap| join(stretches.into_iter(), gap));
        let markers = list.iter().map(|cluster| cluster.markers).sum();
        Self { list, max_main: recording.len() / PART, markers }
    }

    /// Iterates over the short clusters with more than one in `share` markers.
    fn short_with(&self, share: u64) -> impl Iterator<Item = &Stretch> {
        let is_short = |cluster: &&Stretch| cluster.range.len() < self.max_main;
        self.list.iter().filter(is_short).filter(move |cluster| cluster.markers > self.markers / share)
    }

    /// Returns the cluster with more than half of the markers, if it is a small part of the recording.
    fn main(&self) -> Option<MainCluster> {
        let largest = self.short_with(2).next()?;
        Some(MainCluster { range: largest.range, outside: self.markers - largest.markers })
    }

    /// Returns true if a main cluster is possible with slightly different marker counts.
    pub(in crate::trace_events) fn could_have_main(&self) -> bool {
        self.short_with(3).next().is_some()
    }
}

/// Returns the main cluster of a recording.
///
/// Everything that covers time counts: markers with their full duration, and samples of counters and threads. Nearly
/// all recordings have no main cluster.
pub(in crate::trace_events) fn main_cluster(profile: &Profile) -> Option<MainCluster> {
    let whole = profile.meta.range;
    let gap = min_gap(whole)?;
    let of_thread = |thread: &Thread| join(thread.markers.times().ranges().map(Stretch::of_marker), gap);
    let threads = profile.threads.par_iter().with_max_len(parallel_chunk_size(profile.threads.len()));
    let mut stretches: Vec<Stretch> = threads.flat_map_iter(of_thread).collect();
    for series in profile.counters.iter().flat_map(|counter| &counter.series) {
        stretches.extend(join(series.samples.iter().map(|sample| Stretch::of_sample(sample.time)), gap));
    }
    for thread in &profile.threads {
        let times = thread.samples.iter().flat_map(|samples| &samples.cpu.time);
        stretches.extend(join(times.map(|time| Stretch::of_sample(*time)), gap));
    }
    Clusters::new(whole, stretches).main()
}

/// Counts slices that outlast everything around them by far, and returns the name of the first one: a slice longer than
/// [`PART`] times the span in which all events begin, and than [`MIN_GAP`], has a wrong duration if most slices are
/// shorter. Slices without an end do not count.
pub(in crate::trace_events) fn extreme_durations(profile: &Profile) -> Option<(u64, StringId)> {
    min_gap(profile.meta.range)?;
    let of_thread = |thread: &Thread| {
        let times = thread.markers.times();
        let (first, last) = (times.ranges().next()?, times.ranges().next_back()?);
        Some(TimeRange { start: first.start, end: last.start })
    };
    let begins = profile.threads.iter().filter_map(of_thread).reduce(TimeRange::union)?;
    let limit = MIN_GAP.0.max(begins.len().saturating_mul(PART));
    let (mut count, mut all, mut first) = (0, 0, None);
    for thread in &profile.threads {
        let markers = &thread.markers;
        all += markers.len() as u64;
        for (marker, range) in (0..).map(LocalMarker).zip(markers.times().ranges()) {
            if range.len() > limit && !markers.flags(marker).has(MarkerFlags::INCOMPLETE) {
                count += 1;
                first = first.or_else(|| Some(markers.name(marker)));
            }
        }
    }
    first.filter(|_| count * 2 < all).map(|name| (count, name))
}

/// Returns the minimum gap between clusters in nanoseconds; `None` if the recording is too short to have one.
fn min_gap(recording: TimeRange) -> Option<i64> {
    (recording.len() >= MIN_GAP.0).then(|| MIN_GAP.0.max(recording.len() / PART))
}

/// Joins stretches, sorted by start, whose distance is less than a gap.
fn join(stretches: impl Iterator<Item = Stretch>, gap: i64) -> Vec<Stretch> {
    let mut joined: Vec<Stretch> = Vec::new();
    for stretch in stretches {
        match joined.last_mut() {
            Some(last) if (stretch.range.start - last.range.end).0 < gap => {
                last.range.end = last.range.end.max(stretch.range.end);
                last.markers += stretch.markers;
            }
            _ => joined.push(stretch),
        }
    }
    joined
}
