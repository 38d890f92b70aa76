//! Tables of stacks, frames and functions as read, and their union for the whole recording.
//!
//! Raw profiles have stacks and frames per thread, and a text per frame (`location`). Processed profiles also have
//! function tables: one set per thread, and since version 60 one set for all threads. `tables` reads these, and `unite`
//! merges all of them into `flowline_profile::StackTables`.

mod function_columns;
mod functions;
mod location;
mod order;
mod process;
mod raw_functions;
mod renumber;
mod stack_columns;
mod stack_merge;
mod tables;

pub(super) use function_columns::SourceColumns;
pub(super) use location::{Location, locations};
pub(super) use process::{Extension, ProcessTables, extensions};
pub(super) use renumber::SampledThread;
pub(super) use stack_columns::StackColumns;
pub(super) use stack_merge::{Inputs, unite};
pub(super) use tables::{read_libraries, read_member};
