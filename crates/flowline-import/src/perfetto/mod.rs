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

pub(super) use packet::is_trace;

use first_pass::Facts;
use packet::Packet;
use writer::Writer;

/// Endings of the names of traces.
pub(super) const ENDINGS: [&str; 2] = [".pftrace", ".perfetto-trace"];

/// Result of converting a trace to JSON.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The trace is complete, with a description of unreadable data.
    Complete(Option<String>),
    /// The receiver of the text stopped the conversion.
    Stopped,
}

/// Converts a trace to trace events in JSON, piece by piece. `take` receives each piece and the number of trace bytes
/// read so far, and returns whether to continue.
pub(super) fn write_events(trace: &[u8], take: &mut dyn FnMut(&str, u64) -> bool) -> End {
    let facts = Facts::read(trace, &mut || take("", 0));
    if facts.ended.is_stopped {
        return End::Stopped;
    }
    let mut writer = Writer::new(&facts, trace.len(), take);
    let ended = packet::each(trace, &mut |packet, at| {
        writer.packet(&Packet::read(packet), at as u64);
        !writer.is_stopped()
    });
    writer.finish(trace.len() as u64);
    if ended.is_stopped || writer.is_stopped() {
        return End::Stopped;
    }
    let damage =
        ended.damage.map(|place| format!("packet at byte {place} of the trace; {} bytes skipped", ended.skipped));
    End::Complete(damage)
}
