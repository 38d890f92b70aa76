//! A set of flow rules, and how a user's rules override the built-in ones.

use super::rule::{FlowRule, Pattern};
use flowline_profile::persist::persist;

/// Flow rules in matching order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlowRules {
    pub(crate) rules: Vec<FlowRule>,
    /// Postings, each a list of stages in order, each a list of marker names.
    pub(super) once: Vec<Vec<Vec<Pattern>>>,
    /// Names of disabled built-in rules.
    pub(super) disable: Vec<Pattern>,
}

persist!(FlowRules { rules, once, disable });

/// Name of the built-in list of postings in `disable`.
pub(super) const ONCE: &str = "once";

impl FlowRules {
    /// These rules with a user's overrides: the user's rules are tried first, replace those of the same name, and may
    /// disable others by name.
    #[must_use]
    pub fn with_user(self, user: Self) -> Self {
        let stays = |rule: &FlowRule| {
            let is_replaced = user.rules.iter().any(|own| !own.name.is_empty() && own.name == rule.name);
            !is_replaced && !user.disable.iter().any(|pattern| pattern.matches(&rule.name))
        };
        let kept: Vec<FlowRule> = self.rules.into_iter().filter(stays).collect();
        let mut rules = user.rules;
        rules.extend(kept);
        let mut once = user.once;
        if !user.disable.iter().any(|pattern| pattern.matches(ONCE)) {
            once.extend(self.once);
        }
        Self { rules, once, disable: Vec::new() }
    }

    /// These rules without postings: only terminating fields split flows, as in other programs.
    #[must_use]
    #[inline]
    pub fn without_postings(self) -> Self {
        Self { once: Vec::new(), ..self }
    }

    /// True if both sets of rules yield the same flows for a recording.
    #[must_use]
    #[inline]
    pub fn same_flows(&self, other: &Self) -> bool {
        self.once == other.once
    }

    /// Postings, each a list of stages in order, each a list of marker names.
    #[inline]
    pub(crate) fn once(&self) -> &[Vec<Vec<Pattern>>] {
        &self.once
    }

    /// Rules in matching order.
    #[inline]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &FlowRule> {
        self.rules.iter()
    }

    /// Number of rules.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// True if there are no rules.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }
}
