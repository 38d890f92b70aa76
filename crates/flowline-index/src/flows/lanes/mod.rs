//! Flow lanes: timelines of runs and waits, facts for tables, and shapes.

mod flow_lane;
mod flow_timeline;
mod lane_data;

pub use flow_lane::LaneShape;
pub use flow_timeline::{FlowFacts, FlowTimeline, PostedFrom, SegmentKind, TimelineSegment, TimelineTotals, type_path};
pub use lane_data::{LaneData, TypeNode, TypeTree};
