//! Clusters: parts of a recording that gaps without markers separate. A file with two clocks, or with a few events of another
//! day, has all else in a small part of its time.

use super::Profile;
use super::persist::persist;
use flowline_format::{Ns, TimeRange};

/// The cluster with most of a recording's markers. Importers of formats that do not state a range look for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MainCluster {
    /// From the first start to the last end in it.
    pub range: TimeRange,
    /// Number of markers in other clusters.
    pub outside: u64,
}
persist!(MainCluster { range, outside });

impl MainCluster {
    /// The range as it is committed when a recording is opened. The end of a committed range does not belong to it, so it ends
    /// a nanosecond after the last end.
    #[must_use]
    pub fn committed(&self) -> TimeRange {
        TimeRange { start: self.range.start, end: self.range.end + Ns(1) }
    }
}

impl Profile {
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
}
