//! `flowline dump`: a recording's contents as JSON Lines, and samples in formats of other tools.

mod annotations;
mod calls;
mod calltree;
mod command;
mod flows;
mod insights;
mod milestones;
mod path;
mod samples;
mod stacks;
mod threads;
mod view;

pub(super) use command::run;
