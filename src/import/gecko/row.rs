//! Rows of raw marker tables.

use super::{Result, Role};
use crate::import::columns::{self, PayloadKeys};
use crate::import::raw::{Kinds, NO_KIND, NO_TIME, NONE};
use crate::profile::json::{Cursor, plain};
use crate::profile::{Ns, Unit};

/// A row of a marker table.
pub(super) struct MarkerRow {
    pub(super) name: u32,
    pub(super) start: Ns,
    pub(super) end: Ns,
    pub(super) phase: u32,
    pub(super) category: u32,
    pub(super) payload: u64,
    pub(super) kind: u16,
}

impl MarkerRow {
    /// The columns as programs write them; a row without payload may end before it.
    pub(super) const USUAL: &[Role] = &[Role::Name, Role::Start, Role::End, Role::Phase, Role::Category, Role::Data];

    const EMPTY: Self =
        Self { name: NONE, start: NO_TIME, end: NO_TIME, phase: NONE, category: 0, payload: u64::MAX, kind: NO_KIND };

    /// Reads the row, an array, that the cursor stands before.
    pub(super) fn any(
        cursor: &mut Cursor<'_>,
        roles: &[Role],
        kinds: &mut Kinds,
        keys: &mut PayloadKeys,
    ) -> Result<Self> {
        let mut row = Self::EMPTY;
        let mut column = 0;
        cursor.enter_array()?;
        while cursor.next_element()? {
            match roles.get(column).copied().unwrap_or(Role::Other) {
                Role::Name => row.name = columns::integer(cursor)?,
                // Before version 18 a single `time` stood for an instant.
                Role::Start | Role::Time => row.start = columns::time(cursor)?,
                Role::End => row.end = columns::time(cursor)?,
                Role::Phase => row.phase = columns::integer(cursor)?,
                Role::Category => row.category = columns::integer(cursor)?,
                Role::Data => (row.payload, row.kind) = columns::payload(cursor, kinds, keys)?,
                Role::Count | Role::Other => cursor.skip_value()?,
            }
            column += 1;
        }
        if !roles.contains(&Role::Phase) {
            row.phase = 0;
        }
        Ok(row)
    }

    /// The short way through a row of the usual columns that is written plainly; `None`, and the cursor where it was, for
    /// any other.
    #[inline]
    pub(super) fn plain(cursor: &mut Cursor<'_>, kinds: &mut Kinds, keys: &mut PayloadKeys) -> Option<Self> {
        let text = cursor.text();
        let behind = |at: usize, byte| (text.get(at) == Some(&byte)).then_some(at + 1);
        let time = |at: usize| match text.get(at)? {
            b'n' => text.get(at..)?.starts_with(b"null").then_some((NO_TIME, at + 4)),
            _ => plain::decimal(text, at, Unit::Millis),
        };
        let at = behind(cursor.offset(), b'[')?;
        let (name, at) = plain::small_integer(text, at)?;
        let (start, at) = time(behind(at, b',')?)?;
        let (end, at) = time(behind(at, b',')?)?;
        let (phase, at) = plain::small_integer(text, behind(at, b',')?)?;
        let (category, at) = plain::small_integer(text, behind(at, b',')?)?;
        let mut row = Self { name, start, end, phase, category, ..Self::EMPTY };
        let Some(at) = behind(at, b',') else {
            cursor.jump(behind(at, b']')?);
            return Some(row);
        };
        let (kind, end) = columns::plain_payload(text, at, keys)?;
        cursor.jump(behind(end, b']')?);
        row.payload = at as u64;
        row.kind = kind.map_or(NO_KIND, |name| kinds.number(name.bytes, || name.decode()));
        Some(row)
    }
}
