//! A writer that passes the packets of a trace on without private content of their texts.
//!
//! Texts are found without a schema: bytes that read as a message to their end are a message if a text within it changes, else
//! they are a text. The start of a URL never reads as a message, because no field has the type of its first letters.

use std::io::{self, Write};

use super::message::MessageBytes;
use crate::cut::TextFilter;
use crate::perfetto::wire::{Content, Fields};

/// Bytes within more messages are texts.
const MAX_DEPTH: usize = 32;

/// Filters the texts of packets, however the trace is divided.
pub(crate) struct PacketFilter<'a> {
    out: &'a mut dyn Write,
    filter: &'a mut TextFilter,
    /// The beginning of the current packet.
    pending: Vec<u8>,
}

impl<'a> PacketFilter<'a> {
    pub(crate) fn new(out: &'a mut dyn Write, filter: &'a mut TextFilter) -> Self {
        Self { out, filter, pending: Vec::new() }
    }

    /// Passes the rest on.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        let rest = std::mem::take(&mut self.pending);
        let replaced = self.filter.text(&rest);
        self.out.write_all(replaced.as_deref().unwrap_or(&rest))
    }
}

impl Write for PacketFilter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pending.extend_from_slice(bytes);
        let mut fields = Fields::new(&self.pending);
        let mut read = 0;
        while let Some(field) = fields.next() {
            let end = self.pending.len() - fields.rest().len();
            let mut framed = MessageBytes::default();
            match field.content {
                Content::Bytes(packet) => {
                    let replaced = message(self.filter, packet, 0);
                    framed.bytes(field.number, replaced.as_deref().unwrap_or(packet));
                }
                Content::Number(_) => framed.raw(&self.pending[read..end]),
            }
            self.out.write_all(&framed.0)?;
            read = end;
        }
        self.pending.drain(..read);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Returns a message without the private content of its texts; `None` if it has none or is not a message.
fn message(filter: &mut TextFilter, bytes: &[u8], depth: usize) -> Option<Vec<u8>> {
    let is_message = {
        let mut fields = Fields::new(bytes);
        fields.by_ref().for_each(drop);
        !fields.is_damaged()
    };
    if !is_message {
        return None;
    }
    let (mut out, mut copied) = (MessageBytes::default(), 0);
    let mut fields = Fields::new(bytes);
    let mut before = 0;
    while let Some(field) = fields.next() {
        let end = bytes.len() - fields.rest().len();
        if let Content::Bytes(inside) = field.content
            && let Some(replaced) = content(filter, inside, depth + 1)
        {
            out.raw(&bytes[copied..before]);
            out.bytes(field.number, &replaced);
            copied = end;
        }
        before = end;
    }
    if copied == 0 {
        return None;
    }
    out.raw(&bytes[copied..]);
    Some(out.0)
}

/// Returns the content of a field without private content; `None` if it has none.
fn content(filter: &mut TextFilter, bytes: &[u8], depth: usize) -> Option<Vec<u8>> {
    if filter.is_removed_image(bytes) {
        return Some(Vec::new());
    }
    let replaced = if depth < MAX_DEPTH { message(filter, bytes, depth) } else { None };
    replaced.or_else(|| filter.text(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cut::Removal;

    fn written(removal: Removal, trace: &[u8], size: usize) -> Vec<u8> {
        let mut filter = TextFilter::new(removal);
        let mut out = Vec::new();
        for _ in 0..2 {
            out.clear();
            let mut writer = PacketFilter::new(&mut out, &mut filter);
            trace.chunks(size).for_each(|chunk| writer.write_all(chunk).expect("written"));
            writer.finish().expect("written");
            filter.start_replacing();
        }
        out
    }

    fn trace(texts: [&[u8]; 3]) -> Vec<u8> {
        let mut inner = MessageBytes::default();
        inner.number(1, 7);
        inner.bytes(23, texts[0]);
        let mut packet = MessageBytes::default();
        packet.number(8, 1000);
        packet.bytes(11, &inner.0);
        packet.bytes(4, texts[1]);
        packet.double(5, 1.5);
        let mut trace = MessageBytes::default();
        trace.bytes(1, &packet.0);
        let mut other = MessageBytes::default();
        other.bytes(6, texts[2]);
        trace.bytes(1, &other.0);
        trace.0
    }

    #[test]
    fn texts_of_nested_messages_are_replaced_and_lengths_follow() {
        let long = format!("https://a.example/{}", "x".repeat(300));
        let whole = trace([long.as_bytes(), b"B|1|http://b.example/", b"a.example"]);
        let expected = trace([b"https:<URL-1>", b"B|1|http:<URL-2>", b"<URL-3>"]);
        for size in [1, 2, 7, 1000] {
            assert_eq!(written(Removal { urls: true, screenshots: false }, &whole, size), expected, "{size}");
        }
    }

    #[test]
    fn images_in_bytes_are_removed() {
        let image = [b"\xff\xd8\xff\xe0", &[7; 300][..]].concat();
        let encoded = format!("/9j/{}", "Ab+/".repeat(40));
        let whole = trace([b"plain", &image, encoded.as_bytes()]);
        let expected = trace([b"plain", b"", b""]);
        assert_eq!(written(Removal { urls: false, screenshots: true }, &whole, 50), expected);
    }
}
