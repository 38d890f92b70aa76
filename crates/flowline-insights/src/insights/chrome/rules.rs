//! The list of rules, in the order in which their answers are listed.

use super::character_set::CharacterSetRule;
use super::dependency_tree::NetworkDependencyTreeRule;
use super::document_latency::DocumentLatencyRule;
use super::lcp_breakdown::LcpBreakdownRule;
use super::lcp_discovery::LcpDiscoveryRule;
use super::long_tasks::LongTasksRule;
use super::modern_http::ModernHttpRule;
use super::render_blocking::RenderBlockingRule;
use super::viewport::ViewportRule;
use crate::insights::rule::Rule;

/// All rules.
pub(in crate::insights) static RULES: [&dyn Rule; 9] = [
    &LcpBreakdownRule,
    &LcpDiscoveryRule,
    &RenderBlockingRule,
    &NetworkDependencyTreeRule,
    &DocumentLatencyRule,
    &ViewportRule,
    &CharacterSetRule,
    &ModernHttpRule,
    &LongTasksRule,
];
