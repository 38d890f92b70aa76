//! Copies a trace with new notes: replaces or adds `metadata.modifications` and copies the rest byte for byte.

use std::io::{self, Write};
use std::ops::Range;

use crate::text_start::json_start;
use crate::trace_events::are_messages;
use flowline_json::{Cursor, Kind};
use flowline_profile::trace_events::whole_runs;

/// Writes a copy of a trace with `modifications`, a JSON value, as its notes. The copy of a damaged trace contains only
/// complete events and members, and closes every open container, so it is valid JSON.
///
/// # Errors
/// Returns errors of `out`, and an error for newline-delimited events and messages of a protocol, which cannot store notes.
pub fn write_annotated(text: &[u8], modifications: &[u8], out: &mut dyn Write) -> io::Result<()> {
    let mut start = json_start(text);
    let kind = start.peek().map_err(|error| io::Error::other(error.to_string()))?;
    let no_place = || io::Error::other("this trace format cannot store notes");
    if are_messages(start) == Ok(true) {
        return Err(no_place());
    }
    if kind == Kind::Array {
        return wrap(text, start.offset(), modifications, out);
    }
    let mut whole = start;
    let is_whole = whole.skip_value().is_ok() && text[whole.offset()..].trim_ascii().is_empty();
    if !is_whole {
        return copy_damaged(text, start, modifications, out)
            .and_then(|has_place| has_place.then_some(()).ok_or_else(no_place));
    }
    let splice = splice(start).ok_or_else(no_place)?;
    out.write_all(&text[..splice.replaced.start])?;
    out.write_all(splice.before)?;
    out.write_all(modifications)?;
    out.write_all(splice.after)?;
    out.write_all(&text[splice.replaced.end..])
}

/// Writes the complete events of a damaged list whose elements begin at `start`, in brackets. Returns the offset after
/// the list if the list ends.
fn write_whole_events(text: &[u8], start: usize, out: &mut dyn Write) -> io::Result<Option<usize>> {
    let found = whole_runs(text, start);
    out.write_all(b"[")?;
    for (number, run) in found.runs.into_iter().enumerate() {
        if number > 0 {
            out.write_all(b",\n")?;
        }
        out.write_all(&text[run])?;
    }
    out.write_all(b"]")?;
    Ok(found.end)
}

/// Writes a bare event array as an object that contains it. The end of the array may be missing.
fn wrap(text: &[u8], start: usize, modifications: &[u8], out: &mut dyn Write) -> io::Result<()> {
    let mut list = Cursor::at(text, start);
    out.write_all(b"{\"metadata\":{\"modifications\":")?;
    out.write_all(modifications)?;
    out.write_all(b"},\"traceEvents\":")?;
    if list.skip_value().is_ok() && text[list.offset()..].trim_ascii().is_empty() {
        out.write_all(&text[start..list.offset()])?;
    } else {
        write_whole_events(text, start + 1, out)?;
    }
    out.write_all(b"}")
}

