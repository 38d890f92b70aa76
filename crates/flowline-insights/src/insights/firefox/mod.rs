//! The rules for profiles of Firefox.

mod rules;

pub(super) use rules::insights;
