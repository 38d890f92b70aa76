//! Threads of raw profiles.

use super::row::MarkerRow;
use super::samples;
use super::table::{Result, read_table};
use crate::firefox::dialect::Dialect;
use crate::firefox::document::damage::id_text;
use crate::firefox::document::slabs::Slabs;
use crate::firefox::threads::columns::{self, PayloadKeys};
use crate::firefox::threads::marker_stack;
use crate::firefox::threads::raw_thread::RawThread;
use crate::firefox::threads::sampled::Sampled;
use crate::firefox::threads::sentinels::NO_TIME;
use crate::progress::Progress;
use flowline_json::{Cursor, JsonError, Kind, Problem};
use flowline_profile::WarningKind;

/// Reads one thread object.
///
/// # Errors
/// If the text is damaged; the thread keeps everything before the damage.
pub(in crate::firefox) fn read_thread<'a>(
    mut cursor: Cursor<'a>,
    slabs: &Slabs<'a>,
    thread: &mut RawThread,
    progress: &Progress,
) -> Result<()> {
    let cursor = &mut cursor;
    cursor.enter_object()?;
    while let Some(key) = cursor.next_key()? {
        match key.bytes {
            b"markers" => read_markers(cursor, thread, progress)?,
            b"samples" => read_sampled(cursor, thread, "samples", |cursor, sampled, wrong_rows| {
                samples::read_samples(cursor, &mut sampled.cpu, wrong_rows)
            })?,
            b"stackTable" => read_sampled(cursor, thread, "stackTable", samples::read_stacks)?,
            b"frameTable" => read_sampled(cursor, thread, "frameTable", samples::read_frames)?,
            b"stringTable" => {
                let mut offsets = Vec::new();
                let result = columns::string_offsets(cursor, slabs, &mut offsets);
                thread.strings = Some(offsets);
                thread.skip_wrong_type("stringTable", result)?;
            }
            _ => read_header(key.bytes, cursor, thread)?,
        }
    }
    Ok(())
}

/// Reads a thread member that raw and processed profiles share, or skips it.
pub(in crate::firefox) fn read_header(key: &[u8], cursor: &mut Cursor<'_>, thread: &mut RawThread) -> Result<()> {
    let text = |cursor: &mut Cursor<'_>| id_text(cursor);
    match key {
        b"name" | b"processName" | b"pid" | b"tid" => {
            let value = text(cursor);
            let what = String::from_utf8_lossy(key);
            let value = thread.skip_wrong_type(&what, value)?.filter(|text| text != "null").unwrap_or_default();
            match key {
                b"name" => thread.name = value,
                b"processName" => thread.process_name = value,
                b"pid" => thread.pid = value,
                _ => thread.tid = value,
            }
        }
        b"tracedValues" | b"tracedValuesBuffer" | b"tracedObjectShapes" => {
            let result = thread.sampled.get_or_insert_default().traced.read_member(key, cursor);
            thread.skip_wrong_type(&String::from_utf8_lossy(key), result)?;
        }
        b"eTLD+1" if cursor.peek()? == Kind::String => thread.site = Some(cursor.string()?.decode()),
        b"isMainThread" => thread.is_main = cursor.scalar().is_ok_and(|text| text == b"true"),
        b"registerTime" => thread.register = Some(columns::time(cursor)?).filter(|time| *time != NO_TIME),
        b"unregisterTime" => thread.unregister = Some(columns::time(cursor)?).filter(|time| *time != NO_TIME),
        _ => cursor.skip_value()?,
    }
    Ok(())
}

/// Reads the table of markers.
pub(in crate::firefox) fn read_markers(
    cursor: &mut Cursor<'_>,
    thread: &mut RawThread,
    progress: &Progress,
) -> Result<()> {
    let mut wrong_rows = 0_u64;
    let mut first_wrong = 0;
    let markers = &mut thread.markers;
    let kinds = &mut thread.kinds;
    let sampled = &mut thread.sampled;
    let (first, end) = (cursor.offset(), thread.end);
    let mut keys = PayloadKeys::new("stack");
    let result = read_table(cursor, |cursor, schema| {
        if progress.is_cancelled() {
            // The result is discarded, so the rest is not read either.
            return Err(JsonError { offset: cursor.offset(), problem: Problem::Truncated });
        }
        if cursor.peek()? != Kind::Array {
            wrong_rows += 1;
            first_wrong = cursor.offset();
            return cursor.skip_value();
        }
        let fast =
            if schema == MarkerRow::STANDARD_SCHEMA { MarkerRow::read_fast(cursor, kinds, &mut keys) } else { None };
        let row = match fast {
            Some(row) => row,
            None => MarkerRow::read(cursor, schema, kinds, &mut keys)?,
        };
        let at = cursor.offset();
        markers.reserve_remaining(at - first, end.map_or(0, |end| end.saturating_sub(at)));
        markers.name.push(row.name);
        markers.start.push(row.start);
        markers.end.push(row.end);
        markers.phase.push(row.phase);
        markers.category.push(row.category);
        markers.payload.push(row.payload.place);
        markers.kind.push(row.payload.kind);
        if let Some(stack) = marker_stack::of(&row.payload, Dialect::Raw, cursor.text()) {
            sampled.get_or_insert_default().marker_stacks.push(stack);
        }
        Ok(())
    });
    for _ in 0..wrong_rows {
        let name = thread.name.clone();
        thread.warnings.add(WarningKind::WrongType, || format!("marker of thread \"{name}\", byte {first_wrong}"));
    }
    thread.skip_wrong_type("markers", result)?;
    Ok(())
}

/// Reads a table of samples, stacks or frames; a row that is not a tuple adds a warning.
fn read_sampled(
    cursor: &mut Cursor<'_>,
    thread: &mut RawThread,
    what: &str,
    read: impl FnOnce(&mut Cursor<'_>, &mut Sampled, &mut u64) -> Result<()>,
) -> Result<()> {
    let mut wrong_rows = 0;
    let start = cursor.offset();
    let result = read(cursor, thread.sampled.get_or_insert_default(), &mut wrong_rows);
    let name = &thread.name;
    let place = || format!("{what} of thread \"{name}\", byte {start}");
    thread.warnings.add_many(WarningKind::WrongType, wrong_rows, place);
    thread.skip_wrong_type(what, result)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_names_the_member_of_the_thread() {
        for (key, text) in [("pid", r#"{"a":1}"#), ("tid", "[1]"), ("processName", "[]")] {
            let mut thread = RawThread { name: "GeckoMain".to_owned(), ..RawThread::default() };
            read_header(key.as_bytes(), &mut Cursor::at(text.as_bytes(), 0), &mut thread).expect("readable");
            let first = &thread.warnings.list()[0].first;
            assert!(first.starts_with(&format!("{key} of thread \"GeckoMain\" is ")), "{first}");
        }
    }
}
