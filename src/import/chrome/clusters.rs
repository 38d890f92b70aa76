//! Looks for the main cluster of a trace, whose range is not stated.

use rayon::prelude::*;

use crate::profile::{MainCluster, Profile, Thread, TimeRange, max_job_len};

/// A gap is at least this part (one in so many) of the recording, and the main cluster is shorter than that.
const PART: i64 = 50;

/// A stretch without a gap, and the number of markers that begin in it.
#[derive(Clone, Copy)]
struct Stretch {
    range: TimeRange,
    markers: u64,
}

/// The cluster with more than half of the markers, if it is a small part of the recording.
///
/// Everything that covers time counts: markers with their whole lengths, and samples of counters and threads. Recordings without such a
/// cluster, which are nearly all, have none.
pub(super) fn main_cluster(profile: &Profile) -> Option<MainCluster> {
    let whole = profile.meta.range;
    let gap = whole.len() / PART;
    if gap == 0 {
        return None;
    }
    let of_thread =
        |thread: &Thread| join(thread.markers.times().ranges().map(|range| Stretch { range, markers: 1 }), gap);
    let threads = profile.threads.par_iter().with_max_len(max_job_len(profile.threads.len()));
    let mut stretches: Vec<Stretch> = threads.flat_map_iter(of_thread).collect();
    for series in profile.counters.iter().flat_map(|counter| &counter.series) {
        let points = series.samples.iter().map(|sample| TimeRange { start: sample.time, end: sample.time });
        stretches.extend(join(points.map(|range| Stretch { range, markers: 0 }), gap));
    }
    for thread in &profile.threads {
        let times = thread.samples.iter().flat_map(|samples| &samples.cpu.time);
        let points = times.map(|time| TimeRange { start: *time, end: *time });
        stretches.extend(join(points.map(|range| Stretch { range, markers: 0 }), gap));
    }
    stretches.sort_unstable_by_key(|stretch| stretch.range.start);
    let clusters = join(stretches.into_iter(), gap);
    let all: u64 = clusters.iter().map(|cluster| cluster.markers).sum();
    let largest = clusters.into_iter().max_by_key(|cluster| cluster.markers)?;
    let is_main = largest.markers > all / 2 && largest.range.len() < gap;
    is_main.then_some(MainCluster { range: largest.range, outside: all - largest.markers })
}

/// Joins stretches, sorted by start, that less than a gap separates.
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
