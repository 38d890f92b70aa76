//! Lists of numbers: samples, time deltas, lines and columns.

use crate::scalar::scalar;
use flowline_json::{Cursor, JsonError, fast_path};

/// An element of a list of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number<'a> {
    /// An unsigned integer of at most seven digits.
    Small(u32),
    /// The text of another number or of a string; empty for any other value.
    Text(&'a [u8]),
}

/// Reads the list at the cursor and passes its elements to `take`.
///
/// # Errors
/// If the value is not a list (it is skipped), or if the text is damaged; `take` has received the elements before the
/// damage.
pub(super) fn numbers<'a>(cursor: &mut Cursor<'a>, mut take: impl FnMut(Number<'a>)) -> Result<(), JsonError> {
    cursor.enter_array()?;
    while cursor.next_element()? {
        match fast_path::small_integer(cursor.text(), cursor.offset()) {
            Some((number, end)) => {
                cursor.jump(end);
                take(Number::Small(number));
            }
            None => take(Number::Text(scalar(cursor)?.map_or(&[], |raw| raw.bytes))),
        }
    }
    Ok(())
}

impl Number<'_> {
    /// A 32-bit id; `None` for anything else.
    pub(super) fn id(self) -> Option<u32> {
        match self {
            Self::Small(id) => Some(id),
            Self::Text(text) => std::str::from_utf8(text).ok()?.parse().ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_every_notation() {
        let text = br#"[1, 2,"33",-4,5.5,99999999,null,[7],4294967296,] after"#;
        let mut found = Vec::new();
        let mut cursor = Cursor::at(text, 0);
        numbers(&mut cursor, |number| found.push(number)).expect("a list");
        let ids: Vec<Option<u32>> = found.iter().map(|number| number.id()).collect();
        assert_eq!(ids, [Some(1), Some(2), Some(33), None, None, Some(99_999_999), None, None, None]);
        assert_eq!((found[0], found[3]), (Number::Small(1), Number::Text(b"-4")));
        assert!(numbers(&mut Cursor::at(b"{}", 0), |_| ()).expect_err("no list").is_wrong_type());
    }
}
