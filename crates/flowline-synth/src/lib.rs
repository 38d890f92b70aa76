//! Synthetic recordings of any size, and the bundled example.
//!
//! Recordings are streamed: memory use does not depend on the number of markers, except for eight bytes per flow id of
//! the thread that is being written. The same options always produce the same bytes. The output resembles real
//! recordings: nested tasks in bursts, idle gaps, thousands of instants, overlapping requests, messages between
//! processes, short and very long flows, reused ids, and tasks that run thousands of other tasks while they wait.
//!
//! `plan` determines processes, threads, time and flows; `firefox` and `traces` write the markers with names from their
//! catalogs.
//! `page` writes the visit of a page, frame by frame. `call_tree` generates the stacks of samples. `example` is a handwritten page load, implemented as a small
//! simulation.

mod call_tree;
mod example;
mod firefox;
mod json;
mod options;
mod page;
mod plan;
mod random;
mod share;
#[cfg(test)]
mod tests;
mod traces;
mod write;

pub use example::write_example;
pub use options::{Format, Options};
pub use write::write;
