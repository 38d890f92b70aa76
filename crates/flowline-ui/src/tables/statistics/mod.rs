//! The statistics table: groups of markers of the scope with counts, totals and percentiles, the distribution of a
//! group, and a comparison with another scope or with the second recording; also statistics of counters and flows.

mod columns;
mod comparison;
mod comparison_rows;
mod comparison_state;
mod distribution;
mod distribution_panel;
mod field_choices;
mod group_order;
mod group_table;
mod lists;
mod page_figures;
mod panel;
mod rows;
mod saved_state;
mod side;
mod state;
mod statistics_result;
mod subject;
mod swatches;
mod tools;

pub(crate) use panel::show;
pub(crate) use rows::statistics_id;
pub(crate) use state::StatisticsTable;
pub(crate) use statistics_result::subject as scope_subject;
