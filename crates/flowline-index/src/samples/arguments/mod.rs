//! The arguments of calls that JavaScript tracing recorded, as text.

mod of_call;
mod reader;
#[cfg(test)]
mod tests;
mod values;

pub(crate) use of_call::MatchingArguments;
pub use of_call::{Arguments, arguments_of};
