//! Insights as the window lists them: sections with metrics, and the emphasis of an insight.

mod focus;
mod late_moments;
mod metric;
mod report;
mod report_task;

pub use focus::insight_focus;
pub use metric::{MetricKind, MetricValue, PageMetric};
pub use report::{InsightReport, InsightSection, LoadMetrics};
pub(crate) use report_task::ReportTask;
