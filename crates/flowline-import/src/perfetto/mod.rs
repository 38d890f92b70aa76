//! Converts Perfetto traces, which are protocol buffer packets from Chrome, Android, and programs that use the Perfetto
//! SDK.
//!
//! Packets become the events that the importer of Chrome traces reads from JSON (`event`), so that both share everything
//! that follows. Members outside the JSON format carry data that the format cannot express: ids of tracks
//! (`id2.track`), several flows per event (`flow_ids`, `terminating_flow_ids`), and counter units.
//!
//! The trace is read twice: first the data that applies to the whole trace (`first_pass`: clocks, tracks, names), then
//! the packets (`writer`), which refer to state from earlier packets of their `sequence`. One thread follows that state
//! and copies it at checkpoints; all others read the events of the parts behind it (`reader`). An `output` takes the
//! events: a batch for the import (`batch_output`), a document for copies (`whole_text`), or the text of one event
//! (`trace_texts`). `packet` finds packets, and `wire` parses messages.

mod args;
mod as_text;
mod bases;
mod batch_output;
mod clock_segment;
mod clocks;
mod convert;
mod counter_number;
mod cut;
mod cut_clock;
mod destination_use;
mod detection;
mod divided_trace;
mod event;
mod event_stack;
mod events;
mod first_pass;
mod importer;
mod json_text;
mod kernel;
mod legacy;
mod machine_ids;
mod machine_state;
mod machines;
mod messages;
mod named;
mod named_tracks;
mod output;
mod owner_descriptor;
mod owner_text;
mod packet;
mod process_name;
mod quiet_output;
mod reader;
mod samples;
mod schema;
mod sequence;
mod sequences;
mod siblings;
mod skipped_data;
mod sources;
mod stacks;
mod state;
mod targets;
mod text_filter;
mod text_output;
mod trace_texts;
mod track_event;
mod tracks;
mod whole_text;
pub(super) mod wire;
mod writer;

pub use as_text::as_text;
pub(super) use as_text::cut_as_json;
pub(super) use convert::ENDINGS;
pub(super) use cut::{PacketFilter, cut};
pub(super) use detection::{is_foreign, is_trace};
pub(super) use importer::Perfetto;
pub use trace_texts::trace_texts;
