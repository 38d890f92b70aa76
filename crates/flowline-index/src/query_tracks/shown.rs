//! The query tracks that a view shows now.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::rows::QueryTrackRows;

/// State of a query track.
#[derive(Clone, Debug)]
pub enum QueryTrackState {
    /// The query is running.
    Running,
    /// The query has failed, for this reason.
    Failed(String),
    /// The rows of the result.
    Ready(Arc<QueryTrackRows>),
}

/// Query tracks by number.
pub type ShownQueryTracks = BTreeMap<u32, QueryTrackState>;

/// The place for the query tracks of a view. Readers get what was shown when they asked.
#[derive(Debug, Default)]
pub struct QueryTracks(Mutex<Arc<ShownQueryTracks>>);

impl QueryTracks {
    /// The tracks.
    #[must_use]
    pub fn shown(&self) -> Arc<ShownQueryTracks> {
        Arc::clone(&self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the tracks.
    pub fn show(&self, tracks: ShownQueryTracks) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(tracks);
    }
}
