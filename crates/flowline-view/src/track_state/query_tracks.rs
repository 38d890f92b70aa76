//! The query tracks of a view, and their changes.

use super::query_track::{QUERY_TRACKS, QueryTrack, QueryTrackCommand};
use super::track_id::TrackId;
use super::tracks::Tracks;

/// Name of a track that the user has not named.
const UNNAMED: &str = "Query";

fn named(name: &str) -> String {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() { UNNAMED.to_owned() } else { name }
}

impl Tracks {
    /// A query track by its number.
    #[must_use]
    pub fn query_track(&self, number: u32) -> Option<&QueryTrack> {
        self.queries.iter().find(|track| track.number == number)
    }

    pub(super) fn change_queries(&mut self, command: QueryTrackCommand) {
        match command {
            QueryTrackCommand::Add { name, sql } => {
                let number = self.queries.iter().map(|track| track.number.saturating_add(1)).max().unwrap_or(0);
                self.queries.push(QueryTrack { number, name: named(&name), sql, on_request: false });
            }
            QueryTrackCommand::Remove(number) => {
                self.queries.retain(|track| track.number != number);
                self.toggled.remove(&TrackId::new(QUERY_TRACKS, number));
            }
            QueryTrackCommand::Rename(number, name) => self.change_query(number, |track| track.name = named(&name)),
            // For a query that has run, the change of the revision is enough.
            QueryTrackCommand::Run(number) => self.change_query(number, |track| track.on_request = false),
            QueryTrackCommand::Stop(number) => self.change_query(number, |track| track.on_request = true),
        }
    }

    fn change_query(&mut self, number: u32, change: impl FnMut(&mut QueryTrack)) {
        let track = self.queries.iter_mut().find(|track| track.number == number);
        track.into_iter().for_each(change);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_and_names_are_never_blank() {
        let mut tracks = Tracks::default();
        let add = |name: &str| QueryTrackCommand::Add { name: name.into(), sql: "SELECT 1".into() };
        for name in ["one", " ", "three\nlines"] {
            tracks.change_queries(add(name));
        }
        tracks.toggled.insert(TrackId::new(QUERY_TRACKS, 1));
        tracks.change_queries(QueryTrackCommand::Remove(1));
        tracks.change_queries(QueryTrackCommand::Rename(0, String::new()));
        tracks.change_queries(add("four"));
        let names = tracks.queries.iter().map(|track| (track.number, track.name.as_str()));
        assert_eq!(names.collect::<Vec<_>>(), [(0, "Query"), (2, "three lines"), (3, "four")]);
        assert!(tracks.toggled.is_empty() && tracks.query_track(1).is_none());
    }

    #[test]
    fn a_stopped_query_runs_on_request() {
        let mut tracks = Tracks::default();
        tracks.change_queries(QueryTrackCommand::Add { name: "one".into(), sql: "SELECT 1".into() });
        let states =
            [QueryTrackCommand::Stop(0), QueryTrackCommand::Run(0), QueryTrackCommand::Stop(7)].map(|command| {
                tracks.change_queries(command);
                tracks.queries[0].on_request
            });
        assert_eq!(states, [true, false, false]);
    }
}
