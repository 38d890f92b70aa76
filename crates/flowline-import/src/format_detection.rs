//! Detects the format of a text by content, never by file name.
//!
//! Every format receives the same probes in the same order: the first bytes; then, for JSON, the array or each
//! top-level member in turn. The first format that matches a probe reads the text. Detection waits for more text only
//! while no format has matched.

use crate::error::ImportError;
use crate::formats::{FORMATS, Format};
use crate::importer::{Detection, FormatProbe};
use crate::io::text::Text;
use crate::text_start::json_start;
use crate::unsupported_formats;
use flowline_json::{JsonError, Kind, Problem};

/// Minimum number of bytes for the first probe, unless the text is shorter.
const FIRST_PROBE_BYTES: usize = 1 << 16;

/// Detects the format of a text.
///
/// # Errors
/// Returns an error that describes the text if no format matches.
pub(super) fn detect_format(text: &Text) -> Result<&'static Format, ImportError> {
    let mut wanted = FIRST_PROBE_BYTES;
    loop {
        let (available, is_complete) = text.available_after(wanted);
        match look(available) {
            (Detection::Yes, Some(format)) => return Ok(format),
            (Detection::NeedMore, _) if !is_complete => wanted = (available.len() + 1) * 2,
            _ => return Err(unknown_format_error(available)),
        }
    }
}

/// Passes a probe to all formats.
fn ask(probe: &FormatProbe<'_>) -> (Detection, Option<&'static Format>) {
    let mut answer = Detection::No;
    for format in &FORMATS {
        match (format.detect)(probe) {
            Detection::Yes => return (Detection::Yes, Some(format)),
            Detection::NeedMore => answer = Detection::NeedMore,
            Detection::No => {}
        }
    }
    (answer, None)
}

fn look(text: &[u8]) -> (Detection, Option<&'static Format>) {
    let start = ask(&FormatProbe::Start(text));
    if start.0 != Detection::No {
        return start;
    }
    members(text).unwrap_or_else(|error| match error.problem {
        Problem::Truncated => (Detection::NeedMore, None),
        _ => (Detection::No, None),
    })
}

/// Passes the probes of JSON text to all formats.
fn members(text: &[u8]) -> Result<(Detection, Option<&'static Format>), JsonError> {
    let mut cursor = json_start(text);
    match cursor.peek()? {
        Kind::Array => return Ok(ask(&FormatProbe::Array)),
        Kind::Object => cursor.enter_object()?,
        _ => return Ok((Detection::No, None)),
    }
    while let Some(key) = cursor.next_key()? {
        let answer = ask(&FormatProbe::Member(key.bytes, cursor));
        if answer.0 != Detection::No {
            return Ok(answer);
        }
        cursor.skip_value()?;
    }
    Ok((Detection::No, None))
}

/// Returns the error for a text in an unknown format.
fn unknown_format_error(text: &[u8]) -> ImportError {
    // Some magic numbers begin like JSON.
    if let Some(error) = unsupported_formats::with_magic_number(text) {
        return error;
    }
    let mut cursor = json_start(text);
    let what = match cursor.peek() {
        Ok(Kind::Object) => return unsupported_formats::unsupported_object_at(cursor),
        Ok(Kind::Array) => return unsupported_formats::unsupported_array(cursor),
        _ if text.iter().all(u8::is_ascii_whitespace) => return ImportError::Empty,
        Ok(_) => "text",
        Err(_) => "plain text",
    };
    unsupported_formats::unsupported_bytes(text).unwrap_or_else(|| unsupported_formats::not_a_recording(what))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_profile::Source;

    fn name_of(text: &[u8]) -> Result<&'static str, ImportError> {
        detect_format(&Text::Complete(Source::new(text.to_vec()))).map(|format| format.name)
    }

    #[test]
    fn the_first_member_that_matches_a_format_decides() {
        let rows: [(&[u8], &str); 6] = [
            (b"[]", "Chrome trace events"),
            (b"\xef\xbb\xbf {\"otherData\":{}, \"traceEvents\":[", "Chrome trace events"),
            (b"{\"traceEvents\":[],\"meta\":{}}", "Chrome trace events"),
            (b"{\"meta\":{},\"traceEvents\":[]}", "Firefox Profiler profiles"),
            (b"{\"traceEvents\":{},\"threads\":[]}", "Firefox Profiler profiles"),
            (b"\xdc\xdf\x4a\x53\x4c\x42\x01\x00", "Firefox Profiler profiles"),
        ];
        for (text, expected) in rows {
            assert_eq!(name_of(text).ok(), Some(expected), "{}", text.escape_ascii());
        }
    }

    #[test]
    fn other_texts_are_named() {
        let rows: [(&[u8], &str); 5] = [
            (b"{\"a\":1,\"b\":[2],\"c", "the JSON is not a known recording format: its keys are \"a\", \"b\""),
            (b"{}", "the JSON is not a known recording format: the object has no keys"),
            (b" \n", "the file is empty"),
            (b"\x89PNG\r\n", "this is a PNG image, not a recording;"),
            (b"7", "this is text, not a recording;"),
        ];
        for (text, expected) in rows {
            let error = name_of(text).expect_err("no recording").to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
