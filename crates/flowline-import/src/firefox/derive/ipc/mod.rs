//! IPC messages: the rows of sender and receiver become one marker per side.
//!
//! Rows of a message have the same sender pid, receiver pid, sequence number and type. Firefox reuses sequence numbers,
//! so rows of one key are paired in time order, each send with a later receive: no message ends before it starts.

mod emit;
mod messages;

pub(super) use emit::emit;
pub(in crate::firefox) use messages::{Messages, correlate, message_groups};
