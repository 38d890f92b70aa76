//! Derives the insights on the pool once somebody asks for them.

use std::sync::Arc;

use super::report::InsightReport;
use crate::tasks::{Job, PoolTask, Task, Wake};
use flowline_index::{Index, IndexId};

/// The report of an open recording.
pub(crate) struct ReportTask {
    task: Task<IndexId, InsightReport>,
    report: Option<Arc<InsightReport>>,
}

impl ReportTask {
    /// `wake` is called when the report is available.
    pub(crate) fn new(wake: &Wake) -> Self {
        Self { task: Task::new(Arc::clone(wake)), report: None }
    }

    /// Starts to derive the insights, unless that has been done.
    pub(crate) fn start(&mut self, index: &Arc<Index>) {
        if !self.task.is_for(&index.id()) {
            let own = Arc::clone(index);
            self.task.replace(index.id(), move |_| InsightReport::build(&own));
        }
    }

    /// The report, once it has been derived.
    pub(crate) const fn report(&self) -> Option<&Arc<InsightReport>> {
        self.report.as_ref()
    }
}

impl Job for ReportTask {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        vec![&self.task]
    }

    fn poll(&mut self, _index: &Arc<Index>) {
        if let Some(report) = self.task.poll_newest() {
            self.report = Some(Arc::new(report));
        }
    }
}
