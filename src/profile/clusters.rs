//! Clusters: parts of a recording that gaps without markers separate. A file with two clocks, or with a few events of another
//! day, has all else in a small part of its time.

use rayon::prelude::*;

use super::grain::max_job_len;
use super::persist::persist;
use super::time::{Ns, TimeRange};
use super::{Profile, Thread};

/// A gap is at least this part (one in so many) of the recording, and the main cluster is shorter than that.
const PART: i64 = 50;

/// The cluster with most of a recording's markers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MainCluster {
    /// From the first start to the last end in it.
    pub range: TimeRange,
    /// Number of markers in other clusters.
    pub outside: u64,
}
persist!(MainCluster { range, outside });

/// A stretch without a gap, and the number of markers that begin in it.
#[derive(Clone, Copy)]
struct Stretch {
    range: TimeRange,
    markers: u64,
}

/// The cluster with more than half of the markers, if it is a small part of `whole`.
///
/// Everything that covers time counts: markers with their whole lengths, and samples of counters. Recordings without such a
/// cluster, which are nearly all, have none.
pub(super) fn main_cluster(profile: &Profile, whole: TimeRange) -> Option<MainCluster> {
    let gap = whole.len() / PART;
    if gap == 0 {
        return None;
    }
    let of_thread = |thread: &Thread| {
        let times = thread.markers.start.iter().zip(&thread.markers.end);
        join(times.map(|(start, end)| Stretch { range: TimeRange { start: *start, end: *end }, markers: 1 }), gap)
    };
    let threads = profile.threads.par_iter().with_max_len(max_job_len(profile.threads.len()));
    let mut stretches: Vec<Stretch> = threads.flat_map_iter(of_thread).collect();
    for series in profile.counters.iter().flat_map(|counter| &counter.series) {
        let points = series.samples.iter().map(|sample| TimeRange { start: sample.time, end: sample.time });
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

impl TimeRange {
    /// The range with a fiftieth of its length on either side, at least a microsecond.
    fn with_margin(self) -> Self {
        let margin = Ns((self.len() / 50).max(1_000));
        Self { start: self.start - margin, end: self.end + margin }
    }
}

impl Profile {
    /// Looks for the main cluster of a recording whose range is not stated but found.
    pub(crate) fn find_main_cluster(&mut self) {
        self.meta.main_cluster = main_cluster(self, self.meta.range).unwrap_or_default();
    }

    /// The cluster with most markers, if the recording has several and this one is small.
    #[must_use]
    pub fn main_cluster(&self) -> Option<MainCluster> {
        Some(self.meta.main_cluster).filter(|cluster| cluster.outside > 0)
    }

    /// The range to show first: the main cluster or else the whole recording. Empty if no range is known.
    #[must_use]
    pub fn first_view(&self) -> TimeRange {
        self.main_cluster().map_or(self.meta.range, |cluster| cluster.range.with_margin())
    }

    /// The time at which the displayed clock is zero: the start of the main cluster or else of the recording.
    #[must_use]
    pub fn time_zero(&self) -> Ns {
        self.main_cluster().map_or(self.meta.range, |cluster| cluster.range).start
    }

    /// A point in time on the displayed clock.
    #[must_use]
    pub fn displayed(&self, time: Ns) -> Ns {
        time - self.time_zero()
    }
}