/// Writes a damaged trace object member by member, up to the first incomplete member, whose end cannot be located.
/// Returns true if the trace can store notes.
fn copy_damaged<'a>(
    text: &'a [u8],
    mut cursor: Cursor<'a>,
    modifications: &[u8],
    out: &mut dyn Write,
) -> io::Result<bool> {
    if cursor.enter_object().is_err() {
        return Ok(false);
    }
    // Newline-delimited events are objects too, so this check runs before any output.
    let mut head = cursor;
    while let Ok(Some(key)) = head.next_key() {
        match key.bytes {
            b"traceEvents" => break,
            b"ph" => return Ok(false),
            _ if head.skip_value().is_err() => break,
            _ => {}
        }
    }
    let (mut metadata, mut is_first) = (None, true);
    out.write_all(b"{")?;
    while let Ok(Some(key)) = cursor.next_key() {
        let kind = cursor.peek();
        let from = cursor.offset();
        let is_list = key.bytes == b"traceEvents" && kind == Ok(Kind::Array);
        if !is_list && cursor.skip_value().is_err() {
            break;
        }
        if key.bytes == b"metadata" {
            // The last of repeated keys wins.
            metadata = Some(from..cursor.offset());
            continue;
        }
        if !std::mem::take(&mut is_first) {
            out.write_all(b",")?;
        }
        out.write_all(b"\"")?;
        out.write_all(key.bytes)?;
        out.write_all(b"\":")?;
        if !is_list {
            out.write_all(&text[from..cursor.offset()])?;
            continue;
        }
        match write_whole_events(text, from + 1, out)? {
            Some(end) => cursor = Cursor::at(text, end),
            None => break,
        }
    }
    if !is_first {
        out.write_all(b",")?;
    }
    out.write_all(b"\"metadata\":")?;
    let metadata = metadata.map_or(&b"{}"[..], |range| &text[range]);
    let mut start = Cursor::at(metadata, 0);
    let kind = start.peek();
    match in_metadata(start).filter(|_| kind == Ok(Kind::Object)) {
        Some(splice) => {
            out.write_all(&metadata[..splice.replaced.start])?;
            out.write_all(splice.before)?;
            out.write_all(modifications)?;
            out.write_all(splice.after)?;
            out.write_all(&metadata[splice.replaced.end..])?;
        }
        None => {
            out.write_all(b"{\"modifications\":")?;
            out.write_all(modifications)?;
            out.write_all(b"}")?;
        }
    }
    out.write_all(b"}")?;
    Ok(true)
}

/// Insertion of the notes: the range to replace, and the text before and after the notes.
struct NotesInsertion {
    replaced: Range<usize>,
    before: &'static [u8],
    after: &'static [u8],
}

/// Finds the insertion for the notes in a trace object; `None` if the object is a newline-delimited event.
fn splice(mut cursor: Cursor<'_>) -> Option<NotesInsertion> {
    cursor.enter_object().ok()?;
    let first = cursor.offset();
    let (mut metadata, mut has_events, mut is_empty) = (None, false, true);
    while let Ok(Some(key)) = cursor.next_key() {
        is_empty = false;
        let kind = cursor.peek();
        match key.bytes {
            b"traceEvents" => has_events = true,
            // The last of repeated keys wins.
            b"metadata" => metadata = Some((cursor, kind)),
            b"ph" if !has_events => return None,
            _ => {}
        }
        if cursor.skip_value().is_err() {
            break;
        }
    }
    let Some((metadata, kind)) = metadata else {
        let after: &[u8] = if is_empty { b"}" } else { b"}," };
        return Some(NotesInsertion { replaced: first..first, before: b"\"metadata\":{\"modifications\":", after });
    };
    if kind != Ok(Kind::Object) {
        let from = metadata.offset();
        let mut value = metadata;
        value.skip_value().ok()?;
        return Some(NotesInsertion { replaced: from..value.offset(), before: b"{\"modifications\":", after: b"}" });
    }
    in_metadata(metadata)
}

