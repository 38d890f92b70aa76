//! The tables of recordings.

mod args;
mod bounds;
mod builders;
mod catalog;
mod counters;
mod flows;
mod listed;
mod lists;
mod page;
mod provider;
mod rows;
mod scan;
mod slices;
mod stacks;
mod timelines;
mod whole;

pub(crate) use args::arguments;
pub(crate) use bounds::Bounds;
pub(crate) use builders::Columns;
pub(crate) use catalog::open_table;
pub(crate) use flows::arrows;
pub(crate) use lists::start_unix_ns;
pub(crate) use provider::RowsProvider;
pub(crate) use rows::Rows;
pub(crate) use timelines::push_path;
pub(crate) use whole::Whole;
