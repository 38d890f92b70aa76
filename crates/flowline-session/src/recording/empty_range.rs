//! The markers around visible ranges in which nothing is drawn, looked up on the pool.

use std::sync::Arc;

use crate::tasks::{OnDemand, Wake};
use flowline_index::Index;
use flowline_profile::{ThreadId, TimeRange};
use flowline_scene::{NearestMarkers, Scope, ScopeKey};

/// Ranges that are kept.
const KEPT: usize = 8;

/// Tracks, start and end of the range.
type Key = (ScopeKey, i64, i64);

/// The nearest markers of ranges; `None` for a range with contents on tracks that are scrolled away.
pub(crate) struct EmptyRanges(OnDemand<Key, Option<NearestMarkers>>);

impl EmptyRanges {
    /// `wake` is called when a range is known.
    #[must_use]
    pub(crate) fn new(wake: &Wake) -> Self {
        Self(OnDemand::new(wake, KEPT))
    }

    /// The markers around a range on the shown tracks; `None` until they are known.
    pub(crate) fn get(&self, index: &Arc<Index>, scope: &Scope, range: TimeRange) -> Option<NearestMarkers> {
        let key = (scope.track_key(), range.start.0, range.end.0);
        let (index, scope) = (Arc::clone(index), scope.clone());
        let found = self.0.get(key, move |_| {
            let threads: Vec<ThreadId> = index.profile().threads_with_ids().map(|(id, _)| id).collect();
            NearestMarkers::of(&index, threads.into_iter().filter(|id| scope.shows(*id)), range)
        });
        *found?
    }
}
