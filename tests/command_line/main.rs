//! The command line as used by people and scripts: tests run the program and check its output, messages and exit
//! status.

#[path = "../support/mod.rs"]
mod support;

mod alignment;
mod blank;
mod cache;
mod calls;
mod chrome;
mod cut;
mod cut_answers;
mod cut_readable;
mod desktop;
mod dump;
mod errors;
mod escaped_text;
mod flows;
mod insights;
mod interactions;
mod links;
mod memory_limits;
mod notes;
mod outputs;
mod page_warnings;
mod paths;
mod presets;
mod query;
mod query_tracks;
mod render;
mod samples;
mod self_profile;
mod stacks;
mod statistics;
mod statistics_fields;
mod streams;
mod synth;
mod tabs;
mod terminal;

use serde_json::Value;

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn count(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is not a count"))
}
