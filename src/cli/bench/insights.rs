//! The insights part of `flowline bench`: how long each part of them takes to derive.

use flowline_index::Index;
use flowline_insights::timings::derive_timed;

/// Milliseconds of each part, and of all of them together; parts overlap.
pub(super) fn measure(index: &Index) -> Vec<(&'static str, f64)> {
    let (parts, all) = derive_timed(index);
    parts.into_iter().chain([("all", all)]).map(|(part, time)| (part, time.as_secs_f64() * 1e3)).collect()
}
