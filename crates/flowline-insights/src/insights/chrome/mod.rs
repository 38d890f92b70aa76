//! The rules for traces of Chrome.

mod cls_culprits;
mod inp_breakdown;
mod long_tasks;
mod rules;

pub(super) use rules::RULES;
