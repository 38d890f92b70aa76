//! Derives the insights on the pool once somebody asks for them.

use std::sync::Arc;

use super::report::InsightReport;
use crate::tasks::{Job, OnDemand, PoolTask, Wake};
use flowline_index::Index;
use flowline_profile::TabId;

/// The report of an open recording.
pub(crate) struct ReportTask(OnDemand<Option<TabId>, InsightReport>);

impl ReportTask {
    /// `wake` is called when the report is available.
    pub(crate) fn new(wake: &Wake) -> Self {
        Self(OnDemand::new(wake, 1))
    }

    /// The report, or that of a tab; `None` while it is derived.
    pub(crate) fn get(&self, index: &Arc<Index>, tab: Option<TabId>) -> Option<Arc<InsightReport>> {
        let own = Arc::clone(index);
        self.0.get(tab, move |_| InsightReport::build(&own, tab))
    }
}

impl Job for ReportTask {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        vec![&self.0]
    }

    fn poll(&mut self, _index: &Arc<Index>) {}
}
