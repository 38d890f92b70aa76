//! Clusters: parts of a recording separated by gaps without markers. If a file mixes two clocks, or contains a few
//! events from another day, nearly all of its markers are in a small part of its time range.

use super::Profile;
use super::persist::persist;
use flowline_format::{DisplayClock, Ns, TimeRange};

/// The cluster with most of the recording's markers. Importers of formats without an explicit range compute it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MainCluster {
    /// From the first start to the last end in the cluster.
    pub range: TimeRange,
    /// Number of markers in other clusters.
    pub outside: u64,
}
persist!(MainCluster { range, outside });

impl MainCluster {
    /// The range to commit when a recording is opened. The end of a committed range is exclusive, so it is one
    /// nanosecond after the last end.
    #[must_use]
    pub fn committed(&self) -> TimeRange {
        TimeRange { start: self.range.start, end: self.range.end + Ns(1) }
    }
}

impl Profile {
    /// The cluster with the most markers, if the recording has several clusters and this one is short.
    #[must_use]
    pub fn main_cluster(&self) -> Option<MainCluster> {
        Some(self.meta.main_cluster).filter(|cluster| cluster.outside > 0)
    }

    /// The range to show first: the main cluster or, without one, the whole recording. Empty if the range is unknown.
    #[must_use]
    pub fn first_view(&self) -> TimeRange {
        self.main_cluster().map_or(self.meta.range, |cluster| cluster.range.with_margin())
    }

    /// The default time origin: the start of the main cluster or, without one, of the recording.
    #[must_use]
    pub fn time_zero(&self) -> Ns {
        self.main_cluster().map_or(self.meta.range, |cluster| cluster.range).start
    }

    /// The recording's own clock: zero at [`Profile::time_zero`]. Options, flow names and files use it; windows may show another one.
    #[must_use]
    pub fn clock(&self) -> DisplayClock {
        DisplayClock::starting_at(self.time_zero())
    }
}
