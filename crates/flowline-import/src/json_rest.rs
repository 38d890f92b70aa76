//! Reports text that readers of JSON documents leave out, and escapes that JSON does not have.

use std::ops::Range;

use crate::text_start::{document_start, json_start};
use flowline_json::{Kind, invalid_escapes};
use flowline_profile::{WarningKind, Warnings};

/// Reports the text after the end of the document, except white space and the zeros at the end of files of fixed size.
/// Some programs append one document to another; only the first one is read.
pub(super) fn warn_of_rest(text: &[u8], end: usize, warnings: &mut Warnings) {
    let mut document = document_start(text);
    let is_wrapped = json_start(text).offset() > document.offset() && document.peek() == Ok(Kind::Object);
    // After a recording in another object, the rest of that object follows.
    let end = if is_wrapped && document.skip_value().is_ok() { document.offset() } else { end };
    let rest = text.get(end..).unwrap_or_default();
    let blank = rest.iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == 0).count();
    if blank < rest.len() {
        let (count, at) = (rest.len() - blank, end + blank);
        let place = || format!("{count} bytes after the end of the recording, at byte {at}, were not read");
        warnings.add(WarningKind::BrokenJson, place);
    }
}

/// Reports escapes that JSON does not have in a part of a text that begins and ends outside of strings.
pub(super) fn warn_of_escapes(text: &[u8], part: Range<usize>, warnings: &mut Warnings) {
    let start = part.start;
    let (count, first) = invalid_escapes(text.get(part).unwrap_or_default());
    let first = start + first.unwrap_or_default();
    let place = || format!("the escape at byte {first} is invalid; its backslash is part of the text");
    warnings.add_many(WarningKind::BrokenJson, count, place);
}
