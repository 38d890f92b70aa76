//! Chrome's packets with data in older formats (`ChromeEventBundle`, field 5 of a packet, in
//! `protos/perfetto/trace/chrome/chrome_trace_event.proto`): events as JSON text (field 5: type and text), lines of
//! ftrace (field 4) and events of the first versions (field 1). The first pass reads the metadata (field 2).
//!
//! The JSON text is a part of the list of events that Chrome writes to JSON files: objects with commas between them. Its
//! times are those of the kernel's monotonic clock, in µs. The events become part of the document with the events that
//! need the whole trace, so that the importer of trace events reads them like those of a file.

use crate::perfetto::json_text::{is_json, micros};
use crate::perfetto::output::Output;
use crate::perfetto::wire::Fields;
use crate::perfetto::writer::Writer;
use flowline_format::{Unit, parse_decimal};
use flowline_json::{Cursor, JsonError, Kind};

/// Type of a JSON text with events of programs.
const USER_TRACE: u64 = 0;

impl<O: Output> Writer<'_, O> {
    /// Reads a bundle of Chrome's events in older formats.
    pub(in crate::perfetto) fn chrome_events(&mut self, bundle: &[u8]) {
        for field in Fields::new(bundle) {
            match field.number {
                1 => self.omit_derived("trace events of Chrome before 2019"),
                4 => {
                    let lines = field.bytes().split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
                    for _ in lines.filter(|line| !line.is_empty() && !line.starts_with(b"#")) {
                        self.omit_derived("lines of ftrace as text");
                    }
                }
                5 => {
                    let kind = field.message().field(1).map_or(USER_TRACE, |kind| kind.number());
                    let text = field.message().field(2).map(|text| text.bytes()).unwrap_or_default();
                    if kind == USER_TRACE {
                        self.json_events(text);
                    } else {
                        self.omit_derived("system traces as text");
                    }
                }
                _ => {}
            }
        }
    }

    /// Passes the events of a JSON text on.
    fn json_events(&mut self, text: &[u8]) {
        if !O::DERIVED {
            return;
        }
        let is_separator = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b'[' | b']' | 0);
        let mut at = 0;
        while let Some(found) = text[at..].iter().position(|byte| !is_separator(byte)) {
            at += found;
            let mut cursor = Cursor::at(text, at);
            let is_object = cursor.peek() == Ok(Kind::Object);
            if cursor.skip_value().is_err() || cursor.offset() <= at {
                // The rest of a damaged text has no known boundaries.
                return self.omit_derived("damaged texts with JSON events");
            }
            let value = &text[at..cursor.offset()];
            at = cursor.offset();
            match std::str::from_utf8(value) {
                Ok(event) if is_object && is_json(value) => self.json_event(event),
                _ => self.omit_derived("damaged JSON events"),
            }
        }
    }

    /// Passes an event on, with its time on the trace clock.
    fn json_event(&mut self, event: &str) {
        if self.facts.machine > 0 {
            return self.omit_derived("JSON events of other machines");
        }
        let clocks = &self.facts.clocks;
        let mut text = String::with_capacity(event.len());
        let mut copied = 0;
        for time in times(event.as_bytes()).unwrap_or_default() {
            let Some(stated) = parse_decimal(event[time.clone()].trim_matches('"').trim().as_bytes(), Unit::Micros)
            else {
                continue;
            };
            let converted = clocks.legacy_to_trace(stated.0);
            if converted != stated.0 {
                text.push_str(&event[copied..time.start]);
                micros(&mut text, converted);
                copied = time.end;
            }
        }
        text.push_str(&event[copied..]);
        self.output.metadata(&text);
    }
}

/// Returns the places of an event's times.
fn times(event: &[u8]) -> Result<Vec<std::ops::Range<usize>>, JsonError> {
    let mut cursor = Cursor::at(event, 0);
    let mut found = Vec::new();
    cursor.enter_object()?;
    while let Some(key) = cursor.next_key()? {
        let kind = cursor.peek()?;
        let start = cursor.offset();
        cursor.skip_value()?;
        if key.bytes == b"ts" && matches!(kind, Kind::Number | Kind::String) {
            found.push(start..cursor.offset());
        }
    }
    Ok(found)
}
