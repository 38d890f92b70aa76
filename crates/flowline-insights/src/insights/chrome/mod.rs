//! The rules for traces of Chrome.

mod cache;
mod cache_lifetime;
mod call_places;
mod character_set;
mod cls_culprits;
mod dependencies;
mod dependency_tree;
mod document_latency;
mod dom_size;
mod font_display;
mod forced_reflow;
mod forcing_calls;
mod http_date;
mod image_delivery;
mod image_savings;
mod inp_breakdown;
mod lcp;
mod lcp_breakdown;
mod lcp_discovery;
mod long_tasks;
mod modern_http;
mod render_blocking;
mod requested;
mod rules;
mod slow_css_selector;
mod third_parties;
mod top_functions;
mod viewport;

pub(super) use rules::RULES;
