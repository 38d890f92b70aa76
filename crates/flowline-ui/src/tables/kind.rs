//! Which table the drawer shows.

use super::samples::SampleView;

/// A table of the drawer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableKind {
    /// All markers, or those of the search or the selected range.
    #[default]
    Markers,
    /// The selected marker or the entered flow, its markers, their flows, and so on.
    FlowTree,
    /// All flows of the recording.
    AllFlows,
    /// Samples, from the roots to what they call.
    CallTree,
    /// Samples, from the functions that cost most themselves to their callers.
    BottomUp,
    /// All functions of the samples.
    Functions,
    /// Samples as a flame graph.
    Flame,
    /// Trace events and calls in the order of time.
    EventLog,
    /// Numbers of the scope by group.
    Statistics,
    /// The critical path.
    CriticalPath,
    /// Network requests.
    Network,
    /// Notes on the recording.
    Notes,
}

impl TableKind {
    /// All tables from left to right, with title and hint.
    pub(crate) const ALL: [(Self, &'static str, &'static str); 12] = [
        (Self::Markers, "Markers", "All markers, or those found (T)"),
        (Self::FlowTree, "Flow tree", "A marker, its flows, their markers (Shift+T)"),
        (Self::AllFlows, "All flows", "Every flow of the recording (Ctrl+T)"),
        (Self::Statistics, "Statistics", "Counts, sums and percentiles of what is shown, by name or anything else (I)"),
        (Self::CriticalPath, "Critical path", "Where the time before the end of a marker went (Shift+K)"),
        (Self::Network, "Network", "Network requests with their phases (Shift+N)"),
        (Self::Notes, "Notes", "Labels, ranges, links and bookmarks (Ctrl+N)"),
        (Self::CallTree, "Call tree", "Samples, from the roots to what they call (Y)"),
        (Self::BottomUp, "Bottom-up", "Functions by what they cost themselves, with their callers (Shift+Y)"),
        (Self::Functions, "Functions", "All functions of the samples"),
        (Self::Flame, "Flame graph", "Samples as boxes as wide as their part of everything (Ctrl+Y)"),
        (Self::EventLog, "Event log", "Trace events and calls of a Chrome thread in the order of time"),
    ];

    /// The form in which it shows samples, if it does.
    pub(crate) const fn samples(self) -> Option<SampleView> {
        match self {
            Self::Markers
            | Self::FlowTree
            | Self::AllFlows
            | Self::Statistics
            | Self::CriticalPath
            | Self::Network
            | Self::Notes => None,
            Self::CallTree => Some(SampleView::CallTree),
            Self::BottomUp => Some(SampleView::BottomUp),
            Self::Functions => Some(SampleView::Functions),
            Self::Flame => Some(SampleView::Flame),
            Self::EventLog => Some(SampleView::EventLog),
        }
    }
}
