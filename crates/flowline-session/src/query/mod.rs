//! SQL over an open recording: the protocol of the program `flowline-query`, the client that runs it as a child process,
//! results as columns, and tracks made of results.

mod catalog;
mod client;
mod connection;
mod engine;
mod limits;
mod line_reader;
mod protocol;
mod query_tracks;
mod read_only;
mod result;
mod result_column;
mod row_target;
mod run;

pub use catalog::{Catalog, CatalogColumn, CatalogFunction, CatalogTable, EngineRecording};
pub use client::{EngineState, QueryClient};
pub use engine::{EngineConnection, EngineFailure, EngineProcess, QueryEngine};
pub use limits::{LINKED_QUERY_TIME, LinkedQueries, MAX_QUERY_ROWS, QueryLimits};
pub use protocol::Opening;
pub(crate) use query_tracks::QueryTracksTask;
pub use result::QueryResult;
pub use result_column::{ColumnType, Field, ResultColumn};
pub use row_target::{PlaceColumns, RowTarget};
pub use run::{QueryError, QueryId, QueryRun, RunState};
