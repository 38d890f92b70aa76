//! The function of a node.

use crate::scalar::scalar;
use flowline_json::{Cursor, JsonError};
use flowline_profile::samples::NONE;

/// The function of a node, its texts as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CallFrame<'a> {
    pub(super) name: &'a [u8],
    pub(super) url: &'a [u8],
    pub(super) script: &'a [u8],
    /// From 0; [`NONE`] if unknown.
    pub(super) line: u32,
    /// From 0; [`NONE`] if unknown.
    pub(super) column: u32,
}

impl<'a> CallFrame<'a> {
    pub(super) const UNKNOWN: Self = Self { name: &[], url: &[], script: &[], line: NONE, column: NONE };

    /// Reads the object at the cursor.
    ///
    /// # Errors
    /// If the value is not an object or the text is damaged.
    pub(super) fn read(cursor: &mut Cursor<'a>) -> Result<Self, JsonError> {
        let mut call = Self::UNKNOWN;
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            call.member(key.bytes, 0, cursor)?;
        }
        Ok(call)
    }

    /// Reads a member; lines and columns count from `first`.
    ///
    /// # Errors
    /// If the text is damaged.
    pub(super) fn member(&mut self, key: &[u8], first: i64, cursor: &mut Cursor<'a>) -> Result<(), JsonError> {
        let place = |cursor: &mut Cursor<'a>| -> Result<u32, JsonError> {
            let text = scalar(cursor)?.map_or(&[][..], |raw| raw.bytes);
            let number = std::str::from_utf8(text).ok().and_then(|text| text.parse::<i64>().ok());
            Ok(number.and_then(|number| u32::try_from(number.saturating_sub(first)).ok()).unwrap_or(NONE))
        };
        let text = |cursor: &mut Cursor<'a>| -> Result<&'a [u8], JsonError> {
            Ok(scalar(cursor)?.map_or(&[], |raw| raw.bytes))
        };
        match key {
            b"functionName" => self.name = text(cursor)?,
            b"url" => self.url = text(cursor)?,
            b"scriptId" => self.script = text(cursor)?,
            b"lineNumber" => self.line = place(cursor)?,
            b"columnNumber" => self.column = place(cursor)?,
            _ => cursor.skip_value()?,
        }
        Ok(())
    }
}
