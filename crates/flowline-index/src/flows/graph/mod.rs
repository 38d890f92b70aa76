//! The flow graph: read from flow fields or from steps, walked by id, with connections between flows.

mod build_graph;
mod connections;
mod context;
mod explicit_flows;
mod field_references;
mod flow_builder;
mod flow_graph;
mod marker_flow_fields;
mod marker_flows;

pub use connections::{Chain, Connections};
pub use context::Children;
pub(crate) use field_references::{IdToken, ThreadReferences, hash};
pub use flow_graph::FlowGraph;
pub(crate) use flow_graph::{end_of, start_of, times_of};
pub use marker_flow_fields::MarkerFlow;
