//! Number of markers per category, counted on the pool at the first request.

use std::sync::Arc;

use rayon::prelude::*;

use crate::tasks::{OnDemand, Wake};
use flowline_index::Index;
use flowline_profile::{LocalMarker, ThreadId};

/// Number of markers by category, computed on demand.
pub struct CategoryCounts(OnDemand<(), Vec<u64>>);

impl CategoryCounts {
    /// `wake` is called when the counts are available.
    #[must_use]
    pub fn new(wake: &Wake) -> Self {
        Self(OnDemand::new(wake, 1))
    }

    /// Number of markers by category number; `None` until they are counted.
    #[must_use]
    pub fn get(&self, index: &Arc<Index>) -> Option<Arc<Vec<u64>>> {
        let index = Arc::clone(index);
        self.0.get((), move |is_wanted| count(&index, is_wanted))
    }
}

fn count(index: &Index, is_wanted: &(dyn Fn() -> bool + Sync)) -> Vec<u64> {
    let profile = index.profile();
    let none = || vec![0_u64; profile.categories.len()];
    let of_thread = |id: ThreadId| {
        let (mut counts, markers) = (none(), &profile.thread(id).markers);
        for at in (0..markers.len()).take_while(|at| at % 65_536 != 0 || is_wanted()) {
            if let Some(count) = counts.get_mut(markers.category(LocalMarker::new(at)).index()) {
                *count += 1;
            }
        }
        counts
    };
    let join = |mut one: Vec<u64>, other: Vec<u64>| {
        one.iter_mut().zip(other).for_each(|(sum, count)| *sum += count);
        one
    };
    let threads: Vec<ThreadId> = profile.threads_with_ids().map(|(id, _)| id).collect();
    threads.into_par_iter().map(of_thread).reduce(none, join)
}
