//! The client of a query engine: starts it on first use, sends queries and keeps their results, within limits.
//!
//! An engine that dies costs its queries, not the window. It is started again for the next query.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::catalog::Catalog;
use super::connection::{Connection, Message};
use super::engine::{EngineFailure, QueryEngine};
use super::limits::QueryLimits;
use super::protocol::{Opening, Reply, cancel_line, query_line};
use super::result::QueryResult;
use super::row_target::PlaceColumns;
use super::run::{QueryError, QueryId, QueryRun, RunState};
use crate::tasks::{Job, PoolTask, Wake};
use flowline_index::Index;
use flowline_profile::Profile;

/// Maximum size of a result in memory.
const MAX_RESULT_BYTES: usize = 256 << 20;
/// Time in a frame for results; more are taken in the next one.
const POLL_TIME: Duration = Duration::from_millis(8);
/// Maximum time that images and tests wait for a message.
const MAX_WAIT: Duration = Duration::from_mins(2);

/// State of the engine of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineState {
    /// It has not been started.
    Idle,
    /// It loads the recording.
    Starting,
    /// It takes queries.
    Ready,
    /// It cannot be started, or it has ended.
    Failed(EngineFailure),
}

/// The queries of a recording.
pub struct QueryClient {
    engine: Option<Arc<dyn QueryEngine>>,
    recording: PathBuf,
    wake: Wake,
    connection: Option<Connection>,
    state: EngineState,
    /// The time at which the engine became ready.
    ready: Instant,
    /// Progress of loading the recording, while the engine starts.
    opening: Option<Opening>,
    catalog: Arc<Catalog>,
    last_id: u64,
    /// The queries whose results are in use; few.
    runs: Vec<QueryRun>,
}

impl QueryClient {
    /// A client for a recording; an empty path is the bundled example. `wake` is called when there is something new to show.
    #[must_use]
    pub fn new(recording: PathBuf, wake: Wake) -> Self {
        Self {
            engine: None,
            recording,
            wake,
            connection: None,
            state: EngineState::Idle,
            ready: Instant::now(),
            opening: None,
            catalog: Arc::default(),
            last_id: 0,
            runs: Vec::new(),
        }
    }

    /// Sets the engine to start.
    pub fn set_engine(&mut self, engine: Option<Arc<dyn QueryEngine>>) {
        self.engine = engine;
    }

    /// State of the engine.
    #[must_use]
    pub const fn state(&self) -> &EngineState {
        &self.state
    }

    /// Progress of loading the recording, while the engine starts.
    #[must_use]
    pub fn opening(&self) -> Option<&Opening> {
        self.opening.as_ref().filter(|_| self.state == EngineState::Starting)
    }

    /// The columns of a result with places in a profile. Numbers of slices are none of them unless the engine has opened
    /// the same recording.
    #[must_use]
    pub fn places(&self, result: &QueryResult, profile: &Profile) -> PlaceColumns {
        let places = PlaceColumns::of(result);
        if self.catalog.describes(profile) { places } else { PlaceColumns { marker: None, ..places } }
    }

