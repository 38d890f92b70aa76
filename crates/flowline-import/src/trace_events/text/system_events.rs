//! `systemTraceEvents`: events of the system that a recorder stores beside its own.
//!
//! Chrome stores the text of ftrace. It is not drawn; its lines are counted. Fuchsia stores a list of records: names of
//! processes (`p`), threads (`t`) and kernel objects (`k`) are applied; context switches (also `k`), wakeups (`w`) and
//! other records are counted.

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
        let Some((pid, tid, name)) = named_object(record) else {
            self.count += 1;
            return;
        };
        let pid = self.trace.texts.intern(&pid);
        let known = match tid {
            None => self.names.processes.entry(pid).or_default(),
            Some(tid) => {
                let tid = self.trace.texts.intern(&tid);
                self.names.threads.entry((pid, tid)).or_default()
            }
        };
        if known.name.is_empty() {
            known.name = name.into();
        }
    }
}

/// Process, thread (of a thread's record), and name.
type NamedObject = (String, Option<String>, String);

/// The process or thread that a record names. Kernel objects have a `koid`, which is the id of a process or thread; the
/// process of a thread is among their arguments.
fn named_object(record: &Value) -> Option<NamedObject> {
    let text = |of: &Value, key: &str| of.get(key).filter(|value| !value.is_null()).map(Value::display_js);
    let own = |key: &str| text(record, key);
    let name = own("name").filter(|name| !name.is_empty())?;
    match own("ph")?.as_str() {
        "p" => Some((own("pid")?, None, name)),
        "t" => Some((own("pid")?, Some(own("tid")?), name)),
        "k" => {
            let koid = own("koid");
            let args = record.get("args").unwrap_or(&Value::Null);
            let process = own("pid").or_else(|| own("process")).or_else(|| text(args, "process"));
            match own("type").or_else(|| own("obj_type")).as_deref() {
                Some("process" | "1") => Some((koid.or(process)?, None, name)),
                Some("thread" | "2") => Some((process?, Some(koid.or_else(|| own("tid"))?), name)),
                Some(_) => None,
                None => Some((process?, own("tid").or(koid), name)),
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_processes_and_threads_name_them() {
        let named = |text: &str| {
            let value = decode_value(&mut Cursor::at(text.as_bytes(), 0)).expect("a record");
            named_object(&value).map(|(pid, tid, name)| format!("{pid} {} {name}", tid.unwrap_or_default()))
        };
        for (record, expected) in [
            (r#"{"ph":"p","pid":7,"name":"scenic"}"#, Some("7  scenic")),
            (r#"{"ph":"t","pid":7,"tid":8,"name":"main"}"#, Some("7 8 main")),
            (r#"{"ph":"k","koid":7,"type":"process","name":"scenic"}"#, Some("7  scenic")),
            (r#"{"ph":"k","koid":8,"type":2,"name":"main","args":{"process":7}}"#, Some("7 8 main")),
            (r#"{"ph":"k","pid":7,"name":"scenic"}"#, Some("7  scenic")),
            (r#"{"ph":"k","pid":7,"tid":8,"name":"main"}"#, Some("7 8 main")),
            (r#"{"ph":"k","koid":9,"type":"vmo","name":"heap"}"#, None),
            (r#"{"ph":"k","koid":8,"type":"thread","name":"main"}"#, None),
            (r#"{"ph":"k","ts":1,"cpu":0,"out":{"pid":1,"tid":2},"in":{"pid":7,"tid":8}}"#, None),
            (r#"{"ph":"p","pid":7,"name":null}"#, None),
            (r#"{"ph":"w","pid":7,"name":"scenic"}"#, None),
        ] {
            assert_eq!(named(record).as_deref(), expected, "{record}");
        }
    }
}
