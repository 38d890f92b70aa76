//! The list of rules, in the order in which their answers are listed.

use super::cls_culprits::ClsCulpritsRule;
use super::inp_breakdown::InpBreakdownRule;
use super::long_tasks::LongTasksRule;
use crate::insights::rule::Rule;

/// All rules.
pub(in crate::insights) static RULES: [&dyn Rule; 3] = [&InpBreakdownRule, &ClsCulpritsRule, &LongTasksRule];
