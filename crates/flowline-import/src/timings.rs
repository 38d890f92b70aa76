//! Durations of the steps of an import.

use std::time::Duration;

/// Duration of each step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timings {
    /// Mapping and unpacking.
    pub read: Duration,
    /// Detecting the format and finding threads.
    pub scan: Duration,
    /// Reading columns or events.
    pub parse: Duration,
    /// Deriving markers and joining threads.
    pub derive: Duration,
}
