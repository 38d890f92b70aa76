//! Which table the drawer shows.

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
}

impl TableKind {
    /// All tables from left to right, with title and hint.
    pub(crate) const ALL: [(Self, &'static str, &'static str); 3] = [
        (Self::Markers, "Markers", "All markers, or those found (T)"),
        (Self::FlowTree, "Flow tree", "A marker, its flows, their markers (Shift+T)"),
        (Self::AllFlows, "All flows", "Every flow of the recording (Ctrl+T)"),
    ];
}
