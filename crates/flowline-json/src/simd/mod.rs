//! SIMD scans of JSON text, 16 or 64 bytes at a time.

mod avx2;
mod bracket_scan;
mod containers;
mod lane;

pub(super) use bracket_scan::ContainerEnd;
pub(super) use containers::container_end;
pub(super) use lane::{before_quote, number_length};
