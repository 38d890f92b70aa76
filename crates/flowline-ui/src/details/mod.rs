//! The details panel.

mod actions;
pub(crate) mod arguments;
pub(crate) mod context_tree;
mod counter_details;
mod facts;
mod flow_details;
mod flow_section;
mod flow_steps;
mod grid;
mod header;
mod layout_shift;
mod metrics;
mod page_load;
pub(crate) mod panel;
mod payload_tree;
mod presentation;
mod recording;
mod screenshot;
pub(crate) mod section;
pub(crate) mod stack_tree;
mod text;
mod timing;