fn in_metadata(mut cursor: Cursor<'_>) -> Option<NotesInsertion> {
    cursor.enter_object().ok()?;
    let (first, mut is_empty, mut found) = (cursor.offset(), true, None);
    while let Ok(Some(key)) = cursor.next_key() {
        is_empty = false;
        let _damage = cursor.peek();
        let from = cursor.offset();
        if cursor.skip_value().is_err() {
            break;
        }
        if key.bytes == b"modifications" {
            found = Some(from..cursor.offset());
        }
    }
    Some(match found {
        Some(replaced) => NotesInsertion { replaced, before: b"", after: b"" },
        None => {
            let after: &[u8] = if is_empty { b"" } else { b"," };
            NotesInsertion { replaced: first..first, before: b"\"modifications\":", after }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut out = Vec::new();
        write_annotated(text.as_bytes(), b"NEW", &mut out).expect("written");
        assert_eq!(String::from_utf8_lossy(&out), expected);
    }

    #[test]
    fn everything_else_stays_byte_for_byte() {
        check(
            r#" { "metadata" : {"a" : 1, "modifications": {"x":[1,{}]} , "b":"}"}, "traceEvents":[ ]}  "#,
            r#" { "metadata" : {"a" : 1, "modifications": NEW , "b":"}"}, "traceEvents":[ ]}  "#,
        );
        check(
            r#"{"metadata":{"a":1},"traceEvents":[]}"#,
            r#"{"metadata":{"modifications":NEW,"a":1},"traceEvents":[]}"#,
        );
        check(r#"{"metadata":{},"traceEvents":[]}"#, r#"{"metadata":{"modifications":NEW},"traceEvents":[]}"#);
        check(r#"{"traceEvents":[],"metadata":null}"#, r#"{"traceEvents":[],"metadata":{"modifications":NEW}}"#);
        check(r#"{"traceEvents":[1]}"#, r#"{"metadata":{"modifications":NEW},"traceEvents":[1]}"#);
    }

    #[test]
    fn lists_become_objects_and_lines_are_refused() {
        check("[{}, {}]\n", r#"{"metadata":{"modifications":NEW},"traceEvents":[{}, {}]}"#);
        check("[{},\n{},\n", "{\"metadata\":{\"modifications\":NEW},\"traceEvents\":[{},\n{}]}");
        let message = r#"{"method":"Tracing.dataCollected","params":{"value":[{"ph":"X"}]}}"#;
        for text in ["{\"ph\":\"X\"}\n{\"ph\":\"X\"}", message, &format!("[{message}]")] {
            assert!(write_annotated(text.as_bytes(), b"NEW", &mut Vec::new()).is_err(), "{text}");
        }
    }

    #[test]
    fn the_copy_of_a_trace_in_an_answer_is_a_trace() {
        check(
            r#"{"id":1,"result":{"type":"Timeline","traceEvents":[]}}"#,
            r#"{"type":"Timeline","traceEvents":[],"metadata":{"modifications":NEW}}"#,
        );
    }

    #[test]
    fn the_copy_of_a_damaged_trace_is_complete() {
        let event = |name: &str| format!(r#"{{"ph":"X","name":"{name}","ts":1,"dur":2,"pid":1,"tid":1}}"#);
        let events = format!("[{},\n{},\n{}\n]", event("a"), event("b"), event("c"));
        let whole = [
            events.clone(),
            format!(r#"{{"traceEvents":{events},"metadata":{{"a":[1]}},"last":7}}"#),
            format!(r#"{{"metadata":{{"a":{{}}}},"x":"y","traceEvents":{events}}}"#),
        ];
        let copied = |text: &[u8]| {
            let mut out = Vec::new();
            let result = write_annotated(text, b"[\"NEW\"]", &mut out);
            result.map(|()| String::from_utf8(out).expect("UTF-8"))
        };
        for text in &whole {
            for end in 1..=text.len() {
                let Ok(out) = copied(&text.as_bytes()[..end]) else { continue };
                let value: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|error| {
                    panic!("{}: {error}: {out}", &text[..end]);
                });
                assert_eq!(value["metadata"]["modifications"][0], "NEW", "{out}");
                // An event is kept as soon as its last byte is present.
                let there = text[..end].matches("\"tid\":1}").count();
                assert_eq!(value["traceEvents"].as_array().map_or(0, Vec::len), there, "{out}");
            }
        }
        let damaged = events.replace("\"b\",", "\"b,");
        let value: serde_json::Value =
            serde_json::from_str(&copied(damaged.as_bytes()).expect("written")).expect("JSON");
        let names: Vec<_> =
            value["traceEvents"].as_array().expect("a list").iter().map(|event| &event["name"]).collect();
        assert_eq!(names, ["a", "c"]);
    }
}
