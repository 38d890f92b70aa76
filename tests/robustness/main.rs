//! Damaged, hostile and oversized input, and damaged or stale cached indexes: nothing panics or hangs, and readable
//! data is shown.

#[path = "../support/mod.rs"]
mod support;

mod cache;
mod cold_text;
mod commands;
mod damage;
mod derived_growth;
mod flows;
mod hostile;
mod limits;
mod samples;
mod writers;

use support::recording;
