//! A copy of a trace with other notes: `metadata.modifications` is replaced or added, the rest is copied byte for byte.

use std::io::{self, Write};
use std::ops::Range;

use super::sniff::json_start;
use crate::profile::json::{Cursor, Kind};

/// What is put where: the text before it, in place of which part, and after it.
struct Splice {
    replaced: Range<usize>,
    before: &'static [u8],
    after: &'static [u8],
}

/// Writes a copy of a trace whose notes are those of `modifications`, a JSON value.
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
    out.write_all(&text[splice.replaced.end..])
}

/// Writes a trace that is only a list of events as an object with that list.
fn wrap(text: &[u8], start: usize, modifications: &[u8], out: &mut dyn Write) -> io::Result<()> {
    let mut list = Cursor::at(text, start);
    let end = match list.skip_value() {
        Ok(()) => list.offset(),
        Err(_) => text.len(),
    };
    let is_open = end == text.len() && text[start..end].trim_ascii_end().last() != Some(&b']');
    let events = &text[start..end];
    // The closing bracket may be missing, and a comma may stand last.
    let events = if is_open { events.trim_ascii_end().strip_suffix(b",").unwrap_or(events) } else { events };
    out.write_all(b"{\"metadata\":{\"modifications\":")?;
    out.write_all(modifications)?;
    out.write_all(b"},\"traceEvents\":")?;
    out.write_all(events)?;
    out.write_all(if is_open { b"]}" } else { b"}" })
}

/// Where the notes belong in a trace that is an object; `None` if it is an event of a list of lines.
fn splice(mut cursor: Cursor<'_>) -> Option<Splice> {
    cursor.enter_object().ok()?;
    let first = cursor.offset();
    let (mut metadata, mut has_events, mut is_empty) = (None, false, true);
    while let Ok(Some(key)) = cursor.next_key() {
        is_empty = false;
        let kind = cursor.peek();
        match key.bytes {
            b"traceEvents" => has_events = true,
            // Of repeated keys, the last one counts.
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
        return Some(Splice { replaced: first..first, before: b"\"metadata\":{\"modifications\":", after });
    };
    if kind != Ok(Kind::Object) {
        let from = metadata.offset();
        let mut value = metadata;
        value.skip_value().ok()?;
        return Some(Splice { replaced: from..value.offset(), before: b"{\"modifications\":", after: b"}" });
    }
    in_metadata(metadata)
}

fn in_metadata(mut cursor: Cursor<'_>) -> Option<Splice> {
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
        Some(replaced) => Splice { replaced, before: b"", after: b"" },
        None => {
            let after: &[u8] = if is_empty { b"" } else { b"," };
            Splice { replaced: first..first, before: b"\"modifications\":", after }
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
}
