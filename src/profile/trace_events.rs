//! The events of a trace by their position in `traceEvents`.

use std::ops::Range;

use super::json::{Cursor, Kind};

/// A cursor before the elements of `traceEvents`.
#[must_use]
pub fn list(text: &[u8]) -> Option<Cursor<'_>> {
    let start = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mut cursor = Cursor::at(text, start);
    cursor.enter_object().ok()?;
    while let Ok(Some(key)) = cursor.next_key() {
        if key.bytes == b"traceEvents" && cursor.peek() == Ok(Kind::Array) {
            cursor.enter_array().ok()?;
            return Some(cursor);
        }
        cursor.skip_value().ok()?;
    }
    None
}

/// Position and bytes of the events at ascending positions of the list; those beyond its end are left out.
#[must_use]
pub fn places(text: &[u8], positions: impl Iterator<Item = usize>) -> Vec<(usize, Range<usize>)> {
    found(text, positions).unwrap_or_default()
}

fn found(text: &[u8], positions: impl Iterator<Item = usize>) -> Option<Vec<(usize, Range<usize>)>> {
    let mut positions = positions.peekable();
    positions.peek()?;
    let mut cursor = list(text)?;
    let (mut found, mut at) = (Vec::new(), 0);
    while let (Some(wanted), Ok(true)) = (positions.peek().copied(), cursor.next_element()) {
        // `peek` skips the white space before the value.
        let _damage = cursor.peek();
        let from = cursor.offset();
        if cursor.skip_value().is_err() {
            break;
        }
        if at == wanted {
            found.push((at, from..cursor.offset()));
            positions.next();
        }
        at += 1;
    }
    Some(found)
}
