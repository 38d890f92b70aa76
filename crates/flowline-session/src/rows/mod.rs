//! Rows and counts of the chart and the tables, built on the pool.

mod hidden_rows;
mod marker_order;
mod overview_task;
mod row_builder;
mod scope_counter;

pub(crate) use hidden_rows::{HiddenRows, is_hide};
pub use marker_order::{MarkerColumn, ordered, ordered_shown};
pub(crate) use overview_task::OverviewTask;
pub use row_builder::RowBuilder;
pub use scope_counter::ScopeCounter;
