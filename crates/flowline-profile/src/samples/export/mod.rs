//! Export of samples for other programs: collapsed stacks and speedscope JSON.
//!
//! Both are streamed; memory use grows with the number of distinct stacks, not of samples. Importing the file again
//! results in the same stacks and weights (samples without a stack only with speedscope).

mod collapsed;
mod listed;
mod samples;
mod speedscope;
#[cfg(test)]
mod tests;
mod text;

pub use listed::ListedStacks;
pub use samples::Export;
