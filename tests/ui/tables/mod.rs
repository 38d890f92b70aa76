//! Tables and trees of the drawer.

mod columns;
mod event_log;
mod exports;
pub(crate) mod flow_table;
mod flow_tree;
mod insight_steps;
mod insights;
mod lit_rows;
mod marker_table;
mod network;
mod query;
mod sample_trees;
mod scrolling;
mod selection;
mod statistics;
mod statistics_columns;
mod tool_strips;
mod visible_range;
