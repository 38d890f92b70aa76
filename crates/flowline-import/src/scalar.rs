//! Strings and numbers that may stand for each other: programs write ids and times as either.

use flowline_json::{Cursor, JsonError, Kind, RawString};

/// Reads a string or number; skips anything else. Words that importers look for are found with escapes in them, too.
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
