//! Rows of raw marker tables.

use super::table::{RawColumn, Result};
use crate::firefox::threads::columns::{self, PayloadKeys, PayloadSpan};
use crate::firefox::threads::sentinels::{NO_TIME, NONE};
use crate::firefox::threads::type_names::TypeNames;
use flowline_json::{Cursor, fast_path};
use flowline_profile::{Ns, Unit};

/// A row of a marker table.
pub(super) struct MarkerRow {
    pub(super) name: u32,
    pub(super) start: Ns,
    pub(super) end: Ns,
    pub(super) phase: u32,
    pub(super) category: u32,
    pub(super) payload: PayloadSpan,
}

impl MarkerRow {
    /// The columns as Firefox writes them; a row without payload may end before the last one.
    pub(super) const STANDARD_SCHEMA: &[RawColumn] =
        &[RawColumn::Name, RawColumn::Start, RawColumn::End, RawColumn::Phase, RawColumn::Category, RawColumn::Data];

    const EMPTY: Self =
        Self { name: NONE, start: NO_TIME, end: NO_TIME, phase: NONE, category: 0, payload: PayloadSpan::NONE };

    /// Reads the row, an array, at the cursor.
    pub(super) fn read(
        cursor: &mut Cursor<'_>,
        schema: &[RawColumn],
        kinds: &mut TypeNames,
        keys: &mut PayloadKeys,
    ) -> Result<Self> {
        let mut row = Self::EMPTY;
        let mut column = 0;
        cursor.enter_array()?;
        while cursor.next_element()? {
            match schema.get(column).copied().unwrap_or(RawColumn::Other) {
                RawColumn::Name => row.name = columns::integer(cursor)?,
                // Before version 18, instants have a single `time`.
                RawColumn::Start | RawColumn::Time => row.start = columns::time(cursor)?,
                RawColumn::End => row.end = columns::time(cursor)?,
                RawColumn::Phase => row.phase = columns::integer(cursor)?,
                RawColumn::Category => row.category = columns::integer(cursor)?,
                RawColumn::Data => row.payload = columns::payload(cursor, kinds, keys)?,
                _ => cursor.skip_value()?,
            }
            column += 1;
        }
        if !schema.contains(&RawColumn::Phase) {
            row.phase = 0;
        }
        Ok(row)
    }

    /// The fast path for a row of [`Self::STANDARD_SCHEMA`]; `None`, without moving the cursor, for anything unusual.
    #[inline]
    pub(super) fn read_fast(cursor: &mut Cursor<'_>, kinds: &mut TypeNames, keys: &mut PayloadKeys) -> Option<Self> {
        let text = cursor.text();
        let after = |at: usize, byte| (text.get(at) == Some(&byte)).then_some(at + 1);
        let time = |at: usize| match text.get(at)? {
            b'n' => text.get(at..)?.starts_with(b"null").then_some((NO_TIME, at + 4)),
            _ => fast_path::decimal(text, at, Unit::Millis),
        };
        let at = after(cursor.offset(), b'[')?;
        let (name, at) = fast_path::small_integer(text, at)?;
        let (start, at) = time(after(at, b',')?)?;
        let (end, at) = time(after(at, b',')?)?;
        let (phase, at) = fast_path::small_integer(text, after(at, b',')?)?;
        let (category, at) = fast_path::small_integer(text, after(at, b',')?)?;
        let mut row = Self { name, start, end, phase, category, ..Self::EMPTY };
        let Some(at) = after(at, b',') else {
            cursor.jump(after(at, b']')?);
            return Some(row);
        };
        let (payload, end) = columns::fast_payload(text, at, kinds, keys)?;
        cursor.jump(after(end, b']')?);
        row.payload = payload;
        Some(row)
    }
}
