//! A copy of a trace with other notes: `metadata.modifications` is replaced or added, the rest is copied byte for byte.

use std::io::{self, Write};
use std::ops::Range;

use super::sniff::json_start;
use crate::profile::json::{Cursor, Kind};
use crate::profile::trace_events::whole_runs;

/// Where notes go in a trace that is an object.
struct Splice {
    replaced: Range<usize>,
    before: &'static [u8],
    after: &'static [u8],
    end: End,
}

/// How a trace that is an object ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// As it should.
    Complete,
    /// Its last member is damaged and left out; the text before it ends here.
    Member(usize),
    /// Its list of events, which begins here, is damaged.
    Events(usize),
}

/// Writes a copy of a trace whose notes are those of `modifications`, a JSON value. What is damaged is left out, and what is
/// missing at the end is closed, so the copy of a damaged trace is complete JSON.
///
/// # Errors
/// Errors of `out`; and if the text is a list of lines, which has no place for notes.
pub fn write_annotated(text: &[u8], modifications: &[u8], out: &mut dyn Write) -> io::Result<()> {
    let mut start = json_start(text);
    let kind = start.peek().map_err(|error| io::Error::other(error.to_string()))?;
    if kind == Kind::Array {
        return wrap(text, start.offset(), modifications, out);
    }
    let splice = splice(start).ok_or_else(|| io::Error::other("this form of a trace has no place for notes"))?;
    out.write_all(&text[..splice.replaced.start])?;
    out.write_all(splice.before)?;
    out.write_all(modifications)?;
    out.write_all(splice.after)?;
    match splice.end {
        End::Complete => out.write_all(&text[splice.replaced.end..]),
        End::Member(to) => {
            out.write_all(text.get(splice.replaced.end..to).unwrap_or_default())?;
            out.write_all(b"}")
        }
        End::Events(from) => {
            out.write_all(text.get(splice.replaced.end..from).unwrap_or_default())?;
            write_whole_events(text, from, out)?;
            out.write_all(b"]}")
        }
    }
}

/// Writes the events of a damaged list from `start` on.
fn write_whole_events(text: &[u8], start: usize, out: &mut dyn Write) -> io::Result<()> {
    for (number, run) in whole_runs(text, start).into_iter().enumerate() {
        if number > 0 {
            out.write_all(b",\n")?;
        }
        out.write_all(&text[run])?;
    }
    Ok(())
}

/// Writes a trace that is only a list of events as an object with that list. Its end may be missing.
fn wrap(text: &[u8], start: usize, modifications: &[u8], out: &mut dyn Write) -> io::Result<()> {
    let mut list = Cursor::at(text, start);
    out.write_all(b"{\"metadata\":{\"modifications\":")?;
    out.write_all(modifications)?;
    out.write_all(b"},\"traceEvents\":")?;
    if list.skip_value().is_ok() {
        out.write_all(&text[start..list.offset()])?;
    } else {
        out.write_all(b"[")?;
        write_whole_events(text, start + 1, out)?;
        out.write_all(b"]")?;
    }
    out.write_all(b"}")
}

/// Where the notes belong in a trace that is an object; `None` if it is an event of a list of lines.
fn splice(mut cursor: Cursor<'_>) -> Option<Splice> {
    cursor.enter_object().ok()?;
    let first = cursor.offset();
    let (mut metadata, mut has_events, mut is_empty) = (None, false, true);
    // The end of what is whole.
    let mut whole = first;
    let end = loop {
        let key = match cursor.next_key() {
            Ok(Some(key)) => key,
            Ok(None) => break End::Complete,
            Err(_) => break End::Member(whole),
        };
        let kind = cursor.peek();
        let value = cursor;
        match key.bytes {
            b"traceEvents" => has_events = true,
            b"ph" if !has_events => return None,
            _ => {}
        }
        if cursor.skip_value().is_err() {
            if key.bytes == b"traceEvents" && kind == Ok(Kind::Array) {
                is_empty = false;
                break End::Events(value.offset() + 1);
            }
            break End::Member(whole);
        }
        // Of repeated keys, the last one counts.
        if key.bytes == b"metadata" {
            metadata = Some((value, kind));
        }
        is_empty = false;
        whole = cursor.offset();
    };
    let Some((metadata, kind)) = metadata else {
        let after: &[u8] = if is_empty { b"}" } else { b"}," };
        return Some(Splice { replaced: first..first, before: b"\"metadata\":{\"modifications\":", after, end });
    };
    if kind != Ok(Kind::Object) {
        let from = metadata.offset();
        let mut value = metadata;
        value.skip_value().ok()?;
        return Some(Splice { replaced: from..value.offset(), before: b"{\"modifications\":", after: b"}", end });
    }
    in_metadata(metadata, end)
}

fn in_metadata(mut cursor: Cursor<'_>, end: End) -> Option<Splice> {
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
        Some(replaced) => Splice { replaced, before: b"", after: b"", end },
        None => {
            let after: &[u8] = if is_empty { b"" } else { b"," };
            Splice { replaced: first..first, before: b"\"modifications\":", after, end }
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
        assert!(write_annotated(b"{\"ph\":\"X\"}\n{\"ph\":\"X\"}", b"NEW", &mut Vec::new()).is_err());
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
                // An event is kept as soon as its last byte is there.
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
