//! Kinds of tables that the drawer can show.

use super::samples::SampleView;

/// A table of the drawer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableKind {
    /// Sums of the selected range and rows.
    Selection,
    /// Markers of the scope.
    #[default]
    Markers,
    /// The selected marker or the entered flow, with its connected markers and flows.
    FlowTree,
    /// All flows of the recording.
    AllFlows,
    /// Samples as a tree from root functions to callees.
    CallTree,
    /// Samples as a tree from functions, ordered by self time, to their callers.
    BottomUp,
    /// All functions of the samples.
    Functions,
    /// Samples as a flame graph.
    Flame,
    /// Trace events and calls in time order.
    EventLog,
    /// Statistics of the scope by group.
    Statistics,
    /// The critical path.
    CriticalPath,
    /// Network requests.
    Network,
    /// Insights into page loads.
    Insights,
    /// SQL over the recording.
    Query,
    /// Notes on the recording.
    Notes,
}

impl TableKind {
    /// All tables from left to right, with title and hint.
    pub(crate) const ALL: [(Self, &'static str, &'static str); 15] = [
        (Self::Selection, "Selection", "Sums of the selected range and rows"),
        (Self::Markers, "Markers", "All markers that match the active filters"),
        (Self::FlowTree, "Flow tree", "A marker's flows and their markers"),
        (Self::AllFlows, "All flows", "Every flow in the recording"),
        (Self::Statistics, "Statistics", "Counts, totals and percentiles by name, thread or other groups"),
        (Self::CriticalPath, "Critical path", "Work and waits that led to the end of a marker"),
        (Self::Insights, "Insights", "What was slow in each page load, and why"),
        (Self::Network, "Network", "Network requests and their phases"),
        (Self::Notes, "Notes", "Labels, ranges, links and bookmarks"),
        (Self::CallTree, "Call tree", "Samples from root functions to callees"),
        (Self::BottomUp, "Bottom-up", "Functions by self time, with their callers"),
        (Self::Functions, "Functions", "All sampled functions"),
        (Self::Flame, "Flame graph", "Box width is the share of samples"),
        (Self::EventLog, "Event log", "Trace events and calls of a Chrome thread in time order"),
        (Self::Query, "Query", "SQL over the recording"),
    ];

    /// The sample view of the table; `None` for tables without samples.
    pub(crate) const fn samples(self) -> Option<SampleView> {
        match self {
            Self::Selection
            | Self::Markers
            | Self::FlowTree
            | Self::AllFlows
            | Self::Statistics
            | Self::CriticalPath
            | Self::Network
            | Self::Insights
            | Self::Query
            | Self::Notes => None,
            Self::CallTree => Some(SampleView::CallTree),
            Self::BottomUp => Some(SampleView::BottomUp),
            Self::Functions => Some(SampleView::Functions),
            Self::Flame => Some(SampleView::Flame),
            Self::EventLog => Some(SampleView::EventLog),
        }
    }
}
