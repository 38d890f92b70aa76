//! `flowline stats` and `flowline compare`.

mod compare;
mod compare_functions;
mod functions;
mod group_text;
mod growth;
mod lists;
mod memory_check;
mod stats;
mod summary;

pub(super) use compare::run as compare;
pub(super) use stats::run as stats;
