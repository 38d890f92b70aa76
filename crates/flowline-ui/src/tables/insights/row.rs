//! A row of the table.

use std::sync::Arc;

use super::cells::FactCell;
use super::fact_table::FactTable;
use super::row_target::RowTarget;
use super::state_icon::state_word;
use crate::widgets::counted;
use flowline_format::format_time;
use flowline_insights::insights::InsightState;
use flowline_insights::report::Metric;
use flowline_profile::Ns;
use flowline_session::{metric_name, metric_sentence};

/// Contents of a row.
#[derive(Clone, Debug)]
pub(super) enum RowContent {
    /// A navigation or a process, with the number of its insights that failed.
    Section { title: String, is_address: bool, is_soft: bool, failed: usize },
    /// The metrics of a page load.
    Metrics(Vec<Metric>),
    /// A metric.
    Metric(Metric),
    /// An insight, by its position, with its late moment on the displayed clock.
    Insight { title: &'static str, state: InsightState, summary: String, late: Option<Ns>, position: usize },
    /// The insights that passed.
    Passed(usize),
    /// A sentence.
    Text(String),
    /// The critical path to a moment on the displayed clock.
    Path(Ns),
    /// A fact.
    Fact { title: String, value: FactCell },
    /// The heading of several facts.
    Facts { title: String, count: usize },
    /// The headings of a table.
    TableHead(Arc<FactTable>),
    /// A row of a table.
    TableRow(Arc<FactTable>, usize),
    /// A marker and its start on the displayed clock.
    Marker { name: String, time: Ns },
    /// The rest of a list.
    More(usize),
}

/// A row.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Identifies the row in this recording.
    pub(super) key: String,
    /// 1 for sections.
    pub(super) level: usize,
    /// True if it is unfolded; `None` without children.
    pub(super) open: Option<bool>,
    pub(super) content: RowContent,
    pub(super) target: RowTarget,
}

impl Row {
    /// The row as screen readers announce it, and as it is copied.
    pub(super) fn sentence(&self) -> String {
        match &self.content {
            RowContent::Section { title, is_soft, failed, .. } => {
                let soft = if *is_soft { ", soft navigation" } else { "" };
                let failed = if *failed > 0 { format!(", {failed} failed") } else { String::new() };
                format!("{title}{soft}{failed}")
            }
            RowContent::Metrics(metrics) => metrics.iter().map(metric_sentence).collect::<Vec<_>>().join(", "),
            RowContent::Metric(metric) => format!("{}, {}", metric_name(metric.kind), metric_sentence(metric)),
            RowContent::Insight { title, state, summary, late, .. } => {
                let late = late.map(|late| format!(", at {}", format_time(late))).unwrap_or_default();
                format!("{title}, {}: {summary}{late}", state_word(*state))
            }
            RowContent::Passed(count) => format!("{count} passed"),
            RowContent::Text(text) => text.clone(),
            RowContent::Path(time) => format!("Critical path to {}", format_time(*time)),
            RowContent::Fact { title, value } => {
                let value = value.cell.shown();
                format!("{title}: {}", if value.is_empty() { "unknown" } else { &value })
            }
            RowContent::Facts { title, count } => format!("{title}, {}", counted(*count, "row")),
            RowContent::TableHead(table) => table.heading_line(),
            RowContent::TableRow(table, row) => table.line(*row),
            RowContent::Marker { name, time } => format!("{name} at {}", format_time(*time)),
            RowContent::More(rest) => format!("Show more, {rest} left"),
        }
    }
}
