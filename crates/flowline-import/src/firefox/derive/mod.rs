//! Derives markers from raw markers: pairs starts with ends, network requests, screenshots, and IPC messages.
//! The rules are those of the Firefox Profiler; `docs/markers.md` lists them, with the differences.

mod context;
mod ipc;
mod names;
mod network;
mod output;
mod pairs;
mod rows;
mod rules;
mod screenshots;
mod thread;

pub(super) use context::ThreadContext;
pub(super) use ipc::{Messages, correlate, message_groups};
pub(super) use names::NameRef;
pub use names::UNKNOWN_NAME;
pub(super) use output::Derived;
pub(super) use rows::{MarkerRows, RowLink};
pub(super) use rules::{PayloadTypeInfo, payload_type_infos};
pub(super) use thread::{derive, thread_range};
