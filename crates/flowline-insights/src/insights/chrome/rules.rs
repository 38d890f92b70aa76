//! The list of rules, in the order in which their answers are listed.

use super::cache::CacheRule;
use super::character_set::CharacterSetRule;
use super::cls_culprits::ClsCulpritsRule;
use super::dependency_tree::NetworkDependencyTreeRule;
use super::document_latency::DocumentLatencyRule;
use super::dom_size::DomSizeRule;
use super::font_display::FontDisplayRule;
use super::forced_reflow::ForcedReflowRule;
use super::image_delivery::ImageDeliveryRule;
use super::inp_breakdown::InpBreakdownRule;
use super::lcp_breakdown::LcpBreakdownRule;
use super::lcp_discovery::LcpDiscoveryRule;
use super::long_tasks::LongTasksRule;
use super::modern_http::ModernHttpRule;
use super::render_blocking::RenderBlockingRule;
use super::slow_css_selector::SlowCssSelectorRule;
use super::third_parties::ThirdPartiesRule;
use super::viewport::ViewportRule;
use crate::insights::rule::Rule;

/// All rules.
pub(in crate::insights) static RULES: [&dyn Rule; 18] = [
    &InpBreakdownRule,
    &LcpBreakdownRule,
    &LcpDiscoveryRule,
    &ClsCulpritsRule,
    &RenderBlockingRule,
    &NetworkDependencyTreeRule,
    &ImageDeliveryRule,
    &DocumentLatencyRule,
    &FontDisplayRule,
    &ViewportRule,
    &DomSizeRule,
    &ThirdPartiesRule,
    &SlowCssSelectorRule,
    &ForcedReflowRule,
    &CacheRule,
    &CharacterSetRule,
    &ModernHttpRule,
    &LongTasksRule,
];
