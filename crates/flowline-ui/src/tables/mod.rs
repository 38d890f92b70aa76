//! Tables of the bottom drawer.

pub(crate) mod active_filters;
pub(crate) mod critical_path;
pub(crate) mod drawer;
pub(crate) mod empty_table;
pub(crate) mod flow_table;
pub(crate) mod flow_tree;
pub(crate) mod insights;
mod kind;
pub(crate) mod marker_table;
pub(crate) mod network;
pub(crate) mod notes;
pub(crate) mod query;
pub(crate) mod samples;
pub(crate) mod selection;
pub(crate) mod statistics;
mod tabs;
mod tool_strip;

pub use kind::TableKind;
