//! The flow panel below the chart, and the tools for flow lanes.

pub(crate) mod flow_header;
pub(crate) mod flow_lane_tools;
mod flow_legend;
pub(crate) mod flow_panel;
mod flow_reason;
mod flow_row;
pub(crate) mod pin_rename;
