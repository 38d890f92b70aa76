//! The ranges and the clock that a recording is first shown with.

use super::main_cluster::MainCluster;
use super::profile::Profile;
use flowline_format::{DisplayClock, Ns, TimeRange};

impl Profile {
    /// The cluster with the most markers, if the recording has several clusters and this one is short.
    #[must_use]
    #[inline]
    pub fn main_cluster(&self) -> Option<MainCluster> {
        Some(self.meta.main_cluster).filter(|cluster| cluster.outside > 0)
    }

    /// The range to show first: the main cluster or, without one, the whole recording. Empty if the range is unknown.
    #[must_use]
    #[inline]
    pub fn first_view(&self) -> TimeRange {
        self.main_cluster().map_or(self.meta.range, |cluster| cluster.range.with_margin())
    }

    /// The default time origin: the start of the main cluster or, without one, of the recording.
    #[must_use]
    #[inline]
    pub fn time_zero(&self) -> Ns {
        self.main_cluster().map_or(self.meta.range, |cluster| cluster.range).start
    }

    /// The recording's own clock: zero at [`Profile::time_zero`]. Options, flow names and files use it; windows may show
    /// another one.
    #[must_use]
    #[inline]
    pub fn clock(&self) -> DisplayClock {
        DisplayClock::starting_at(self.time_zero()).with_unit(self.meta.capabilities.axis)
    }
}
