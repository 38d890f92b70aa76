//! Rows and counts of the chart and the tables, built on the pool.

mod hidden_rows;
mod marker_order;
mod row_builder;
mod scope_counter;

pub(crate) use hidden_rows::{HiddenRows, is_hide};
pub use marker_order::{MarkerColumn, ordered, ordered_shown};
pub use row_builder::RowBuilder;
pub use scope_counter::ScopeCounter;
