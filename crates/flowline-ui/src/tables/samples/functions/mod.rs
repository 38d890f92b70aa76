//! The list of all functions.

mod function_list;
mod function_table;

pub(super) use function_list::{exported, show};
pub(super) use function_table::FunctionTable;
