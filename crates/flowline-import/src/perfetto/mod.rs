//! Converts Perfetto traces, which are protocol buffer packets from Chrome, Android, and programs that use the Perfetto
//! SDK.
//!
//! A trace is converted to trace events in JSON. The Chrome importer reads the JSON while it is being written, as it
//! reads text that is being decompressed. Details, search, notes and cuts therefore work for both formats. Members
//! outside the JSON format carry data that the format cannot express: ids of tracks (`id2.track`), several flows per
//! event (`flow_ids`, `terminating_flow_ids`), and counter units.
//!
//! The trace is read twice: first the data that applies to the whole trace (`facts`: clocks, tracks, names), then the
//! events in file order (`writer`). A packet refers to state from earlier packets of its `sequence`. `packet` finds
//! packets, and `wire` parses messages.

mod args;
mod clocks;
mod convert;
mod detection;
mod events;
mod first_pass;
mod json_text;
mod kernel;
mod legacy;
mod messages;
mod packet;
mod print_events;
mod samples;
mod scheduling;
mod schema;
mod sequence;
mod stacks;
mod thread_states;
mod track_event;
mod tracks;
pub(super) mod wire;
mod writer;

pub(super) use convert::{ENDINGS, End, write_events};
pub(super) use detection::{is_foreign, is_trace};
