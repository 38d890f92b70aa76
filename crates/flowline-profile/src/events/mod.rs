//! Trace events: their text, their members outside the payload, and their stacks.

mod members;
pub mod stack;
pub mod trace_events;
