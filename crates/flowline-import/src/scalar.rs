//! Values that programs write either as strings or as numbers, such as ids and times.

use flowline_json::{Cursor, JsonError, Kind, RawString};

/// Reads a string or number; skips anything else. Known words are recognized even if they contain escapes.
#[inline]
pub(super) fn scalar<'a>(cursor: &mut Cursor<'a>) -> Result<Option<RawString<'a>>, JsonError> {
    match cursor.peek()? {
        Kind::String => Ok(Some(cursor.string()?.known())),
        Kind::Number => {
            let offset = cursor.offset();
            Ok(Some(RawString { bytes: cursor.scalar()?, offset }))
        }
        _ => {
            cursor.skip_value()?;
            Ok(None)
        }
    }
}
