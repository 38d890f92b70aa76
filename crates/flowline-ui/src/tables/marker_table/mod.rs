//! The marker table: all markers of the scope, sortable by any column.
//!
//! Rows are marker ids, 4 bytes each, sorted on the pool. Only visible rows are formatted.

mod cells;
mod panel;
mod saved_state;
mod state;
mod tools;

pub(crate) use panel::{show, table_id};
pub(crate) use state::MarkerTable;
