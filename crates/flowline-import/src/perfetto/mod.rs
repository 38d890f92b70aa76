//! Perfetto's traces: packets of a protocol buffer, as Chrome, Android, and programs with Perfetto's library write them.
//!
//! A trace becomes trace events in JSON, which the importer of Chrome traces reads while they are being written, as it reads
//! text that is being unpacked. So everything that is done with events works for both: details, search, notes, smaller copies.
//! What the JSON format has no words for is said in members of our own: ids of tracks (`id2.track`), flows of which an event
//! has several (`flow_ids`, `terminating_flow_ids`), units of counters.
//!
//! The trace is read twice: first what holds for all of it (`facts`: clocks, tracks, names), then its events in the order of
//! the file (`writer`). A packet refers to what its `sequence` has said before; `packet` finds packets, `wire` reads messages.

mod args;
mod clocks;
mod events;
mod facts;
mod json_text;
mod kernel;
mod legacy;
mod messages;
mod packet;
mod printed;
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

use facts::Facts;
use packet::Packet;
use writer::Writer;

/// What the format is called in messages.
pub(super) const NAME: &str = "Perfetto traces";

/// How writing a trace as JSON ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum End {
    /// It is complete; a description of what could not be read.
    Complete(Option<String>),
    /// Whoever takes the text wants no more.
    Stopped,
}

/// Writes a trace as trace events in JSON, piece by piece. `take` gets a piece, and how many bytes of the trace have been read
/// for it; it says whether it wants more.
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
        ended.damage.map(|place| format!("packet at byte {place} of the trace; {} bytes not read", ended.skipped));
    End::Complete(damage)
}
