//! Columns of the flow table.

use crate::widgets::table::{TableColumn, Widths};
use flowline_format::DurationUnit;

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowColumn {
    /// Label by the flow rules.
    Label,
    /// Id.
    Id,
    /// Start on the displayed clock.
    Start,
    /// From the first start to the last end.
    Length,
    /// Time during which at least one of its spans ran.
    Run,
    /// Its length minus the run time.
    Wait,
    /// Its longest wait.
    LongestWait,
    /// Number of markers.
    Markers,
    /// Number of threads with markers of the flow.
    Threads,
    /// Number of processes with markers of the flow.
    Processes,
    /// Thread of its first marker.
    PostedFrom,
    /// Threads of the markers that ran.
    RunsOn,
    /// Type of the posted task or message.
    Type,
    /// Its URL, host, path or file.
    Resource,
}

impl FlowColumn {
    /// All columns from left to right.
    pub const ALL: [Self; 14] = [
        Self::Label,
        Self::Id,
        Self::Start,
        Self::Length,
        Self::Run,
        Self::Wait,
        Self::LongestWait,
        Self::Markers,
        Self::Threads,
        Self::Processes,
        Self::PostedFrom,
        Self::RunsOn,
        Self::Type,
        Self::Resource,
    ];

    /// Columns visible by default.
    pub const USUAL: [Self; 9] = [
        Self::Label,
        Self::Id,
        Self::Start,
        Self::Length,
        Self::Wait,
        Self::LongestWait,
        Self::Markers,
        Self::Threads,
        Self::Processes,
    ];

    /// Heading of the column.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Label => "Label",
            Self::Id => "Id",
            Self::Start => "Start",
            Self::Length => "Length",
            Self::Run => "Run",
            Self::Wait => "Wait",
            Self::LongestWait => "Longest wait",
            Self::Markers => "Markers",
            Self::Threads => "Threads",
            Self::Processes => "Processes",
            Self::PostedFrom => "Posted from",
            Self::RunsOn => "Runs on",
            Self::Type => "Type",
            Self::Resource => "Resource",
        }
    }

    /// Kind and default width.
    pub(super) const fn usual(self) -> TableColumn {
        let title = self.title();
        match self {
            Self::Label => TableColumn::text(title, 200.0, 4.0),
            Self::Id => TableColumn::text(title, 120.0, 1.0),
            Self::Start => TableColumn::times(title, 112.0),
            Self::Length | Self::Run | Self::Wait => TableColumn::lengths(title, 80.0),
            Self::LongestWait => TableColumn::lengths(title, 84.0),
            Self::Markers => TableColumn::numbers(title, 66.0),
            Self::Threads => TableColumn::numbers(title, 60.0),
            Self::Processes => TableColumn::numbers(title, 72.0),
            // Names a thread and its process, which are of no use without their ends.
            Self::PostedFrom => TableColumn::text(title, 190.0, 0.0),
            Self::RunsOn => TableColumn::text(title, 130.0, 1.0),
            Self::Type => TableColumn::text(title, 140.0, 1.0),
            Self::Resource => TableColumn::text(title, 160.0, 1.5),
        }
    }

    /// True if the first click sorts in descending order.
    pub(super) const fn is_amount(self) -> bool {
        self.needs_timelines() || matches!(self, Self::Length | Self::Markers | Self::Threads | Self::Processes)
    }

    /// True if it needs the run and wait times of all flows.
    pub(super) const fn needs_timelines(self) -> bool {
        matches!(self, Self::Run | Self::Wait | Self::LongestWait)
    }

    /// True if its texts are secondary and drawn faint.
    pub(super) const fn is_faint(self) -> bool {
        matches!(self, Self::Id | Self::PostedFrom | Self::RunsOn)
    }
}

/// Table columns with default widths.
pub(super) fn plain(columns: &[FlowColumn]) -> Vec<TableColumn> {
    columns.iter().copied().map(FlowColumn::usual).collect()
}

/// Table columns in a unit, with custom widths applied.
pub(super) fn layout(columns: &[FlowColumn], unit: DurationUnit, widths: &Widths) -> Vec<TableColumn> {
    let columns: Vec<TableColumn> = columns.iter().map(|column| column.usual().in_unit(unit)).collect();
    widths.apply(&columns)
}
