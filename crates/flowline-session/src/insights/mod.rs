//! Insights as the window lists them: sections with metrics, and the emphasis of an insight.

mod focus;
mod late_moments;
mod metric_text;
mod report;
mod report_task;
mod steps;
mod warnings;
mod warnings_task;

pub use focus::{insight_focus, is_focus_of};
pub use metric_text::{metric_name, metric_sentence, metric_text, metric_value};
pub use report::{InsightReport, ListedSection};
pub(crate) use report_task::ReportTask;
pub(crate) use warnings_task::WarningsTask;
