//! The query tracks of a frame.

use std::sync::Arc;

use crate::tracks::entry_rows::EntrySource;
use flowline_index::Index;
use flowline_index::custom_tracks::CustomTrack;
use flowline_index::query_tracks::{QueryTrackRows, QueryTrackState, ShownQueryTracks};
use flowline_profile::MarkerId;
use flowline_view::QUERY_TRACKS;

/// The tracks that an index shows now.
#[derive(Clone, Debug, Default)]
pub(super) struct QuerySource(Arc<ShownQueryTracks>);

impl QuerySource {
    pub(super) fn of(index: &Index) -> Self {
        Self(index.query_tracks())
    }

    /// The numbers of the tracks.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u32> {
        self.0.keys().copied()
    }

    /// The rows of a track, if they have arrived.
    pub(super) fn rows(&self, track: u32) -> Option<&QueryTrackRows> {
        self.0.get(&track)?.rows().map(Arc::as_ref)
    }

    /// The state of a track.
    pub(super) fn state(&self, track: u32) -> Option<&QueryTrackState> {
        self.0.get(&track)
    }

    /// True if both are the same tracks.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl EntrySource for QuerySource {
    const KEY: &'static str = QUERY_TRACKS;

    fn track(&self, track: u32) -> Option<&CustomTrack> {
        self.rows(track).map(QueryTrackRows::track)
    }

    fn marker(&self, track: u32, entry: u32) -> Option<MarkerId> {
        self.rows(track)?.entry(entry)?.marker
    }

    fn name(&self, track: u32, entry: u32) -> Option<&str> {
        Some(&self.rows(track)?.entry(entry)?.name)
    }

    fn entry_of(&self, track: u32, marker: MarkerId) -> Option<u32> {
        self.rows(track)?.of_marker(marker)
    }
}
