//! `flowline insights`, and insights as other commands print them.

mod broken;
mod budget;
mod choice;
mod command;
mod json;
mod object;
mod table;

pub(super) use command::run;
pub(super) use json::insight_json;
