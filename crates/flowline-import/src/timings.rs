//! Times of the steps of an import.

use flowline_profile::TimeSpent;

/// The time that each step took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timings {
    /// Mapping and unpacking.
    pub read: TimeSpent,
    /// Detecting the format and finding threads.
    pub scan: TimeSpent,
    /// Reading columns or events.
    pub parse: TimeSpent,
    /// Deriving markers and joining threads.
    pub derive: TimeSpent,
}
