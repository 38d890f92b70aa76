//! The flow graph: the markers of each flow, the flows of each marker, the parents of flow markers, and lookup of flows
//! by id and time. (`docs/flows.md` documents the rules.)
//!
//! A flow is one use of an id. It begins with the first marker that references the id and ends with the first
//! terminating field after that, or never. The graph consists of flat columns of 32-bit numbers; the id texts stay in
//! the input.

mod graph;
mod ids;
mod lanes;
mod rules;
mod shapes;

pub use graph::{Chain, Children, Connections, FlowGraph, MarkerFlow};
pub(crate) use graph::{end_of, start_of};
pub use ids::{FlowName, elided};
pub use lanes::{
    FlowFacts, FlowTimeline, LaneData, LaneShape, PostedFrom, SegmentKind, TimelineSegment, TimelineTotals, TypeNode,
    TypeTree, type_path,
};
pub use rules::{FlowAppearance, FlowRule, FlowRules, PostedName, RuleMatcher, posted_name};
pub use shapes::{FlowSetup, FlowShape, FlowTrack, FlowTrackRow, FlowTrackShapes, RuleBox, ShapeSpan, group_name};
