//! The insights table: what was slow in each page load, and why.

mod cells;
mod commands;
mod fact_rows;
mod fact_table;
mod fact_titles;
mod folds;
mod paint;
mod paint_metrics;
mod panel;
mod row;
mod row_list;
mod row_target;
mod rows;
mod shown_facts;
mod state;
mod state_icon;
mod tools;

pub(crate) use panel::{insights_id, show};
pub(crate) use state::InsightTable;
