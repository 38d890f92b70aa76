//! The queries of an open recording, and the tracks that show results.

use std::sync::Arc;

use super::open_recording::Session;
use crate::query::{LinkedQueries, QueryEngine};
use flowline_view::{Command, QueryTrackCommand};

impl Session {
    /// Sets the engine of queries, which is started when a query first needs it.
    pub fn set_query_engine(&mut self, engine: Option<Arc<dyn QueryEngine>>) {
        self.query.set_engine(engine);
    }

    /// Sets if the queries of tracks run by themselves that come with a link.
    pub const fn set_linked_queries(&mut self, linked: LinkedQueries) {
        self.query_tracks.set_linked(linked);
    }

    /// The consequences of a command for the query tracks.
    pub(super) fn before_query_command(&mut self, command: &Command) {
        match command {
            Command::QueryTrack(QueryTrackCommand::Run(number)) => self.query_tracks.forget(*number, &mut self.query),
            Command::QueryTrack(QueryTrackCommand::Stop(number)) => self.query_tracks.stop(*number, &mut self.query),
            _ => {}
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
