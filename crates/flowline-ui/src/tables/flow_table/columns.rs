//! The columns of the table of all flows.

use crate::widgets::table::{TableColumn, Widths};

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
    /// Time in which one of its intervals was on.
    Run,
    /// The rest of its length.
    Wait,
    /// Its longest wait.
    LongestWait,
    /// Number of markers.
    Markers,
    /// Number of threads that have markers of it.
    Threads,
    /// Number of processes that have markers of it.
    Processes,
    /// The thread of its first marker.
    PostedFrom,
    /// The threads of the markers that ran.
    RunsOn,
    /// What was posted.
    Type,
    /// The address, host, path or file that it is about.
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

    /// The columns shown at first.
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

    /// Kind and usual width.
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
            Self::PostedFrom | Self::RunsOn => TableColumn::text(title, 130.0, 1.0),
            Self::Type => TableColumn::text(title, 140.0, 1.0),
            Self::Resource => TableColumn::text(title, 160.0, 1.5),
        }
    }

    /// Whether the first click sorts in descending order.
    pub(super) const fn is_amount(self) -> bool {
        self.needs_lives() || matches!(self, Self::Length | Self::Markers | Self::Threads | Self::Processes)
    }

    /// Whether it needs the lives of all flows.
    pub(super) const fn needs_lives(self) -> bool {
        matches!(self, Self::Run | Self::Wait | Self::LongestWait)
    }

    /// Whether its texts are less important.
    pub(super) const fn is_faint(self) -> bool {
        matches!(self, Self::Id | Self::PostedFrom | Self::RunsOn)
    }
}

/// The columns with their usual widths.
pub(super) fn plain(columns: &[FlowColumn]) -> Vec<TableColumn> {
    columns.iter().copied().map(FlowColumn::usual).collect()
}

/// The columns with the chosen widths.
pub(super) fn layout(columns: &[FlowColumn], widths: &Widths) -> Vec<TableColumn> {
    widths.apply(&plain(columns))
}
