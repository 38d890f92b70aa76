//! A row of the table.

use std::sync::Arc;

use super::cells::FactCell;
use super::fact_table::FactTable;
use super::row_target::RowTarget;
use super::state_icon::state_word;
use crate::widgets::{counted, grouped};
use flowline_format::format_time;
use flowline_insights::insights::InsightState;
use flowline_insights::report::Metric;
use flowline_profile::Ns;
use flowline_session::{metric_name, metric_sentence};

/// The heading of a section.
#[derive(Clone, Debug)]
pub(super) struct SectionHeading {
    pub(super) title: String,
    pub(super) is_address: bool,
    /// True for the page load that the recording shows.
    pub(super) is_main: bool,
    /// Positions of its insights.
    pub(super) insights: Vec<usize>,
    pub(super) is_soft: bool,
    pub(super) is_prerendered: bool,
    /// Number of its insights that failed.
    pub(super) failed: usize,
}

/// Contents of a row.
#[derive(Clone, Debug)]
pub(super) enum RowContent {
    /// A navigation or a process.
    Section(SectionHeading),
    /// The metrics of a page load.
    Metrics(Vec<Metric>),
    /// A metric.
    Metric(Metric),
    /// An insight, by its position, with its late moment on the displayed clock.
    Insight { title: &'static str, state: InsightState, summary: String, late: Option<Ns>, position: usize },
    /// The insights that passed, by position.
    Passed(Vec<usize>),
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
            RowContent::Section(heading) => {
                let kind = match (heading.is_soft, heading.is_prerendered) {
                    (true, _) => ", soft navigation",
                    (false, true) => ", prerendered",
                    (false, false) => "",
                };
                let failed = match heading.failed {
                    0 => String::new(),
                    failed => format!(", {} failed", grouped(failed)),
                };
                format!("{}{kind}{failed}", heading.title)
            }
            RowContent::Metrics(metrics) => metrics.iter().map(metric_sentence).collect::<Vec<_>>().join(", "),
            RowContent::Metric(metric) => format!("{}, {}", metric_name(metric.kind), metric_sentence(metric)),
            RowContent::Insight { title, state, summary, late, .. } => {
                let late = late.map(|late| format!(", at {}", format_time(late))).unwrap_or_default();
                format!("{title}, {}: {summary}{late}", state_word(*state))
            }
            RowContent::Passed(insights) => format!("{} passed", grouped(insights.len())),
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
            RowContent::More(rest) => format!("Show more, {} left", grouped(*rest)),
        }
    }
}
