//! The insights part of `flowline bench`: how long each part of them takes to derive.

use flowline_index::Index;
use flowline_insights::timings::derive_timed;

/// Milliseconds of each part, in the order in which they are derived, and of all of them.
pub(super) fn measure(index: &Index) -> Vec<(&'static str, f64)> {
    let mut times: Vec<(&'static str, f64)> =
        derive_timed(index).into_iter().map(|(part, time)| (part, time.as_secs_f64() * 1e3)).collect();
    times.push(("all", times.iter().map(|(_, time)| time).sum()));
    times
}
