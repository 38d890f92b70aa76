//! The query tracks of a view: runs the query of each and packs its rows. The view keeps the queries, so undoing, redoing and
//! restoring a view run them again.

use std::sync::Arc;

use super::client::QueryClient;
use super::limits::{LinkedQueries, QueryLimits};
use super::read_only::only_reads;
use super::result::QueryResult;
use super::result_column::Field;
use super::row_target::PlaceColumns;
use super::run::{QueryId, QueryRun, RunState};
use crate::tasks::{Job, PoolTask, Task, Wake};
use flowline_index::Index;
use flowline_index::query_tracks::{QueryEntry, QueryTrackRows, QueryTrackState};
use flowline_view::{QueryTrack, Tracks};

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
    /// The rule for queries that came with a link.
    linked: LinkedQueries,
}

impl QueryTracksTask {
    pub(crate) fn new(wake: Wake) -> Self {
        Self { followed: Vec::new(), packed: Task::new(wake), is_changed: false, linked: LinkedQueries::default() }
    }

    /// Sets if queries of links run.
    pub(crate) const fn set_linked(&mut self, linked: LinkedQueries) {
        self.linked = linked;
    }

    /// Stops the query of a track. A second call ends an engine that does not react.
    pub(crate) fn stop(&mut self, number: u32, client: &mut QueryClient) {
        let track = self.followed.iter().find(|track| track.number == number);
        if let Some(Progress::Running(id)) = track.map(|track| &track.progress) {
            client.cancel(*id);
            self.is_changed = true;
        }
    }

    /// Drops the rows of a track and stops its query, which then runs again.
    pub(crate) fn forget(&mut self, number: u32, client: &mut QueryClient) {
        let track = self.followed.iter().find(|track| track.number == number);
        if let Some(Progress::Running(id)) = track.map(|track| &track.progress) {
            client.forget(*id);
        }
        self.followed.retain(|track| track.number != number);
        self.packed.retain(|(other, _)| *other != number);
    }

    /// Follows the tracks of a view. Returns true if the tracks of the index have changed.
    pub(crate) fn follow(&mut self, client: &mut QueryClient, index: &Arc<Index>, tracks: &Tracks) -> bool {
        let is_waiting = |track: &FollowedTrack| matches!(track.progress, Progress::Ended(QueryTrackState::NotRun));
        // Redoing the start of a query starts it.
        let is_same =
            |own: &FollowedTrack, track: &QueryTrack| track.sql == own.sql && (track.on_request || !is_waiting(own));
        let is_wanted = |own: &FollowedTrack| tracks.query_track(own.number).is_some_and(|track| is_same(own, track));
        let gone: Vec<u32> = self.followed.iter().filter(|track| !is_wanted(track)).map(|track| track.number).collect();
        for number in gone {
            self.forget(number, client);
            self.is_changed = true;
        }
        for track in &tracks.queries {
            if self.followed.iter().any(|followed| followed.number == track.number) {
                continue;
            }
            // The user adds a track from a result, which need not be computed again.
            let finished = client.finished(&track.sql).map(result_of);
            let progress = match finished {
                Some(run) => self.pack(client, index, (track.number, &track.sql), run),
                None => self.start(client, track),
            };
            self.followed.push(FollowedTrack { number: track.number, sql: track.sql.clone(), progress });
            self.is_changed = true;
        }
        self.take_results(client, index);
        let is_changed = std::mem::take(&mut self.is_changed);
        if is_changed {
            let state = |track: &FollowedTrack| (track.number, state(client, &track.progress));
            index.show_query_tracks(self.followed.iter().map(state).collect());
        }
        is_changed
    }

    /// Starts the query of a track, if it may run.
    fn start(&self, client: &mut QueryClient, track: &QueryTrack) -> Progress {
        if !only_reads(&track.sql) {
            return Progress::Ended(QueryTrackState::Failed(NOT_READING.to_owned()));
        }
        match (track.on_request, self.linked) {
            (true, LinkedQueries::OnRequest) => Progress::Ended(QueryTrackState::NotRun),
            (true, LinkedQueries::Run(limits)) => Progress::Running(client.run_within(&track.sql, limits)),
            (false, _) => Progress::Running(client.run_within(&track.sql, QueryLimits::default())),
        }
    }

    /// Takes the results of finished queries.
    fn take_results(&mut self, client: &mut QueryClient, index: &Arc<Index>) {
        for at in 0..self.followed.len() {
            let Progress::Running(id) = self.followed[at].progress else { continue };
            let progress = match client.get(id).map(|run| (&run.state, run)) {
                Some((RunState::Running | RunState::Canceling, _)) => continue,
                Some((RunState::Done { .. }, run)) => {
                    let (number, sql) = (self.followed[at].number, self.followed[at].sql.clone());
                    self.pack(client, index, (number, &sql), result_of(run))
                }
                Some((RunState::Failed(error), run)) => match run.exceeded_time() {
                    Some(limit) => Progress::Ended(QueryTrackState::TimedOut(limit)),
                    None => Progress::Ended(QueryTrackState::Failed(error.message.clone())),
                },
                Some((RunState::Canceled, _)) | None => Progress::Ended(QueryTrackState::Stopped),
            };
            client.forget(id);
            self.followed[at].progress = progress;
            self.is_changed = true;
        }
    }

    /// Packs the rows of a result on the pool.
    fn pack(
        &mut self,
        client: &QueryClient,
        index: &Arc<Index>,
        (number, sql): (u32, &str),
        (result, has_more): (QueryResult, bool),
    ) -> Progress {
        let columns = client.places(&result, index.profile());
        if !columns.make_track() {
            return Progress::Ended(QueryTrackState::Failed(NO_PLACES.to_owned()));
        }
        let index = Arc::clone(index);
        self.packed.add((number, sql.to_owned()), move |_| {
            let entries = (0..result.rows()).filter_map(|row| entry(&index, &result, (columns, row))).collect();
            QueryTrackRows::new(index.clock(), index.source().styles, entries).with_more(has_more)
        });
        Progress::Packing
    }
}

/// The result of a finished query, and whether it has more rows than the limit.
fn result_of(run: &QueryRun) -> (QueryResult, bool) {
    (run.result.clone(), matches!(run.state, RunState::Done { more: true, .. }))
}

/// The state that the chart shows.
fn state(client: &QueryClient, progress: &Progress) -> QueryTrackState {
    match progress {
        Progress::Ended(state) => state.clone(),
        Progress::Packing => QueryTrackState::Running,
        Progress::Running(id) => match client.get(*id).map(|run| &run.state) {
            Some(RunState::Canceling) => QueryTrackState::Stopping,
            _ => QueryTrackState::Running,
        },
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
