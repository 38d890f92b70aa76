//! Names what a file is that holds no recording Flowline reads, and what its owner can do. By content: magic numbers, the
//! structure of protocol buffers, the keys of a JSON object.

use super::error::ImportError;
use super::perfetto::wire::{Content, Field, Fields, beginning};
use flowline_json::{Cursor, JsonError, Kind};

/// What a file is, and what can be done with it.
type Named = (&'static str, &'static str);

const PERFETTO: Named = ("a damaged Perfetto trace (protocol buffer)", "its first packets are cut or broken");
const PPROF: Named = (
    "a pprof profile",
    "it holds sums and no times, so there is no timeline to draw; go tool pprof -http=: FILE shows it",
);
const JFR: Named = (
    "a Java Flight Recorder recording",
    "jfrtofp writes it as a Firefox profile, which opens here; JDK Mission Control shows all of it",
);
const PERF: Named = (
    "a recording of Linux perf",
    "perf script prints its samples as text, which opens here; samply writes it as a Firefox profile, which opens, too: \
     samply import FILE --save-only -o FILE.json.gz",
);
const ETW: Named = (
    "a recording of Event Tracing for Windows",
    "on Windows, samply writes it as a Firefox profile, which opens here: samply import FILE --save-only -o FILE.json.gz",
);
const TRACY: Named =
    ("a Tracy recording", "Tracy's profiler shows it; nothing writes it as trace events (tracy-csvexport writes CSV)");
const HEAP_SNAPSHOT: Named = ("a heap snapshot of V8", "the memory panel of Chrome's DevTools shows it");
const HAR: Named = ("a HAR file", "it lists network requests only; the network panel of a browser's DevTools shows it");
const NET_LOG: Named = ("a network log of Chrome", "netlog-viewer.appspot.com shows it");
const GO_TRACE: Named = ("a Go execution trace", "go tool trace FILE shows it");
const SIMPLEPERF: Named =
    ("a recording of simpleperf", "its gecko_profile_generator.py writes a Firefox profile, which opens here");
const UTF_32: Named = ("text in UTF-32", "save it as UTF-8");

/// Files that begin with certain bytes. Of these there is nothing to say but what they are, or how to unpack them.
const OTHERS: [(&[u8], Named); 12] = [
    (b"\x89PNG", ("a PNG picture", "")),
    (b"\xff\xd8\xff", ("a JPEG picture", "")),
    (b"GIF8", ("a GIF picture", "")),
    (b"%PDF", ("a PDF document", "")),
    (b"\x7fELF", ("a program", "")),
    (b"MZ", ("a program", "")),
    (b"\x28\xb5\x2f\xfd", ("zstd data", "unpack it with zstd -d first")),
    (b"BZh", ("bzip2 data", "unpack it with bunzip2 first")),
    (b"\xfd7zXZ", ("xz data", "unpack it with unxz first")),
    (b"\x04\x22\x4d\x18", ("lz4 data", "unpack it with lz4 -d first")),
    (b"<", ("an HTML or XML page", "")),
    (b"SQLite format 3", ("a database", "")),
];

/// Recordings that begin with certain bytes.
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

/// Bytes at the start of a file that tell text from other data.
const LOOK: usize = 4096;

/// The error for bytes that begin like no JSON, and for JSON that is neither an object nor a list; `None` if nothing is
/// known about them and they are text.
pub(super) fn foreign_bytes(bytes: &[u8]) -> Option<ImportError> {
    let known =
        |list: &[(&[u8], Named)]| list.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, named)| *named);
    if let Some((what, advice)) = known(&RECORDINGS) {
        return Some(ImportError::Foreign { what, advice });
    }
    if let Some((what, advice)) = known(&OTHERS).filter(|_| !may_be_collapsed(bytes)) {
        let has_advice = !advice.is_empty();
        return Some(if has_advice { ImportError::Foreign { what, advice } } else { ImportError::NotARecording(what) });
    }
    if is_text(bytes) {
        return None;
    }
    let (what, advice) = if is_etw(bytes) {
        ETW
    } else if let Some(named) = protocol_buffer(bytes) {
        named
    } else {
        return Some(ImportError::NotARecording("a binary file of an unknown kind"));
    };
    Some(ImportError::Foreign { what, advice })
}

/// The error for the beginning of data that goes on, if it is no recording whatever follows.
pub(crate) fn foreign_start(bytes: &[u8]) -> Option<ImportError> {
    const READ: [&[u8]; 4] = [b"\x1f\x8b", b"PK\x03\x04", b"\xdc\xdfJSLB", b"\xfe\xff"];
    let is_json = matches!(Cursor::at(bytes, 0).peek(), Ok(Kind::Object | Kind::Array));
    let is_utf16 = bytes.starts_with(b"\xff\xfe") && !bytes.starts_with(b"\xff\xfe\0\0");
    let is_short = bytes.len() < 4 || bytes.iter().all(u8::is_ascii_whitespace);
    let may_be_trace = protocol_buffer(bytes) == Some(PERFETTO);
    if is_json || is_utf16 || is_short || may_be_trace || READ.iter().any(|magic| bytes.starts_with(magic)) {
        return None;
    }
    foreign_bytes(bytes)
}

/// The error for a JSON object with these first keys that no importer reads.
pub(super) fn unknown_object(keys: &[String]) -> ImportError {
    if keys.is_empty() {
        return ImportError::UnknownJson("the object has no keys".into());
    }
    foreign_object(keys).unwrap_or_else(|| ImportError::UnknownJson(format!("its keys are {}", quoted(keys))))
}

