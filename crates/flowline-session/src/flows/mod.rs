//! Flows: the panel, lanes, timelines, titles, and the critical path.

mod critical_path;
mod flow_lane_model;
mod flow_lane_order;
mod flow_names;
mod flow_panel_model;
mod flow_timelines;
mod flow_titles;
mod wait_text;

pub use critical_path::{CriticalPaths, find_path, path_to_time};
pub use flow_lane_model::FlowLaneModel;
pub use flow_lane_order::{first_lanes, ordered_lanes};
pub(crate) use flow_names::FlowNames;
pub use flow_panel_model::FlowPanelModel;
pub use flow_timelines::{FlowTimelineCard, FlowTimelines, segment_text};
pub use flow_titles::{FlowTitle, FlowTitleCache, why_no_flows};
pub use wait_text::WaitText;
