//! The start of a text: whether bytes are text, and where its JSON begins.
//!
//! Answers of debugging protocols contain a recording as a member: `Profiler.stop` of DevTools returns `{"profile":
//! {…}}`, the VM service of Dart `{"result": {"type": "Timeline", "traceEvents": […]}}`. Snapshots of Dart's DevTools
//! contain it in `performance`. The recording is then read like a file of its own.

use flowline_json::{Cursor, JsonError, Kind};

/// Number of bytes at the start of a file that are checked for text.
pub(crate) const LOOK: usize = 4096;

/// Returns true if the bytes start with text: UTF-8 without control characters that text never contains.
pub(crate) fn is_text(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(LOOK)];
    let is_control = |byte: &u8| matches!(byte, 0..=8 | 0xb | 0xe..=0x1a | 0x1c..=0x1f);
    let is_utf8 = match std::str::from_utf8(start) {
        Ok(_) => true,
        // A character split by the `LOOK` limit is not an error.
        Err(error) => error.error_len().is_none(),
    };
    is_utf8 && !start.iter().any(is_control)
}

/// A cursor at the start of JSON text, after a byte order mark.
pub(crate) fn document_start(text: &[u8]) -> Cursor<'_> {
    Cursor::at(text, if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 })
}

/// A cursor at the start of the recording in JSON text: at the document, or at the member that contains the recording.
pub(crate) fn json_start(text: &[u8]) -> Cursor<'_> {
    let mut start = document_start(text);
    for _ in 0..MAX_WRAPPERS {
        match wrapped(start) {
            Ok(Some(inner)) if is_recording(inner) == Ok(true) => return inner,
            Ok(Some(inner)) => start = inner,
            Ok(None) | Err(_) => break,
        }
    }
    document_start(text)
}

/// Maximum number of objects around a recording.
const MAX_WRAPPERS: usize = 3;

/// Returns the first member that may contain a recording. Lists are not searched, because they may be long.
fn wrapped(mut object: Cursor<'_>) -> Result<Option<Cursor<'_>>, JsonError> {
    if object.peek()? != Kind::Object {
        return Ok(None);
    }
    object.enter_object()?;
    while let Some(key) = object.next_key()? {
        match (object.peek()?, key.bytes) {
            (Kind::Object, b"result" | b"profile" | b"performance") => return Ok(Some(object)),
            (Kind::Array, _) => break,
            _ => object.skip_value()?,
        }
    }
    Ok(None)
}

/// Returns true if the first list in an object is that of a trace or a V8 profile.
fn is_recording(mut object: Cursor<'_>) -> Result<bool, JsonError> {
    object.enter_object()?;
    while let Some(key) = object.next_key()? {
        match (object.peek()?, key.bytes) {
            (Kind::Array, b"traceEvents" | b"nodes" | b"samples" | b"timeDeltas") => return Ok(true),
            (Kind::Object, b"head") => return Ok(true),
            (Kind::Array, _) => break,
            _ => object.skip_value()?,
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_may_be_a_member_of_an_answer() {
        let start =
            |text: &str| String::from_utf8_lossy(&text.as_bytes()[json_start(text.as_bytes()).offset()..]).into_owned();
        for (text, inner) in [
            (r#"{"profile": {"nodes": []}}"#, r#"{"nodes": []}}"#),
            (r#"{"id": 1, "result": {"profile": {"head": {}}}}"#, r#"{"head": {}}}}"#),
            (
                r#"{"jsonrpc":"2.0","result":{"type":"Timeline","traceEvents":["#,
                r#"{"type":"Timeline","traceEvents":["#,
            ),
            (r#"{"app": {"a": [1]}, "performance": {"traceEvents": []}}"#, r#"{"traceEvents": []}}"#),
        ] {
            assert_eq!(start(text), inner, "{text}");
        }
        for text in [
            "[]",
            r#"{"result": {}, "traceEvents": []}"#,
            r#"{"traceEvents": [], "result": {"traceEvents": []}}"#,
            r#"{"profile": 1}"#,
            r#"{"profile": {"a": []}}"#,
            "",
        ] {
            assert_eq!(start(text), text);
        }
    }
}
