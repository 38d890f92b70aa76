//! The flow panel below the chart, and the tools for flow lanes.

pub(crate) mod flow_header;
pub(crate) mod flow_lane_tools;
pub(crate) mod flow_panel;
pub(crate) mod pin_rename;
