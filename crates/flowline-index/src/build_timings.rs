//! Durations of the build steps of an index.

use std::time::Duration;

/// Durations of the build steps, in build order.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuildTimings {
    /// Rows of the first arrangement and summary rows.
    pub rows: Duration,
    /// Pyramids of those rows.
    pub pyramids: Duration,
    /// Overview activity and counters.
    pub activity: Duration,
    /// The flow graph.
    pub flows: Duration,
}
