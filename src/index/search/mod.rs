//! Search: which markers a query matches, on all cores, abandoned as soon as a newer query comes.
//!
//! Names, categories and types are few and tested once each; payloads are scanned in place, without decoding, and only
//! for markers that those tests leave open.

mod hits;
mod matcher;
mod query;

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

pub use hits::{HitLayout, Hits};
pub use matcher::Matcher;
pub use query::{Query, Term, Test, flow_query, parse_duration};

use crate::index::flows::FlowGraph;
use crate::profile::{LocalMarker, Profile, ThreadId};

/// Markers examined between two looks at the generation.
const BATCH: usize = 1 << 14;

/// Tells searches that a newer one has begun: each holds the number it began with.
#[derive(Debug, Default)]
pub struct Generation(AtomicU64);

impl Generation {
    /// Starts a new generation; all older searches are abandoned.
    pub fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::AcqRel) + 1
    }

    /// Whether `number` is still the newest.
    #[must_use]
    pub fn is_current(&self, number: u64) -> bool {
        self.0.load(Ordering::Acquire) == number
    }
}

/// Runs a query over all markers; `None` when `keep_going` turned false on the way.
#[must_use]
pub fn run(
    profile: &Profile,
    flows: &FlowGraph,
    query: &Query,
    keep_going: &(impl Fn() -> bool + Sync),
) -> Option<Hits> {
    let matcher = Matcher::new(profile, flows, query);
    if let Some(members) = matcher.only_flows() {
        let mut by_thread = vec![Vec::new(); profile.threads.len()];
        for (thread, marker) in members.into_iter().filter_map(|marker| profile.locate(marker)) {
            by_thread[thread.index()].push(marker);
        }
        return keep_going().then(|| Hits::new(by_thread));
    }
    let jobs: Vec<(ThreadId, usize, usize)> = profile
        .threads_with_ids()
        .flat_map(|(id, thread)| {
            let count = thread.markers.len();
            (0..count).step_by(BATCH).map(move |first| (id, first, (first + BATCH).min(count)))
        })
        .collect();
    let batches: Option<Vec<Vec<LocalMarker>>> = jobs
        .par_iter()
        .map(|&(thread, first, end)| {
            if !keep_going() {
                return None;
            }
            let markers = (first..end).map(LocalMarker::new);
            Some(markers.filter(|marker| matcher.matches(thread, *marker)).collect())
        })
        .collect();
    let mut by_thread = vec![Vec::new(); profile.threads.len()];
    for ((thread, _, _), batch) in jobs.into_iter().zip(batches?) {
        by_thread[thread.index()].extend(batch);
    }
    Some(Hits::new(by_thread))
}
