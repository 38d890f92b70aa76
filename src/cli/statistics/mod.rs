//! `flowline stats` and `flowline compare`.

mod compare;
mod group_text;
mod lists;
mod memory_check;
mod stats;
mod summary;

pub(super) use compare::run as compare;
pub(super) use stats::run as stats;
