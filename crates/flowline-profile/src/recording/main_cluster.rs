//! Clusters: parts of a recording separated by gaps without markers. If a file mixes two clocks, or contains a few
//! events from another day, nearly all of its markers are in a small part of its time range.

use crate::persist::persist;
use flowline_format::{Ns, TimeRange};

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
    #[inline]
    pub fn committed(&self) -> TimeRange {
        TimeRange { start: self.range.start, end: self.range.end + Ns(1) }
    }
}
