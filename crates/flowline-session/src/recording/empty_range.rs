//! A visible range in which nothing is drawn, and the markers around it, looked up on the pool.

use std::sync::Arc;

use super::open_recording::Session;
use crate::tasks::{OnDemand, Wake};
use flowline_profile::ThreadId;
use flowline_scene::{NearestMarkers, ScopeKey, has_contents};

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
}

impl Session {
    /// The markers before and after the visible range, if nothing of it is drawn on any track. `None` while the view moves
    /// and until they are known.
    #[must_use]
    pub fn nearest_markers(&self) -> Option<NearestMarkers> {
        let view = &self.view;
        if self.search().is_some() || view.flow_lanes.shown || view.is_moving() {
            return None;
        }
        let (input, range) = (self.scene_input(), view.axis.visible());
        if input.visible_items().iter().any(|item| has_contents(&input, item, range)) {
            return None;
        }
        let scope = self.layout.scope();
        let key = (scope.track_key(), range.start.0, range.end.0);
        let (index, scope) = (Arc::clone(&self.index), scope.clone());
        let found = self.empty_ranges.0.get(key, move |_| {
            let threads: Vec<ThreadId> = index.profile().threads_with_ids().map(|(id, _)| id).collect();
            NearestMarkers::of(&index, threads.into_iter().filter(|id| scope.shows(*id)), range)
        });
        *found?
    }
}
