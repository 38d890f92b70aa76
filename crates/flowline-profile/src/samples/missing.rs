//! The number of a missing stack, line or column.

/// Missing stack, line, column or other number in an integer column.
pub const NONE: u32 = u32::MAX;
