//! Files that are neither JSON nor text, detected by magic numbers and the structure of protocol buffers.

use super::Named;
use crate::error::ImportError;
use crate::formats::format_names;
use crate::perfetto::wire::{Content, Field, Fields, beginning};
use crate::text_start::is_text;
use flowline_json::{Cursor, Kind};

const PERFETTO: Named = ("a damaged Perfetto trace (protocol buffer)", "its first packets are truncated or corrupt");
const PPROF: Named = (
    "a pprof profile",
    "it contains totals without timestamps, so there is no timeline; open it with go tool pprof -http=: FILE",
);
const JFR: Named = (
    "a Java Flight Recorder recording",
    "convert it to a Firefox profile with jfrtofp and open that here, or use JDK Mission Control",
);
const PERF: Named = (
    "a Linux perf recording",
    "open the output of perf script here, or convert the recording to a Firefox profile: \
     samply import FILE --save-only -o FILE.json.gz",
);
const ETW: Named = (
    "an Event Tracing for Windows recording",
    "convert it to a Firefox profile on Windows: samply import FILE --save-only -o FILE.json.gz",
);
const TRACY: Named = (
    "a Tracy recording",
    "open it in the Tracy profiler; no tool converts it to trace events (tracy-csvexport writes CSV)",
);
const GO_TRACE: Named = ("a Go execution trace", "open it with go tool trace FILE");
const SIMPLEPERF: Named =
    ("a simpleperf recording", "convert it to a Firefox profile with simpleperf's gecko_profile_generator.py");
const UTF_32: Named = ("UTF-32 text", "save it as UTF-8");

/// Magic numbers of files that are not recordings. The advice is empty or names the decompressor.
const OTHERS: [(&[u8], Named); 12] = [
    (b"\x89PNG", ("a PNG image", "")),
    (b"\xff\xd8\xff", ("a JPEG image", "")),
    (b"GIF8", ("a GIF image", "")),
    (b"%PDF", ("a PDF document", "")),
    (b"\x7fELF", ("a program", "")),
    (b"MZ", ("a program", "")),
    (b"\x28\xb5\x2f\xfd", ("zstd data", "decompress it with zstd -d first")),
    (b"BZh", ("bzip2 data", "decompress it with bunzip2 first")),
    (b"\xfd7zXZ", ("xz data", "decompress it with unxz first")),
    (b"\x04\x22\x4d\x18", ("lz4 data", "decompress it with lz4 -d first")),
    (b"<", ("an HTML or XML document", "")),
    (b"SQLite format 3", ("a database", "")),
];

/// Magic numbers of unsupported recordings.
const RECORDINGS: [(&[u8], Named); 10] = [
    (b"FLR\0", JFR),
    (b"PERFILE2", PERF),
    (b"2ELIFREP", PERF),
    (b"tlZ\x04", TRACY),
    (b"tZst", TRACY),
    (b"trP\xfd", TRACY),
    (b"go 1.", GO_TRACE),
    (b"SIMPLEPERF", SIMPLEPERF),
    (b"\xff\xfe\0\0", UTF_32),
    (b"\0\0\xfe\xff", UTF_32),
];

/// Returns the error for data that is not a recording.
pub(crate) fn not_a_recording(what: &'static str) -> ImportError {
    ImportError::NotARecording { what, formats: format_names() }
}

/// Returns the error for bytes that are not JSON and for JSON that is neither an object nor an array; `None` for text
/// of unknown format.
pub(crate) fn unsupported_bytes(bytes: &[u8]) -> Option<ImportError> {
    let known =
        |list: &[(&[u8], Named)]| list.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, named)| *named);
    if let Some((what, advice)) = known(&RECORDINGS) {
        return Some(ImportError::Unsupported { what, advice });
    }
    if let Some((what, advice)) = known(&OTHERS).filter(|_| !may_be_collapsed(bytes)) {
        let has_advice = !advice.is_empty();
        return Some(if has_advice { ImportError::Unsupported { what, advice } } else { not_a_recording(what) });
    }
    if is_text(bytes) {
        return None;
    }
    let (what, advice) = if is_etw(bytes) {
        ETW
    } else if let Some(named) = protocol_buffer(bytes) {
        named
    } else {
        return Some(not_a_recording("a binary file of unknown format"));
    };
    Some(ImportError::Unsupported { what, advice })
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
    unsupported_bytes(bytes)
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

/// Iterates over the fields of a message that may be truncated. The last field may be incomplete.
fn fields(bytes: &[u8]) -> impl Iterator<Item = Field<'_>> {
    let mut whole = Fields::new(bytes);
    let mut is_at_end = false;
    std::iter::from_fn(move || match whole.next() {
        Some(field) => Some(field),
        None if std::mem::replace(&mut is_at_end, true) => None,
        None => beginning(whole.rest()),
    })
}

/// Detects Perfetto traces and pprof profiles. Every field of a trace has number 1 (a packet with many fields). A
/// profile also starts with number 1 (value types: two numbers), followed by other numbers up to 14.
fn protocol_buffer(bytes: &[u8]) -> Option<Named> {
    const FIELDS: usize = 64;
    let (mut packets, mut value_types, mut others) = (0, 0, 0);
    // The last field may be truncated or not decompressed yet.
    for field in fields(bytes).take(FIELDS) {
        match (field.number, field.content) {
            (1, Content::Bytes(content)) if is_value_type(content) => value_types += 1,
            (1, Content::Bytes(content)) if is_message(content) => packets += 1,
            (2..=14, _) => others += 1,
            _ => return None,
        }
    }
    match (packets, value_types, others) {
        (1.., _, 0) => Some(PERFETTO),
        (0, 1.., 1..) => Some(PPROF),
        _ => None,
    }
}

/// Returns true if a message has only the numeric fields 1 and 2, like a pprof value type.
fn is_value_type(content: &[u8]) -> bool {
    let mut fields = Fields::new(content);
    let are_numbers = fields.all(|field| matches!(field, Field { number: 1 | 2, content: Content::Number(_) }));
    !content.is_empty() && are_numbers && !fields.is_damaged()
}

/// Returns true if a message starts with a readable field.
fn is_message(content: &[u8]) -> bool {
    beginning(content).is_some()
}
