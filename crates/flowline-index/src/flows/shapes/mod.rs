//! The shapes of flows: rows of the flow panel, and flows as tracks of the chart.

mod flow_shape;
mod flow_tracks;
mod rule_box;
mod shape_rows;

pub use flow_shape::{FlowShape, group_name};
pub use flow_tracks::{FlowSetup, FlowTrack, FlowTrackRow, FlowTrackShapes};
pub use rule_box::RuleBox;
pub(crate) use shape_rows::ShapeRow;
pub use shape_rows::ShapeSpan;
