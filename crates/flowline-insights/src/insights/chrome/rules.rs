//! The list of rules, in the order in which their answers are listed.

use super::long_tasks::LongTasksRule;
use crate::insights::rule::Rule;

/// All rules.
pub(in crate::insights) static RULES: [&dyn Rule; 1] = [&LongTasksRule];
