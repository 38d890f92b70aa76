//! Times of the build steps of an index.

use flowline_profile::TimeSpent;

/// The times that the build steps took, in build order.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuildTimings {
    /// Rows of the first arrangement and summary rows.
    pub rows: TimeSpent,
    /// Pyramids of those rows.
    pub pyramids: TimeSpent,
    /// Overview activity and counters.
    pub activity: TimeSpent,
    /// The flow graph.
    pub flows: TimeSpent,
}
