//! Counts as text.

use flowline_format::{format_count, format_counted};

/// A count with thousands separators.
pub(crate) fn grouped(count: usize) -> String {
    format_count(count as u64)
}

/// A count with its noun, singular or plural.
pub(crate) fn counted(count: usize, one: &str) -> String {
    format_counted(count as u64, one)
}
