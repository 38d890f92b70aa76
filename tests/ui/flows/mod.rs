//! Flows: the flow panel, flow lanes, and the flows of a marker.

mod damage;
mod held_up;
mod hidden_rows;
mod keys;
mod lane_choices;
mod lanes;
mod marker_flows;
mod panel;
mod signs;
mod timeline_waits;
mod timelines;