    /// The tables and functions of the engine; empty until it is ready.
    #[must_use]
    pub const fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }

    /// Starts the engine unless it runs.
    pub fn start(&mut self) {
        if self.connection.is_some() {
            return;
        }
        let Some(engine) = &self.engine else {
            self.state = EngineState::Failed(EngineFailure::new("Queries are not available here."));
            return;
        };
        match Connection::start(&**engine, &self.recording, &self.wake) {
            Ok(connection) => {
                (self.connection, self.state, self.opening) = (Some(connection), EngineState::Starting, None);
            }
            Err(failure) => self.state = EngineState::Failed(failure),
        }
    }

    /// Starts a query, and the engine if it does not run.
    pub fn run(&mut self, sql: &str) -> QueryId {
        self.run_within(sql, QueryLimits::default())
    }

    /// Starts a query with limits, and the engine if it does not run.
    pub fn run_within(&mut self, sql: &str, limits: QueryLimits) -> QueryId {
        self.start();
        self.last_id += 1;
        let id = QueryId(self.last_id);
        let state = match (&self.connection, &self.state) {
            (Some(connection), _) => {
                connection.send(query_line(id, sql, limits.rows));
                RunState::Running
            }
            (None, EngineState::Failed(failure)) => RunState::Failed(QueryError::new(failure.message.clone())),
            (None, _) => RunState::Failed(QueryError::new("The query engine does not run.")),
        };
        let result = QueryResult::default();
        self.runs.push(QueryRun {
            id,
            sql: sql.into(),
            state,
            result,
            started: Instant::now(),
            limits,
            is_cut: false,
            is_timed_out: false,
        });
        id
    }

    /// A query that was started and is not forgotten.
    #[must_use]
    pub fn get(&self, id: QueryId) -> Option<&QueryRun> {
        self.runs.iter().find(|run| run.id == id)
    }

    fn get_mut(&mut self, id: QueryId) -> Option<&mut QueryRun> {
        self.runs.iter_mut().find(|run| run.id == id)
    }

    /// A finished query with a text.
    #[must_use]
    pub fn finished(&self, sql: &str) -> Option<&QueryRun> {
        self.runs.iter().find(|run| run.is_done() && *run.sql == *sql)
    }

    /// Asks the engine to stop a query. A second call ends the engine, which then does not react.
    pub fn cancel(&mut self, id: QueryId) {
        let Some(run) = self.get_mut(id) else { return };
        match run.state {
            RunState::Running => {
                run.state = RunState::Canceling;
                self.send_cancel(id);
            }
            RunState::Canceling => {
                run.state = RunState::Canceled;
                self.end("The query engine was stopped.");
                self.state = EngineState::Idle;
            }
            RunState::Done { .. } | RunState::Failed(_) | RunState::Canceled => {}
        }
    }

    fn send_cancel(&self, id: QueryId) {
        self.connection.iter().for_each(|connection| connection.send(cancel_line(id)));
    }

    /// Drops a query and its result.
    pub fn forget(&mut self, id: QueryId) {
        if self.get(id).is_some_and(QueryRun::is_running) {
            self.send_cancel(id);
        }
        self.runs.retain(|run| run.id != id);
    }

    /// Ends the engine; running queries fail for a reason.
    fn end(&mut self, reason: &str) {
        self.connection = None;
        for run in self.runs.iter_mut().filter(|run| run.is_running()) {
            run.state = match run.state {
                RunState::Canceling => RunState::Canceled,
                _ => RunState::Failed(QueryError::new(reason)),
            };
        }
    }

    fn fail(&mut self, failure: EngineFailure) {
        self.end(&failure.message);
        self.state = EngineState::Failed(failure);
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Ended(how) => {
                // An engine that has said why it failed ends afterwards.
                if !matches!(self.state, EngineState::Failed(_)) {
                    self.fail(EngineFailure::new(format!("The query engine ended unexpectedly: {how}.")));
                }
                self.connection = None;
            }
            Message::Reply(Reply::Opening(opening)) => self.opening = Some(opening),
            Message::Reply(Reply::Ready(catalog)) => {
                (self.catalog, self.state, self.ready) = (Arc::new(catalog), EngineState::Ready, Instant::now());
            }
            Message::Reply(Reply::Failed(message)) => self.fail(EngineFailure::new(message)),
            Message::Reply(reply) => self.take_answer(reply),
        }
    }

    /// Takes a part of the answer to a query. Answers to forgotten queries are dropped.
    fn take_answer(&mut self, reply: Reply) {
        let (Reply::Columns(id, _)
        | Reply::Batch(id, _)
        | Reply::Done { id, .. }
        | Reply::Error(id, _)
        | Reply::Canceled(id)) = &reply
        else {
            return;
        };
        let Some(run) = self.get_mut(*id).filter(|run| run.is_running()) else { return };
        let id = run.id;
        match reply {
            Reply::Columns(_, columns) => run.result = QueryResult::new(columns),
            Reply::Batch(_, batch) => {
                let has_room = !run.is_cut && run.result.bytes() < MAX_RESULT_BYTES;
                let fits = has_room && run.result.add(batch, run.limits.rows);
                if !fits && !std::mem::replace(&mut run.is_cut, true) {
                    self.send_cancel(id);
                }
            }
            Reply::Done { rows, ms, more, .. } => {
                let arrived = run.result.rows();
                run.state = if run.is_cut || arrived == rows {
                    RunState::Done { ms, more: more || run.is_cut }
                } else {
                    let missing = format!("The query engine counted {rows} rows, but {arrived} arrived.");
                    RunState::Failed(QueryError::new(missing))
                };
            }
            // The window itself stops a query that has reached its limits.
            Reply::Canceled(_) if run.is_cut && run.state == RunState::Running => {
                let ms = run.started.elapsed().as_secs_f64() * 1000.0;
                run.state = RunState::Done { ms, more: true };
            }
            Reply::Canceled(_) => run.state = RunState::Canceled,
            Reply::Error(_, error) => run.state = RunState::Failed(error),
            Reply::Opening(_) | Reply::Ready(_) | Reply::Failed(_) => {}
        }
    }

    /// The time that is left to the running query whose limit comes first. Loading the recording does not count.
    fn time_left(&self) -> Option<Duration> {
        let is_ready = self.state == EngineState::Ready;
        self.runs.iter().filter(|_| is_ready).filter_map(|run| run.time_left(self.ready)).min()
    }

    /// Stops the queries whose time is over.
    fn stop_overdue(&mut self) {
        if self.state != EngineState::Ready {
            return;
        }
        let mut stopped = Vec::new();
        for run in &mut self.runs {
            if run.time_left(self.ready).is_some_and(|left| left.is_zero()) {
                run.is_timed_out = true;
                run.state = RunState::Failed(QueryError::new("The query took longer than its time limit."));
                stopped.push(run.id);
            }
        }
        stopped.into_iter().for_each(|id| self.send_cancel(id));
    }

    /// Waits until no query is running.
    fn wait_for_answers(&mut self) {
        while self.runs.iter().any(QueryRun::is_running) {
            let left = self.time_left();
            let next =
                self.connection.as_ref().and_then(|connection| connection.wait_for_next(left.unwrap_or(MAX_WAIT)));
            match next {
                Some(message) => self.take(message),
                None if self.connection.is_some() && left.is_some() => {}
                None => self.fail(EngineFailure::new("The query engine does not answer.")),
            }
            self.stop_overdue();
        }
    }

    /// Takes the messages that have arrived; a part of them if there are many.
    pub(crate) fn poll(&mut self) {
        let begin = Instant::now();
        self.stop_overdue();
        while let Some(message) = self.connection.as_ref().and_then(Connection::try_next) {
            self.take(message);
            if begin.elapsed() > POLL_TIME {
                return (self.wake)();
            }
        }
    }
}

impl Job for QueryClient {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        Vec::new()
    }

    fn poll(&mut self, _index: &Arc<Index>) {
        Self::poll(self);
    }

    fn is_busy(&self) -> bool {
        self.runs.iter().any(QueryRun::is_running)
    }

    fn wait(&mut self, _index: &Arc<Index>) {
        self.wait_for_answers();
    }
}

#[cfg(test)]
mod tests;
