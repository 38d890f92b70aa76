//! Converts a trace: first what holds for all of it, then its events.

use super::first_pass::Facts;
use super::packet;
use super::targets::Targets;
use super::whole_text::Document;
use super::writer::Writer;

/// Endings of the names of traces.
pub(crate) const ENDINGS: [&str; 2] = [".pftrace", ".perfetto-trace"];

/// Result of converting a trace to JSON.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The trace is complete, with a description of unreadable data.
    Complete(Option<String>),
    /// The receiver of the text stopped the conversion.
    Stopped,
}

/// Converts a trace to trace events in JSON, piece by piece. `take` receives each piece and the number of trace bytes
/// read so far, and returns whether to continue.
pub(crate) fn write_events(trace: &[u8], take: &mut dyn FnMut(&str, u64) -> bool) -> End {
    let facts = Facts::read(trace, &mut || take("", 0));
    if facts.ended.is_stopped {
        return End::Stopped;
    }
    let targets = Targets::default();
    let mut writer = Writer::new((&facts, &targets), trace.len(), Document::<true>::new(take));
    let ended = packet::each(trace, &mut |packet, at| {
        writer.packet(packet, at as u64);
        !writer.is_stopped()
    });
    writer.finish(trace.len() as u64);
    let Writer { output, frames, omitted, .. } = &mut writer;
    output.finish(&facts, &frames.text, omitted);
    if ended.is_stopped || writer.is_stopped() {
        return End::Stopped;
    }
    let damage =
        ended.damage.map(|place| format!("packet at byte {place} of the trace; {} bytes skipped", ended.skipped));
    End::Complete(damage)
}
