//! The commands of the program.

mod args;
mod export;
mod failure;
mod json;
mod opening;
mod prompt;
mod regressions;
mod run;
mod serve;
mod sql;

pub use run::main;
