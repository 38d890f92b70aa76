//! Protocol buffers other than Perfetto traces, detected by the structure of their first fields.

use super::Named;
use crate::perfetto;
use crate::perfetto::wire::{Content, Field, Fields, beginning};

pub(super) const PERFETTO: Named =
    ("a damaged Perfetto trace (protocol buffer)", "its first packets are truncated or corrupt");
const PPROF: Named = (
    "a pprof profile",
    "it contains totals without timestamps, so there is no timeline; open it with go tool pprof -http=: FILE",
);
const XPLANE: Named = (
    "an XPlane profile of TensorFlow or JAX",
    "open the trace.json.gz that the profiler writes beside it, or open the folder in XProf",
);
const OPEN_TELEMETRY: Named = (
    "OpenTelemetry data (OTLP)",
    "send it to Jaeger or Grafana Tempo through the OpenTelemetry Collector to view its spans",
);
const UNKNOWN: Named = ("a protocol buffer of an unknown format", "");

/// Number of top-level fields to examine.
const LOOK: usize = 64;

/// Names the format of a protocol buffer: Perfetto traces, `pprof` profiles, XPlane and OTLP. In a trace, every field
/// has number 1 (a packet with many fields). A `pprof` profile also starts with number 1 (value types: two numbers),
/// followed by other numbers up to 14. The advice is empty if the format is unknown.
pub(super) fn protocol_buffer(bytes: &[u8]) -> Option<Named> {
    if is_open_telemetry(bytes) || is_delimited_open_telemetry(bytes) {
        return Some(OPEN_TELEMETRY);
    }
    if is_xplane(bytes) {
        return Some(XPLANE);
    }
    let (mut packets, mut foreign, mut value_types, mut others) = (0, 0, 0, 0);
    // The last field may be truncated or not decompressed yet.
    for field in fields(bytes).take(LOOK) {
        match (field.number, field.content) {
            (1, Content::Bytes(content)) if is_value_type(content) => value_types += 1,
            (1, Content::Bytes(content)) if perfetto::is_foreign(content) => foreign += 1,
            (1, Content::Bytes(content)) if is_message(content) => packets += 1,
            (2..=14, _) => others += 1,
            _ => return None,
        }
    }
    match (packets, foreign, value_types, others) {
        (1.., _, _, 0) if packets > foreign => Some(PERFETTO),
        (0, 0, 1.., 1..) => Some(PPROF),
        (0, 1.., _, _) => Some(UNKNOWN),
        _ => None,
    }
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

/// Returns true if a message has only the numeric fields 1 and 2, like a `pprof` value type.
fn is_value_type(content: &[u8]) -> bool {
    let mut fields = Fields::new(content);
    let are_numbers = fields.all(|field| matches!(field, Field { number: 1 | 2, content: Content::Number(_) }));
    !content.is_empty() && are_numbers && !fields.is_damaged()
}

/// Returns true if a message starts with a readable field.
fn is_message(content: &[u8]) -> bool {
    beginning(content).is_some()
}

/// The content of the first field with a number, if it is a message, text or bytes.
fn part(message: &[u8], number: u64) -> Option<&[u8]> {
    fields(message).take(LOOK).find_map(|field| match field.content {
        Content::Bytes(bytes) if field.number == number => Some(bytes),
        _ => None,
    })
}

/// Returns true if the first field 1 is a plane of an `XSpace`: an id, then a printable name, then lines and metadata.
/// `tsl/profiler/protobuf/xplane.proto` of TensorFlow defines the fields.
fn is_xplane(bytes: &[u8]) -> bool {
    let Some(Field { number: 1, content: Content::Bytes(plane) }) = fields(bytes).next() else { return false };
    let is_name = |text: &[u8]| {
        let starts = [b"/host:".as_slice(), b"/device:", b"Task Environment"];
        starts.iter().any(|start| text.starts_with(start)) && std::str::from_utf8(text).is_ok()
    };
    fields(plane)
        .take(2)
        .any(|field| matches!(field, Field { number: 2, content: Content::Bytes(text) } if is_name(text)))
}

/// Returns true if the first field 1 is a `ResourceSpans`, `ResourceLogs` or `ResourceMetrics` of OpenTelemetry: field 2
/// contains a scope, whose field 2 is a span (ids of 16 and 8 bytes), a log record (an 8-byte time first), or a metric.
/// Metrics and logs are recognized by the attributes of their resource.
fn is_open_telemetry(bytes: &[u8]) -> bool {
    let Some(Field { number: 1, content: Content::Bytes(resource_items) }) = fields(bytes).next() else { return false };
    let span = part(resource_items, 2).and_then(|scope| part(scope, 2));
    let is_span = span.is_some_and(|span| {
        part(span, 1).is_some_and(|id| id.len() == 16) && part(span, 2).is_some_and(|id| id.len() == 8)
    });
    let has_service = || {
        let attribute = part(resource_items, 1).and_then(|resource| part(resource, 1));
        let name = attribute.and_then(|attribute| part(attribute, 1));
        name.is_some_and(|name| {
            [b"service.".as_slice(), b"telemetry.", b"host.", b"process.", b"k8s."]
                .iter()
                .any(|start| name.starts_with(start))
        })
    };
    is_span || has_service()
}

/// Returns true for the files of the OpenTelemetry Collector, which precede each message with its big-endian length.
fn is_delimited_open_telemetry(bytes: &[u8]) -> bool {
    let Some((length, rest)) = bytes.split_first_chunk::<4>() else { return false };
    let length = usize::try_from(u32::from_be_bytes(*length)).unwrap_or(usize::MAX);
    (2..=1 << 24).contains(&length) && is_open_telemetry(&rest[..length.min(rest.len())])
}
