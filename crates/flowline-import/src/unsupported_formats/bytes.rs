//! Files that are neither JSON nor text with a reader.

use super::Named;
use super::magic::by_magic_number;
use super::protobuf::{PERFETTO, protocol_buffer};
use super::text::by_lines;
use crate::error::ImportError;
use crate::formats::format_names;
use crate::text_start::is_text;
use flowline_json::{Cursor, Kind};

const ETW: Named = (
    "an Event Tracing for Windows recording",
    "convert it to a Firefox profile on Windows: samply import FILE --save-only -o FILE.json.gz",
);

/// Returns the error for data that is not a recording.
pub(crate) fn not_a_recording(what: &'static str) -> ImportError {
    ImportError::NotARecording { what, formats: format_names() }
}

/// Returns the error for bytes that are not JSON and for JSON that is neither an object nor an array; `None` for text
/// of unknown format.
pub(crate) fn unsupported_bytes(bytes: &[u8]) -> Option<ImportError> {
    unsupported_binary(bytes).or_else(|| by_lines(bytes).filter(|_| is_text(bytes)).map(error_for))
}

/// The same for bytes that are not text, and for text with a magic number.
fn unsupported_binary(bytes: &[u8]) -> Option<ImportError> {
    let known = with_magic_number(bytes);
    if known.is_some() || is_text(bytes) {
        return known;
    }
    let named = if is_etw(bytes) { Some(ETW) } else { protocol_buffer(bytes) };
    Some(named.map_or_else(|| not_a_recording("a binary file of unknown format"), error_for))
}

/// Returns the error for bytes with the magic number of a format without a reader.
pub(crate) fn with_magic_number(bytes: &[u8]) -> Option<ImportError> {
    by_magic_number(bytes).filter(|_| !may_be_collapsed(bytes)).map(error_for)
}

/// Returns the error for a format; without advice, it lists the formats that open.
fn error_for((what, advice): Named) -> ImportError {
    if advice.is_empty() { not_a_recording(what) } else { ImportError::Unsupported { what, advice } }
}

/// Returns the error for the start of a stream if no possible continuation makes it a recording.
pub(crate) fn unsupported_start(bytes: &[u8]) -> Option<ImportError> {
    const READ: [&[u8]; 4] = [b"\x1f\x8b", b"PK\x03\x04", b"\xdc\xdfJSLB", b"\xfe\xff"];
    let is_json = matches!(Cursor::at(bytes, 0).peek(), Ok(Kind::Object | Kind::Array));
    let is_utf16 = bytes.starts_with(b"\xff\xfe") && !bytes.starts_with(b"\xff\xfe\0\0");
    let is_short = bytes.len() < 4 || bytes.iter().all(u8::is_ascii_whitespace);
    let may_be_trace = protocol_buffer(bytes) == Some(PERFETTO);
    if is_json || is_utf16 || is_short || may_be_trace || READ.iter().any(|magic| bytes.starts_with(magic)) {
        return None;
    }
    unsupported_binary(bytes)
}

/// Returns true if the first line starts with `<` but ends in a number, as collapsed Python stacks do: `<module>
/// (a.py);f 3`.
fn may_be_collapsed(bytes: &[u8]) -> bool {
    let line = &bytes[..memchr::memchr(b'\n', bytes).unwrap_or(bytes.len())];
    bytes.starts_with(b"<") && line.contains(&b';') && line.trim_ascii_end().last().is_some_and(u8::is_ascii_digit)
}

/// Returns true if the bytes start with an Event Tracing for Windows buffer: a `WMI_BUFFER_HEADER` of 72 bytes, then an
/// event with a 32-bit or 64-bit `SYSTEM_TRACE_HEADER`.
fn is_etw(bytes: &[u8]) -> bool {
    const HEADER: usize = 72;
    let word = |at: usize| bytes.get(at..)?.first_chunk().map(|word| u32::from_le_bytes(*word));
    let (Some(size), Some(saved), Some(marker)) = (word(0), word(4), word(HEADER)) else { return false };
    size >= 1024 && size.is_multiple_of(1024) && saved <= size && matches!(marker, 0xc001_0002 | 0xc002_0002)
}
