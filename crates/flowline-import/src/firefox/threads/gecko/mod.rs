//! Raw Gecko profiles, as Firefox writes them: `{schema, data}` tables of tuples, and one string table per thread.

mod counters;
mod row;
mod samples;
mod table;
mod thread;

pub(in crate::firefox) use counters::{first_group, read_counters};
pub(in crate::firefox) use table::{RawColumn, read_table};
pub(in crate::firefox) use thread::{read_header, read_markers, read_thread};
