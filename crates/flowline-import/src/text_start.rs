//! The start of a text: whether bytes are text, and where its JSON begins.

use flowline_json::Cursor;

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
pub(crate) fn json_start(text: &[u8]) -> Cursor<'_> {
    Cursor::at(text, if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 })
}
