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
mod bundle;
mod chrome_events;
mod clock_segment;
mod clocks;
mod compact_events;
mod convert;
mod counter_descriptors;
mod counter_number;
mod cpu_rows;
mod cut;
mod cut_clock;
mod detection;
mod divided_trace;
mod event;
mod event_stack;
mod events;
mod first_pass;
mod frame_timeline;
mod gpu_counters;
mod heap_profiles;
mod importer;
mod interrupt_row;
mod json_text;
mod kernel;
mod kernel_counters;
mod kernel_facts;
mod kernel_kinds;
mod kernel_slices;
mod legacy;
mod log_messages;
mod messages;
mod module_symbols;
mod named;
mod named_groups;
mod named_tracks;
mod other_kinds;
mod other_packets;
mod output;
mod owner_descriptor;
mod owner_text;
mod packet;
mod power_counters;
mod print_events;
mod process_memory;
mod process_name;
mod quiet_output;
mod reader;
mod samples;
mod scheduling;
mod schema;
mod sequence;
mod sequences;
mod siblings;
mod skipped_data;
mod skipped_packets;
mod stacks;
mod system_counters;
mod task_states;
mod text_filter;
mod text_output;
mod thread_names;
mod thread_states;
mod trace_texts;
mod track_event;
mod tracks;
mod triggers;
mod whole_text;
pub(super) mod wire;
mod writer;

pub use as_text::as_text;
pub(super) use as_text::cut_as_json;
pub(super) use convert::ENDINGS;
pub(super) use cut::cut;
pub(super) use detection::{is_foreign, is_trace};
pub(super) use importer::Perfetto;
pub use trace_texts::trace_texts;
