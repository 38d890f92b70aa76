//! The rules for traces of Chrome.

mod character_set;
mod dependencies;
mod dependency_tree;
mod document_events;
mod document_latency;
mod lcp;
mod lcp_breakdown;
mod lcp_discovery;
mod long_tasks;
mod modern_http;
mod render_blocking;
mod requested;
mod rules;
mod viewport;

pub(super) use rules::RULES;
