//! Tooltips of the canvas: of markers and calls, counters, activity and flow lanes.

pub(crate) mod counter_card;
pub(crate) mod cpu_card;
pub(crate) mod flow_lane_card;
mod flow_tooltip;
mod overview_card;
mod query_card;
pub(crate) mod tooltip;
pub(crate) mod tooltip_text;
