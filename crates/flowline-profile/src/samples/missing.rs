//! The number that stands for a missing one.

/// Missing stack, line, column or other number in an integer column.
pub const NONE: u32 = u32::MAX;
