//! The query tracks that a view shows now.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::rows::QueryTrackRows;

/// State of a query track.
#[derive(Clone, Debug)]
pub enum QueryTrackState {
    /// The query has not run: it runs when the user asks for it.
    NotRun,
    /// The query is running.
    Running,
    /// The query was told to stop and has not ended.
    Stopping,
    /// The user has stopped the query.
    Stopped,
    /// The query has failed, for this reason.
    Failed(String),
    /// The query took longer than this limit.
    TimedOut(Duration),
    /// The rows of the result.
    Ready(Arc<QueryTrackRows>),
}

impl QueryTrackState {
    /// The rows of the result, if they have arrived.
    #[must_use]
    pub const fn rows(&self) -> Option<&Arc<QueryTrackRows>> {
        match self {
            Self::Ready(rows) => Some(rows),
            _ => None,
        }
    }

    /// True if the query can be started: it does not run, and its rows are not there.
    #[must_use]
    pub const fn can_run(&self) -> bool {
        matches!(self, Self::NotRun | Self::Stopped | Self::Failed(_) | Self::TimedOut(_))
    }

    /// True until a started query has ended.
    #[must_use]
    pub const fn is_running(&self) -> bool {
        matches!(self, Self::Running | Self::Stopping)
    }
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
