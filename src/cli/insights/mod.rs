//! `flowline insights`, and insights as other commands print them.

mod broken;
mod budget;
mod choice;
mod command;
mod difference;
mod json;
mod object;
mod pick;
mod table;

pub(super) use command::run;
pub(super) use difference::write_difference;
pub(super) use json::insight_json;
pub(super) use pick::pick;
