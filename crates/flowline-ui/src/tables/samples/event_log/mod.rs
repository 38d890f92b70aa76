//! The event log.

mod log_rows;
mod log_view;

pub(super) use log_rows::{LEAST, LogRows};
pub(super) use log_view::{exported, show};
