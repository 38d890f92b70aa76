//! The command line: commands, exit status and messages. README.md, docs/dump.md and docs/statistics.md document them.

mod annotate;
mod args;
mod bench;
mod cache;
mod completions;
mod cut;
mod dump;
mod export;
#[cfg(target_os = "linux")]
mod graphics_environment;
mod info;
mod insights;
mod lookup;
mod man;
mod memory_limit;
mod opening;
mod output;
mod program;
mod query;
mod query_tracks;
mod render;
mod scope;
mod self_profile;
mod statistics;
mod synth;
mod window;

pub use program::main;
