//! A search result as drawn.

use flowline_index::samples::MatchingCalls;
use flowline_index::search::{HitLayout, Hits, Problem};

/// A search result as drawn, possibly partial.
#[derive(Debug)]
pub struct SearchView {
    /// Number of the result; lists built from another result are stale.
    pub number: u64,
    /// True if the search has finished.
    pub complete: bool,
    /// Search text.
    pub text: String,
    /// Parts of the search text that could not be parsed as intended.
    pub problems: Vec<Problem>,
    /// Markers found.
    pub hits: Hits,
    /// The row layout of the hits.
    pub layout: HitLayout,
    /// Functions found in samples; empty until the search is complete.
    pub calls: MatchingCalls,
    /// Functions found, with the rows of their calls in stacks of markers and calls.
    pub merged: MatchingCalls,
    /// For each slice of the overview, true if it contains a hit.
    pub slices: Vec<bool>,
}
