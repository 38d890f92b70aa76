//! The rules for profiles of Firefox.

mod forced_reflow;
mod functions;
mod inp_breakdown;
mod jank;
mod long_tasks;
mod main_thread_io;
mod network_waits;
mod quiet;
mod rules;
mod sync_ipc;

pub(super) use rules::insights;
