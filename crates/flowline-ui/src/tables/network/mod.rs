//! The network table: the requests of the scope, with a waterfall of their phases.
//!
//! Requests are collected, filtered and sorted on the pool. A request is in the scope if it overlaps the range and one
//! of its markers is on a track of the scope and matches the search.

mod columns;
mod panel;
mod saved_state;
mod state;
mod tools;
mod waterfall;

pub(crate) use panel::show;
pub(crate) use state::NetworkTable;
pub(crate) use state::network_id;
