//! The time of each kind of work in a range, added up on the pool when the legend is shown.

use std::sync::Arc;

use crate::tasks::{OnDemand, Wake};
use flowline_index::Index;
use flowline_index::statistics::{KindTime, RangeRule, Subject, Tracks, summary};
use flowline_profile::{ThreadId, TimeRange};

/// Sums that are kept.
const KEPT: usize = 4;

/// The threads and the range of sums.
type Key = (Vec<ThreadId>, i64, i64);

/// The time of each kind of work, computed on demand.
pub struct KindSums(OnDemand<Key, Vec<KindTime>>);

impl KindSums {
    /// `wake` is called when the sums are available.
    #[must_use]
    pub fn new(wake: &Wake) -> Self {
        Self(OnDemand::new(wake, KEPT))
    }

    /// The self time of each kind that some threads have in a range; `None` until it is added up.
    #[must_use]
    pub fn get(&self, index: &Arc<Index>, threads: Vec<ThreadId>, range: TimeRange) -> Option<Arc<Vec<KindTime>>> {
        let index = Arc::clone(index);
        self.0.get((threads.clone(), range.start.0, range.end.0), move |is_wanted| {
            let tracks = Tracks::Threads(&threads);
            let subject = Subject::new(&index, tracks, Some(range), RangeRule::Overlaps, None);
            summary(&subject, &index, &|| is_wanted()).map(|summary| summary.kinds).unwrap_or_default()
        })
    }
}
