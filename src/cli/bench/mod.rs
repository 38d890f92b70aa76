//! `flowline bench`: measures frames, interactions and queries.

mod command;
mod flows;
mod insights;
mod lanes;
mod rows;
mod samples;
mod statistics;
mod steps;
mod waits;

pub(super) use command::run;
