//! Threads as read: columns of raw markers and samples, of both dialects.

pub(super) mod allocations;
pub(super) mod columns;
pub(super) mod finish;
pub(super) mod gecko;
pub(super) mod marker_stack;
pub(super) mod number_columns;
pub(super) mod partial_thread;
pub(super) mod processed;
pub(super) mod raw_thread;
pub(super) mod read_thread;
pub(super) mod sampled;
pub(super) mod sentinels;
pub(super) mod traced_values;
pub(super) mod type_names;
