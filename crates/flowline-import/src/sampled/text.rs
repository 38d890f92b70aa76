//! Numbers, lines and chunks of a text.

use std::ops::Range;

use crate::importer::ImportContext;
use crate::io::text::Text;
use crate::progress::Phase;
use flowline_json::{JsonError, Problem};
use flowline_profile::{WarningKind, Warnings};

/// Parses a finite number.
pub(crate) fn number(text: &[u8]) -> Option<f64> {
    std::str::from_utf8(text).ok()?.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Adds a warning about damaged JSON text.
pub(crate) fn warn_json(warnings: &mut Warnings, error: JsonError, what: impl FnOnce() -> String) {
    let kind = match error.problem {
        Problem::Truncated => WarningKind::Truncated,
        Problem::Unexpected(_) => WarningKind::BrokenJson,
        Problem::WrongType(_) => WarningKind::WrongType,
    };
    warnings.add(kind, || format!("{}: {error}", what()));
}

/// Waits for the complete text and begins the parse phase. In a partial load, returns only the complete lines: those
/// before the last position that `end` finds.
pub(crate) fn whole_lines<'t>(
    text: &'t Text,
    context: &ImportContext<'_>,
    end: impl FnOnce(&[u8]) -> Option<usize>,
) -> &'t [u8] {
    let (bytes, _) = text.available_after(usize::MAX);
    let bytes = if text.beyond_part().is_some() { &bytes[..end(bytes).unwrap_or(bytes.len())] } else { bytes };
    context.progress.begin(Phase::Parse, bytes.len() as u64);
    bytes
}

/// Splits a text into chunks of about `length` bytes; `next` moves each nominal boundary forward to a valid one.
pub(crate) fn chunks(text: &[u8], length: usize, next: impl Fn(&[u8], usize) -> usize) -> Vec<Range<usize>> {
    let mut chunks = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let nominal = start.saturating_add(length.max(1));
        let end = if nominal < text.len() { next(text, nominal).clamp(start + 1, text.len()) } else { text.len() };
        chunks.push(start..end);
        start = end;
    }
    chunks
}

/// The lines of a text with their offsets, without line endings and without a byte order mark.
pub(crate) fn lines(text: &[u8], range: Range<usize>) -> impl Iterator<Item = (usize, &[u8])> {
    let bom = b"\xef\xbb\xbf";
    let start = if range.start == 0 && text.starts_with(bom) { bom.len().min(range.end) } else { range.start };
    let ends = memchr::memchr_iter(b'\n', &text[start..range.end]).map(move |at| start + at);
    let mut from = start;
    let last = range.end;
    ends.chain((last > start && text[last - 1] != b'\n').then_some(last)).map(move |end| {
        let place = from;
        from = end + 1;
        (place, text[place..end].strip_suffix(b"\r").unwrap_or(&text[place..end]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_offsets_and_no_endings() {
        let text = b"\xef\xbb\xbfa\r\n\nbc";
        let all: Vec<(usize, &[u8])> = lines(text, 0..text.len()).collect();
        assert_eq!(all, [(3, b"a".as_slice()), (6, b""), (7, b"bc")]);
        assert_eq!(lines(b"", 0..0).count(), 0);
        let after =
            |text: &[u8], from: usize| memchr::memchr(b'\n', &text[from..]).map_or(text.len(), |at| from + at + 1);
        for length in 1..12 {
            let cut = chunks(text, length, after);
            let parts: Vec<(usize, &[u8])> = cut.into_iter().flat_map(|chunk| lines(text, chunk)).collect();
            assert_eq!(parts, all, "{length}");
        }
    }
}
