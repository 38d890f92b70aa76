//! The query tracks of a view: runs the query of each and packs its rows. The view keeps the queries, so undoing, redoing and
//! restoring a view run them again.

use std::sync::Arc;

use super::client::QueryClient;
use super::read_only::only_reads;
use super::result::QueryResult;
use super::result_column::Field;
use super::row_target::PlaceColumns;
use super::run::{QueryId, RunState};
use crate::tasks::{Job, PoolTask, Task, Wake};
use flowline_index::Index;
use flowline_index::query_tracks::{QueryEntry, QueryTrackRows, QueryTrackState};
use flowline_view::Tracks;

/// Why a result cannot be a track.
const NO_PLACES: &str = "The result has no columns ts and name.";
/// Why a statement cannot be a track.
const NOT_READING: &str = "Only SELECT queries can be tracks.";

#[derive(Clone, Debug)]
enum Progress {
    Running(QueryId),
    Packing,
    Ended(QueryTrackState),
}

/// A track whose rows are there or on their way.
#[derive(Debug)]
struct FollowedTrack {
    number: u32,
    sql: String,
    progress: Progress,
}

/// Number and query of a track.
type TrackKey = (u32, String);

/// The query tracks of a view.
pub(crate) struct QueryTracksTask {
    followed: Vec<FollowedTrack>,
    packed: Task<TrackKey, QueryTrackRows>,
    /// True if the index does not show the current state.
    is_changed: bool,
}

impl QueryTracksTask {
    pub(crate) fn new(wake: Wake) -> Self {
        Self { followed: Vec::new(), packed: Task::new(wake), is_changed: false }
    }

    /// Drops the rows of a track, so that its query runs again.
    pub(crate) fn forget(&mut self, number: u32) {
        self.followed.retain(|track| track.number != number);
        self.packed.retain(|(other, _)| *other != number);
    }

    /// Follows the tracks of a view. Returns true if the tracks of the index have changed.
    pub(crate) fn follow(&mut self, client: &mut QueryClient, index: &Arc<Index>, tracks: &Tracks) -> bool {
        let is_wanted = |number: u32, sql: &str| tracks.query_track(number).is_some_and(|track| track.sql == sql);
        let gone: Vec<u32> = self
            .followed
            .iter()
            .filter(|track| !is_wanted(track.number, &track.sql))
            .map(|track| track.number)
            .collect();
        for number in gone {
            let track = self.followed.iter().find(|track| track.number == number);
            if let Some(Progress::Running(id)) = track.map(|track| &track.progress) {
                client.forget(*id);
            }
            self.forget(number);
            self.is_changed = true;
        }
        for track in &tracks.queries {
            if self.followed.iter().any(|followed| followed.number == track.number) {
                continue;
            }
            // The user adds a track from a result, which need not be computed again.
            let finished = client.finished(&track.sql).map(|run| run.result.clone());
            let progress = match finished {
                Some(result) => {
                    let columns = client.places(&result, index.profile());
                    self.pack(index, (track.number, &track.sql), (result, columns))
                }
                None if !only_reads(&track.sql) => Progress::Ended(QueryTrackState::Failed(NOT_READING.to_owned())),
                None => Progress::Running(client.run(&track.sql)),
            };
            self.followed.push(FollowedTrack { number: track.number, sql: track.sql.clone(), progress });
            self.is_changed = true;
        }
        self.take_results(client, index);
        let is_changed = std::mem::take(&mut self.is_changed);
        if is_changed {
            let state = |track: &FollowedTrack| match &track.progress {
                Progress::Ended(state) => (track.number, state.clone()),
                Progress::Running(_) | Progress::Packing => (track.number, QueryTrackState::Running),
            };
            index.show_query_tracks(self.followed.iter().map(state).collect());
        }
        is_changed
    }

    /// Takes the results of finished queries.
    fn take_results(&mut self, client: &mut QueryClient, index: &Arc<Index>) {
        for at in 0..self.followed.len() {
            let Progress::Running(id) = self.followed[at].progress else { continue };
            let failed = |message: &str| Progress::Ended(QueryTrackState::Failed(message.to_owned()));
            let progress = match client.get(id).map(|run| (&run.state, &run.result)) {
                Some((RunState::Running | RunState::Canceling, _)) => continue,
                Some((RunState::Done { .. }, result)) => {
                    let (result, number, sql) =
                        (result.clone(), self.followed[at].number, self.followed[at].sql.clone());
                    let columns = client.places(&result, index.profile());
                    self.pack(index, (number, &sql), (result, columns))
                }
                Some((RunState::Failed(error), _)) => failed(&error.message),
                Some((RunState::Canceled, _)) | None => failed("The query was canceled."),
            };
            client.forget(id);
            self.followed[at].progress = progress;
            self.is_changed = true;
        }
    }

    /// Packs the rows of a result on the pool.
    fn pack(
        &mut self,
        index: &Arc<Index>,
        (number, sql): (u32, &str),
        (result, columns): (QueryResult, PlaceColumns),
    ) -> Progress {
        if !columns.make_track() {
            return Progress::Ended(QueryTrackState::Failed(NO_PLACES.to_owned()));
        }
        let index = Arc::clone(index);
        self.packed.add((number, sql.to_owned()), move |_| {
            let entries = (0..result.rows()).filter_map(|row| entry(&index, &result, (columns, row))).collect();
            QueryTrackRows::new(index.clock(), index.source().styles, entries)
        });
        Progress::Packing
    }
}

/// The entry of a row; `None` if it has no time.
fn entry(index: &Index, result: &QueryResult, (columns, row): (PlaceColumns, usize)) -> Option<QueryEntry> {
    let range = columns.range(result, row, index.extent().end)?;
    let name = match columns.name.map(|column| result.get(row, column)) {
        Some(Field::Text(name)) => name.into(),
        _ => "".into(),
    };
    let marker = columns.marker(result, row, index.profile());
    Some(QueryEntry { name, start: range.start, end: (!range.is_empty()).then_some(range.end), marker })
}

impl Job for QueryTracksTask {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        vec![&self.packed]
    }

    fn poll(&mut self, _index: &Arc<Index>) {
        while let Some(((number, sql), rows)) = self.packed.poll() {
            let track = self.followed.iter_mut().find(|track| track.number == number && track.sql == sql);
            if let Some(track) = track {
                track.progress = Progress::Ended(QueryTrackState::Ready(Arc::new(rows)));
                self.is_changed = true;
            }
        }
    }
}
