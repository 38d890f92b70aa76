//! Completes a thread that the end of a partial load truncates.
//!
//! A partial load reads only the beginning of a large file (`import::open_partial`). A thread larger than this part is
//! truncated in its marker table, before data that its rows need: raw profiles have the string table after the markers,
//! and processed profiles have the payload column before names and times. If the rest of the file is mapped, this
//! module skips the remaining rows, which is much faster than reading them, and reads the data that the rows before the
//! cut need.

use super::columns::{self, PayloadKeys};
use super::raw_thread::RawThread;
use super::{gecko, marker_stack};
use crate::firefox::dialect::Dialect;
use crate::firefox::document::slabs::Slabs;
use crate::progress::Progress;
use flowline_json::{Cursor, JsonError};
use flowline_profile::Ns;

type Result<T> = std::result::Result<T, JsonError>;

/// Maximum number of bytes to search after the part.
const MAX_SKIPPED: usize = 512 << 20;

/// A text of which only the first `part` bytes are read.
pub(in crate::firefox) struct Whole<'a> {
    pub(in crate::firefox) text: &'a [u8],
    pub(in crate::firefox) part: usize,
}

impl<'a> Whole<'a> {
    /// Completes the thread whose object starts at `start` and whose marker table may be truncated. Data that cannot be
    /// found stays missing.
    pub(in crate::firefox) fn complete(
        &self,
        dialect: Dialect,
        start: usize,
        thread: &mut RawThread,
        progress: &Progress,
    ) {
        let end = self.text.len().min(self.part.saturating_add(MAX_SKIPPED));
        let mut cursor = Cursor::at(&self.text[..end], start);
        // Only the cut gets a warning, not the end of this walk.
        let _end = self.walk(&mut cursor, dialect, thread, progress);
    }

    fn walk(
        &self,
        cursor: &mut Cursor<'a>,
        dialect: Dialect,
        thread: &mut RawThread,
        progress: &Progress,
    ) -> Result<()> {
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            match (key.bytes, dialect) {
                (b"markers", Dialect::Raw) => {
                    if thread.markers.len() == 0 {
                        // The table begins after the cut: read as many bytes of it as the part has.
                        let mut table = Cursor::at(self.first_bytes(cursor.offset()), cursor.offset());
                        let _cut = gecko::read_markers(&mut table, thread, progress);
                    }
                    cursor.skip_value()?;
                }
                (b"markers", Dialect::Processed) => self.complete_columns(cursor, thread)?,
                (b"stringTable" | b"stringArray", _) => {
                    let mut offsets = Vec::new();
                    columns::string_offsets(cursor, &Slabs::default(), &mut offsets)?;
                    thread.strings = Some(offsets);
                }
                (key, _) => gecko::read_header(key, cursor, thread)?,
            }
        }
        Ok(())
    }

    /// The text up to `part` bytes after `offset`.
    fn first_bytes(&self, offset: usize) -> &'a [u8] {
        &self.text[..self.text.len().min(offset.saturating_add(self.part))]
    }

    /// Reads the columns that are shorter than the payload column, up to its length.
    fn complete_columns(&self, cursor: &mut Cursor<'a>, thread: &mut RawThread) -> Result<()> {
        if thread.markers.payload.is_empty() {
            self.read_payloads(*cursor, thread)?;
        }
        let markers = &mut thread.markers;
        let rows = markers.payload.len();
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            let mut column = *cursor;
            match key.bytes {
                b"name" => complete(&mut markers.name, rows, &mut column, columns::integer)?,
                b"phase" => complete(&mut markers.phase, rows, &mut column, columns::integer)?,
                b"category" => complete(&mut markers.category, rows, &mut column, columns::integer)?,
                b"startTime" => complete::<Ns>(&mut markers.start, rows, &mut column, columns::time)?,
                b"endTime" => complete::<Ns>(&mut markers.end, rows, &mut column, columns::time)?,
                _ => {}
            }
            cursor.skip_value()?;
        }
        Ok(())
    }

    /// Reads payloads of a table that is truncated before its payload column: as many bytes as the part has.
    fn read_payloads(&self, mut table: Cursor<'a>, thread: &mut RawThread) -> Result<()> {
        table.enter_object()?;
        while let Some(key) = table.next_key()? {
            if key.bytes != b"data" {
                table.skip_value()?;
                continue;
            }
            let mut column = Cursor::at(self.first_bytes(table.offset()), table.offset());
            let (markers, kinds, sampled) = (&mut thread.markers, &mut thread.kinds, &mut thread.sampled);
            let mut keys = PayloadKeys::new("cause");
            let _cut = columns::for_each_element(&mut column, &Slabs::default(), |cursor| {
                let payload = columns::payload(cursor, kinds, &mut keys)?;
                markers.payload.push(payload.place);
                markers.kind.push(payload.kind);
                if let Some(stack) = marker_stack::of(&payload, Dialect::Processed, cursor.text()) {
                    sampled.get_or_insert_default().marker_stacks.push(stack);
                }
                Ok(())
            });
            return Ok(());
        }
        Ok(())
    }
}

/// Reads a column again if it has fewer than `rows` values.
fn complete<T>(
    column: &mut Vec<T>,
    rows: usize,
    cursor: &mut Cursor<'_>,
    mut read: impl FnMut(&mut Cursor<'_>) -> Result<T>,
) -> Result<()> {
    if column.len() >= rows {
        return Ok(());
    }
    column.clear();
    cursor.enter_array()?;
    while column.len() < rows && cursor.next_element()? {
        column.push(read(cursor)?);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
