//! Columns of the flow tree.

use crate::widgets::table::TableColumn;

/// A column of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FlowTreeColumn {
    Name,
    Start,
    Gap,
    Duration,
    Contents,
    Thread,
    Process,
}

impl FlowTreeColumn {
    pub(super) const ALL: [Self; 7] =
        [Self::Name, Self::Start, Self::Gap, Self::Duration, Self::Contents, Self::Thread, Self::Process];

    /// Title, kind and width of each column.
    pub(super) const LAYOUT: [TableColumn; 7] = [
        TableColumn::text("Name", 200.0, 3.0),
        TableColumn::times("Start", 112.0),
        TableColumn::lengths("Gap", 112.0),
        TableColumn::lengths("Duration", 76.0),
        TableColumn::text("Contents", 88.0, 0.0),
        TableColumn::text("Thread", 100.0, 1.0),
        TableColumn::text("Process", 100.0, 1.0),
    ];
}
