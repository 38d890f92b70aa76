//! The flow graph: the markers of each flow, the flows of each marker, the parents of flow markers, and lookup of flows
//! by id and time. (`docs/flows.md` documents the rules.)
//!
//! A flow is one use of an id. It begins with the first marker that references the id and ends with the first
//! terminating field after that, or never. The graph consists of flat columns of 32-bit numbers; the id texts stay in
//! the input.

mod address;
mod appearance;
mod build_graph;
mod connections;
mod context;
mod explicit_flows;
mod field_references;
mod flow_builder;
mod flow_lane;
mod flow_timeline;
mod flows_by_id;
mod graph;
mod id_positions;
mod ids;
mod lane_data;
mod lookup;
mod marker_flow_fields;
mod marker_flows;
mod posted_name;
mod postings;
mod rule_matcher;
mod rule_names;
mod rule_values;
mod rules;
mod shape;
mod shape_rows;
mod tracks;

pub use address::elided;
pub use appearance::{FlowAppearance, RuleMatcher};
pub use connections::{Chain, Connections};
pub use context::Children;
pub use flow_lane::LaneShape;
pub use flow_timeline::{FlowFacts, FlowTimeline, SegmentKind, TimelineSegment, TimelineTotals, type_path};
pub use graph::FlowGraph;
pub(crate) use graph::{end_of, start_of, times_of};
pub use lane_data::{LaneData, TypeNode, TypeTree};
pub use lookup::FlowName;
pub use marker_flow_fields::MarkerFlow;
pub use posted_name::{PostedName, posted_name};
pub use rules::{FlowRule, FlowRules};
pub use shape::{FlowShape, group_name};
pub use shape_rows::ShapeSpan;
pub use tracks::{FlowSetup, FlowTrack, FlowTrackRow, FlowTrackShapes};
