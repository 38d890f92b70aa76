//! The subjects of statistics.

/// Subject of the statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// Markers by group.
    Markers,
    /// Series of counters.
    Counters,
    /// Flows by kind.
    Flows,
}
