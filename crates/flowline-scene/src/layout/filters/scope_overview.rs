//! The parts of a scope that the overview shows.

use super::scope::Scope;
use super::scope_key::ScopeKey;
use flowline_index::{Activity, Index};
use flowline_insights::overview::OverviewLanes;
use flowline_profile::TimeRange;

impl Scope {
    /// The range of the overview: the whole extent of the axis; in a recording of several clusters of times, the main
    /// cluster while the view is limited to it.
    #[must_use]
    pub fn overview(&self, index: &Index) -> TimeRange {
        let cluster = index.profile().main_cluster().map(|cluster| cluster.committed());
        let is_within = |outer: &TimeRange, inner: TimeRange| outer.start <= inner.start && inner.end <= outer.end;
        let cluster = self.committed.and_then(|committed| cluster.filter(|outer| is_within(outer, committed)));
        cluster.or(self.extent).unwrap_or(index.extent())
    }

    /// The range of the lanes of the overview: that of the overview, without the other recording's times.
    #[must_use]
    pub fn lane_range(&self, index: &Index) -> TimeRange {
        self.overview(index).within(index.extent())
    }

    /// Identifies the tracks of the scope.
    #[must_use]
    pub fn track_key(&self) -> ScopeKey {
        ScopeKey { range: None, search: None, ..self.key() }
    }

    /// Identifies the hidden tracks, the only part of the scope that the lanes of the overview depend on beside their range.
    #[must_use]
    pub fn lane_key(&self) -> ScopeKey {
        ScopeKey { hidden: self.key().hidden, ..ScopeKey::default() }
    }

    /// The lanes of the overview, once they have been computed.
    #[must_use]
    pub fn lanes(&self) -> Option<&OverviewLanes> {
        self.lanes.as_deref()
    }

    /// The number of markers over time, and true if it belongs to this scope and not to an older or wider one.
    #[must_use]
    pub fn activity<'a>(&'a self, index: &'a Index) -> (&'a Activity, bool) {
        let key = self.without_selection().key();
        match &self.activity {
            _ if key == ScopeKey::default() => (index.activity(), true),
            Some(narrowed) => (&narrowed.activity, narrowed.key == key),
            None => (index.activity(), false),
        }
    }
}
