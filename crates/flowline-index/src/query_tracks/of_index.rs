//! The query tracks of an index.

use std::sync::Arc;

use super::rows::QueryTrackRows;
use super::shown::{QueryTracks, ShownQueryTracks};
use crate::Index;

impl Index {
    /// True if the index has a place for query tracks.
    #[must_use]
    pub const fn has_query_tracks(&self) -> bool {
        self.query_tracks.is_some()
    }

    /// Replaces the query tracks, if the index has a place for them.
    pub fn show_query_tracks(&self, tracks: ShownQueryTracks) {
        if let Some(place) = &self.query_tracks {
            place.show(tracks);
        }
    }

    /// The query tracks that are shown; see [`QueryTracks`].
    #[must_use]
    pub fn query_tracks(&self) -> Arc<ShownQueryTracks> {
        self.query_tracks.as_ref().map(QueryTracks::shown).unwrap_or_default()
    }

    /// A query track with its rows, if they have arrived.
    #[must_use]
    pub fn query_track(&self, number: u32) -> Option<Arc<QueryTrackRows>> {
        self.query_tracks().get(&number)?.rows().cloned()
    }
}
