//! One profile from all threads and processes.

pub(super) mod builtin_schemas;
pub(super) mod categories;
pub(super) mod counters;
pub(super) mod graphs;
pub(super) mod join;
mod stack_fields;
