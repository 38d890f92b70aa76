//! The queries of an open recording, and the tracks that show results.

use std::sync::Arc;

use super::open_recording::Session;
use crate::query::QueryEngine;
use flowline_view::{Command, QueryTrackCommand};

impl Session {
    /// Sets the engine of queries, which is started when a query first needs it.
    pub fn set_query_engine(&mut self, engine: Option<Arc<dyn QueryEngine>>) {
        self.query.set_engine(engine);
    }

    /// The consequences of a command for the query tracks.
    pub(super) fn before_query_command(&mut self, command: &Command) {
        if let Command::QueryTrack(QueryTrackCommand::Refresh(number)) = command {
            self.query_tracks.forget(*number);
        }
    }

    /// Updates the query tracks of the chart.
    pub(super) fn follow_query_tracks(&mut self) {
        if !self.view.tracks.queries.is_empty() && !self.index.has_query_tracks() {
            // Another view of the recording has other tracks.
            self.index = Arc::new(self.index.with_query_tracks());
        }
        if self.query_tracks.follow(&mut self.query, &self.index, &self.view.tracks) {
            // The list depends on the revision of the tracks.
            self.view.edit_tracks(|_| {});
        }
    }
}
