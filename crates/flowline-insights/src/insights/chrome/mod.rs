//! The rules for traces of Chrome.

mod long_tasks;
mod rules;

pub(super) use rules::RULES;
