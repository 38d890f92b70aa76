//! Damaged, hostile and oversized input, and kept indexes that are damaged or stale: nothing panics or hangs, and what can
//! be read is shown.

#[path = "../support/mod.rs"]
mod support;

mod cache;
mod cold_text;
mod commands;
mod damage;
mod flows;
mod hostile;
mod limits;
mod samples;
mod writers;

use support::recording;
