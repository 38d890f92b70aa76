//! The views of samples.

use egui::Id;

/// A view of the samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SampleView {
    /// From root functions to callees.
    CallTree,
    /// From functions, ordered by self cost, to their callers.
    BottomUp,
    /// A list of all functions.
    Functions,
    /// The call tree as a flame graph.
    Flame,
    /// Trace events and calls in time order.
    EventLog,
}

impl SampleView {
    /// All views.
    pub(crate) const ALL: [Self; 5] = [Self::CallTree, Self::BottomUp, Self::Functions, Self::Flame, Self::EventLog];

    /// True if the view can have groups above its first level.
    pub(super) const fn has_groups(self) -> bool {
        matches!(self, Self::CallTree | Self::BottomUp)
    }
}

/// Id of a tree's or list's widget.
pub(crate) fn samples_id(view: SampleView) -> Id {
    Id::unique(("samples", view as u8))
}
