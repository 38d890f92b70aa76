//! Firefox profiles: raw (written by Firefox), processed (saved by the Firefox Profiler), and processed in a JSLB
//! container.
//!
//! `outline` walks the text once on one core and finds the threads. Meanwhile the other cores read the threads found so
//! far (`gecko`, `processed`) into columns (`raw_thread`, `sampled`). `derive` derives markers from raw markers, and
//! `join` assigns recording-wide ids to names, types and categories. `stacks` does the same for functions, frames and
//! stacks.

mod allocations;
mod builtin_schemas;
mod categories;
mod columns;
mod counters;
mod cut;
mod damage;
mod derive;
mod dialect;
mod finish;
mod gecko;
mod graphs;
mod importer;
mod join;
mod marker_stack;
mod meta;
mod number_columns;
mod outline;
mod pages;
mod partial_thread;
mod parts;
mod processed;
mod raw_thread;
mod read_thread;
mod sampled;
mod sentinels;
mod slabs;
mod stacks;
mod type_names;

pub(super) use cut::cut;
pub use derive::UNKNOWN_NAME;
pub(super) use importer::Firefox;
