//! The table of all flows, sortable by length, waits, and the number of processes a flow crosses, among others.
//! Counting, filtering and sorting run on the pool; the previous rows stay visible until they finish. The cursor stays
//! on its flow when rows change.

mod columns;
mod facts;
mod filter;
mod flow_times;
mod kind_menu;
mod panel;
mod rows;
mod saved_state;
mod state;
mod texts;
mod tools;

pub use columns::FlowColumn;
pub(crate) use panel::show;
pub(crate) use state::FlowTable;
pub(crate) use state::flows_id;