/// The first keys in quotes.
fn quoted(keys: &[String]) -> String {
    keys.iter().take(SHOWN_KEYS).map(|key| format!("\"{key}\"")).collect::<Vec<_>>().join(", ")
}

/// The error for a JSON object with these first keys, if a well-known program writes such objects.
fn foreign_object(keys: &[String]) -> Option<ImportError> {
    let has = |wanted: &[&str]| wanted.iter().all(|wanted| keys.iter().any(|key| key == wanted));
    let (what, advice) = if has(&["snapshot", "nodes"]) {
        HEAP_SNAPSHOT
    } else if has(&["constants", "events"]) {
        NET_LOG
    } else if keys.len() == 1 && has(&["log"]) {
        HAR
    } else {
        return None;
    };
    Some(ImportError::Foreign { what, advice })
}

/// The error for the list before the cursor, in which nothing is a trace event: what it holds instead.
pub(super) fn foreign_array(mut cursor: Cursor<'_>) -> ImportError {
    let keys = cursor.enter_array().and_then(|()| cursor.next_element()).and_then(|_| first_keys(&mut cursor));
    let keys = keys.unwrap_or_default();
    let says = |key: &str| keys.iter().any(|found| found == key);
    if keys.is_empty() {
        return ImportError::UnknownJson("an array of other things than trace events".into());
    }
    let quoted = quoted(&keys);
    if says("method") && (says("params") || says("id")) {
        return ImportError::UnknownJson(format!(
            "an array of DevTools protocol messages (their keys are {quoted}); trace events have \"ph\" and \"ts\", and \
             DevTools saves them in its Performance panel"
        ));
    }
    ImportError::UnknownJson(format!(
        "an array of other things than trace events: the keys of its first object are {quoted}, and trace events have \
         \"ph\" and \"ts\""
    ))
}

/// Up to this many keys of an object are shown.
const SHOWN_KEYS: usize = 6;

/// The first keys of the object before the cursor; keys before damage count.
pub(super) fn first_keys(cursor: &mut Cursor<'_>) -> Result<Vec<String>, JsonError> {
    cursor.enter_object()?;
    let mut keys = Vec::new();
    while keys.len() < SHOWN_KEYS {
        let Ok(Some(key)) = cursor.next_key() else { break };
        if cursor.peek().is_err() {
            break;
        }
        keys.push(key.decode());
        if cursor.skip_value().is_err() {
            break;
        }
    }
    Ok(keys)
}

/// Whether the first line begins like a page but ends in a number, as in collapsed stacks of Python: `<module> (a.py);f 3`.
fn may_be_collapsed(bytes: &[u8]) -> bool {
    let line = &bytes[..memchr::memchr(b'\n', bytes).unwrap_or(bytes.len())];
    bytes.starts_with(b"<") && line.contains(&b';') && line.trim_ascii_end().last().is_some_and(u8::is_ascii_digit)
}

/// Whether bytes begin like text: UTF-8 without control characters that no text has.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(LOOK)];
    let is_control = |byte: &u8| matches!(byte, 0..=8 | 0xb | 0xe..=0x1a | 0x1c..=0x1f);
    let is_utf8 = match std::str::from_utf8(start) {
        Ok(_) => true,
        // A character that the look cuts is none the worse for it.
        Err(error) => error.error_len().is_none(),
    };
    is_utf8 && !start.iter().any(is_control)
}

/// Whether bytes begin with a buffer of Event Tracing for Windows: a `WMI_BUFFER_HEADER` of 72 bytes, then an event with a
/// `SYSTEM_TRACE_HEADER` of 32 or 64 bits.
fn is_etw(bytes: &[u8]) -> bool {
    const HEADER: usize = 72;
    let word = |at: usize| bytes.get(at..)?.first_chunk().map(|word| u32::from_le_bytes(*word));
    let (Some(size), Some(saved), Some(marker)) = (word(0), word(4), word(HEADER)) else { return false };
    size >= 1024 && size.is_multiple_of(1024) && saved <= size && matches!(marker, 0xc001_0002 | 0xc002_0002)
}

/// The fields of a message, also of one that is cut: of its last field, what is there.
fn fields(bytes: &[u8]) -> impl Iterator<Item = Field<'_>> {
    let mut whole = Fields::new(bytes);
    let mut is_at_end = false;
    std::iter::from_fn(move || match whole.next() {
        Some(field) => Some(field),
        None if std::mem::replace(&mut is_at_end, true) => None,
        None => beginning(whole.rest()),
    })
}

/// Perfetto traces and pprof profiles. Of the former, every field is number 1 (a packet, of many fields). The latter begin
/// with number 1 too (types of values: two numbers), and then have other numbers up to 14.
fn protocol_buffer(bytes: &[u8]) -> Option<Named> {
    const FIELDS: usize = 64;
    let (mut packets, mut value_types, mut others) = (0, 0, 0);
    // The last field may be cut, or lie beyond what is unpacked so far.
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

/// Whether a message has the fields 1 and 2 only, numbers both, as pprof's types of values.
fn is_value_type(content: &[u8]) -> bool {
    let mut fields = Fields::new(content);
    let are_numbers = fields.all(|field| matches!(field, Field { number: 1 | 2, content: Content::Number(_) }));
    !content.is_empty() && are_numbers && !fields.is_damaged()
}

/// Whether a message has a field that can be read.
fn is_message(content: &[u8]) -> bool {
    beginning(content).is_some()
}

#[cfg(test)]
mod tests;
