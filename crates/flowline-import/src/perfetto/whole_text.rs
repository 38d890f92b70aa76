//! A whole trace as a document of trace events in JSON, passed on in blocks.

use std::fmt::Write as _;

use super::event::TraceEvent;
use super::first_pass::Facts;
use super::json_text::{integer, string};
use super::output::Output;
use super::skipped_data::SkippedData;
use super::text_output::write_event;

/// The start of a document.
pub(super) const START: &str = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
/// Size of a text block that is passed on, in bytes.
const BLOCK: usize = 1 << 18;

/// Receives a piece of text and the number of trace bytes read so far; returns whether to continue.
pub(super) type TextSink<'t> = &'t mut dyn FnMut(&str, u64) -> bool;

/// The document. `ALL` is false if it has only names and the events that need the state of the whole trace.
pub(super) struct Document<'t, const ALL: bool> {
    take: TextSink<'t>,
    /// Number of trace bytes read so far.
    read: u64,
    /// True if the receiver stopped the conversion.
    is_stopped: bool,
    out: String,
    has_events: bool,
}

impl<'t, const ALL: bool> Document<'t, ALL> {
    /// Starts the document.
    pub(super) fn new(take: TextSink<'t>) -> Self {
        let out = String::from(START);
        Self { take, read: 0, is_stopped: false, out, has_events: false }
    }

    /// Passes the pending text on.
    pub(super) fn pass_on(&mut self) {
        self.is_stopped = self.is_stopped || !(self.take)(&self.out, self.read);
        self.out.clear();
    }

    fn separate(&mut self) {
        // One packet may contain many events, and a few bytes may refer to long names.
        if self.out.len() >= BLOCK {
            self.pass_on();
        }
        self.out.push_str(if std::mem::replace(&mut self.has_events, true) { ",\n" } else { "\n" });
    }

    /// Ends the document. `frames` are the members of `stackFrames`.
    pub(super) fn finish(&mut self, facts: &Facts, frames: &str, omitted: &SkippedData) {
        end_document(&mut self.out, facts, frames, omitted, false);
        self.pass_on();
    }

    /// Asks the receiver whether to continue.
    pub(super) fn check(&mut self) {
        self.pass_on();
    }
}

/// Ends a document. `has_cpu_times` is true if events that are not in the document have CPU times.
pub(super) fn end_document(out: &mut String, facts: &Facts, frames: &str, omitted: &SkippedData, has_cpu_times: bool) {
    out.push_str("\n]");
    for (name, members) in [("stackFrames", frames), ("metadata", &facts.metadata)] {
        if !members.is_empty() {
            let _infallible = write!(out, ",\"{name}\":{{{members}}}");
        }
    }
    out.push_str(",\"perfetto\":{\"left_out\":{");
    for (at, (what, count)) in omitted.counts().enumerate() {
        out.push_str(if at > 0 { "," } else { "" });
        string(out, what.as_bytes());
        out.push(':');
        integer(out, count);
    }
    out.push_str(if has_cpu_times { "},\"has\":[\"tts\"]}}\n" } else { "}}}\n" });
}

impl<const ALL: bool> Output for Document<'_, ALL> {
    const NAMES: bool = true;
    const EVENTS: bool = ALL;
    const DERIVED: bool = true;

    fn metadata(&mut self, text: &str) {
        self.separate();
        self.out.push_str(text);
    }

    fn event(&mut self, event: &TraceEvent<'_>, facts: &Facts, _place: u64) {
        self.separate();
        write_event(&mut self.out, event, facts);
    }

    fn advance(&mut self, read: u64) {
        self.read = read;
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped
    }
}
