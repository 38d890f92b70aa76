//! The query tab: SQL over the recording, with an editor, results that reveal what they are about, and tracks of results.

mod cells;
mod completion;
mod editor;
mod examples;
mod export;
mod history;
mod order;
mod panel;
mod places;
mod request;
mod rows;
mod saved_state;
mod sql_text;
mod state;
mod tools;

pub(crate) use panel::show;
pub(crate) use request::QueryRequest;
pub(crate) use rows::query_id;
pub(crate) use state::QueryTable;
