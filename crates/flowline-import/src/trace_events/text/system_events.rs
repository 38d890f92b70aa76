//! `systemTraceEvents`: events of the system that a recorder stores beside its own.
//!
//! Chrome stores the text of ftrace. It is not drawn; its lines are counted. Fuchsia stores a list of records: names of
//! processes (`p`) and threads (`t`) are applied; switches (`k`), wakeups (`w`) and other records are counted.

use super::metadata::TraceMetadata;
use super::trace::Trace;
use flowline_json::{Cursor, JsonError, Kind, Value, decode_value};
use flowline_profile::{Source, WarningKind, Warnings};

/// Name of the top-level member.
const MEMBER: &str = "systemTraceEvents";

/// Reads the events of the system, if the trace has some. Applies names to processes and threads without one.
pub(in crate::trace_events) fn read(
    source: &Source,
    parts: &[(String, u64)],
    trace: &mut Trace,
    names: &mut TraceMetadata,
    warnings: &mut Warnings,
) {
    let Some((_, place)) = parts.iter().find(|(part, _)| part == MEMBER) else { return };
    let Some(mut cursor) = source.cursor_at(*place) else { return };
    let mut records = Records { trace, names, count: 0 };
    let what = match cursor.peek() {
        Ok(Kind::String) => {
            // Damage after the last event is reported when the top level is read. The same applies below.
            records.count = cursor.string().map_or(0, |text| ftrace_lines(&text.decode()));
            "lines of ftrace"
        }
        Ok(Kind::Object) => {
            let _damage = records.object(&mut cursor);
            "records of the system"
        }
        Ok(_) | Err(_) => return,
    };
    warnings.add_many(WarningKind::NotDrawn, records.count, || format!("{what} in {MEMBER}, at byte {place}"));
}

/// Returns the number of events in a text of ftrace.
fn ftrace_lines(text: &str) -> u64 {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).count() as u64
}

struct Records<'t> {
    trace: &'t mut Trace,
    names: &'t mut TraceMetadata,
    /// Number of records that are not drawn.
    count: u64,
}

impl Records<'_> {
    /// Reads the object with the list of records.
    fn object(&mut self, cursor: &mut Cursor<'_>) -> Result<(), JsonError> {
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            if key.bytes == b"events" && cursor.peek()? == Kind::Array {
                cursor.enter_array()?;
                while cursor.next_element()? {
                    self.record(&decode_value(cursor)?);
                }
            } else {
                cursor.skip_value()?;
            }
        }
        Ok(())
    }

    fn record(&mut self, record: &Value) {
        let text = |key: &str| record.get(key).filter(|value| !value.is_null()).map(Value::display_js);
        let (phase, name, pid) = (text("ph").unwrap_or_default(), text("name"), text("pid"));
        match (phase.as_str(), name, pid, text("tid")) {
            ("p", Some(name), Some(pid), _) => {
                let pid = self.trace.texts.intern(&pid);
                let known = &mut self.names.processes.entry(pid).or_default().name;
                if known.is_empty() {
                    *known = name;
                }
            }
            ("t", Some(name), Some(pid), Some(tid)) => {
                let [pid, tid] = [pid, tid].map(|id| self.trace.texts.intern(&id));
                let known = &mut self.names.threads.entry((pid, tid)).or_default().name;
                if known.is_empty() {
                    *known = name;
                }
            }
            _ => self.count += 1,
        }
    }
}
