//! Insights on the command line.

mod json;

pub(super) use json::insight_json;
