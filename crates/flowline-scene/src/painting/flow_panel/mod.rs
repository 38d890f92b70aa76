//! Drawing of the flow panel: rows of boxes, tints and dots under the chart's axis, and the connections between rows.

mod chart_path;
mod hatching;
mod hit;
mod links;
mod panel;

pub(crate) use chart_path::{PathCache, build as build_path};
pub use hit::flow_hit;
pub(crate) use panel::build;
