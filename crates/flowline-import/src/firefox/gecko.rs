//! Raw Gecko profiles, as Firefox writes them: `{schema, data}` tables of tuples, and one string table per thread.

use super::columns::{self, PayloadKeys};
use super::counters::RawCounter;
use super::damage::{id_text, skip_wrong_type, warn_damage};
use super::raw_thread::RawThread;
use super::sampled::Sampled;
use super::sentinels::NO_TIME;
use super::slabs::Slabs;
use super::{Dialect, marker_stack};
use crate::progress::Progress;
use flowline_json::{Cursor, JsonError, Kind, Problem};
use flowline_profile::{Ns, Sample, WarningKind, Warnings};

mod row;
mod samples;

use row::MarkerRow;

type Result<T> = std::result::Result<T, JsonError>;

/// The meaning of a column of a tuple table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RawColumn {
    Name,
    Start,
    End,
    Phase,
    Category,
    Data,
    Time,
    Count,
    Stack,
    CpuDelta,
    Prefix,
    Frame,
    Location,
    RelevantForJs,
    Line,
    Column,
    Subcategory,
    Other,
}

/// Reads one thread object.
///
/// # Errors
/// If the text is damaged; the thread keeps everything before the damage.
pub(super) fn read_thread<'a>(
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
pub(super) fn read_header(key: &[u8], cursor: &mut Cursor<'_>, thread: &mut RawThread) -> Result<()> {
    let text = |cursor: &mut Cursor<'_>| id_text(cursor);
    match key {
        b"name" | b"processName" | b"pid" | b"tid" => {
            let value = text(cursor);
            let value = thread.skip_wrong_type("a name", value)?.filter(|text| text != "null").unwrap_or_default();
            match key {
                b"name" => thread.name = value,
                b"processName" => thread.process_name = value,
                b"pid" => thread.pid = value,
                _ => thread.tid = value,
            }
        }
        b"eTLD+1" if cursor.peek()? == Kind::String => thread.site = Some(cursor.string()?.decode()),
        b"isMainThread" => thread.is_main = cursor.scalar().is_ok_and(|text| text == b"true"),
        b"registerTime" => thread.register = Some(columns::time(cursor)?).filter(|time| *time != NO_TIME),
        b"unregisterTime" => thread.unregister = Some(columns::time(cursor)?).filter(|time| *time != NO_TIME),
        _ => cursor.skip_value()?,
    }
    Ok(())
}

/// Reads `{schema: {name: position}, data: [tuples]}`, in either order. A member of the wrong type is skipped; its
/// error is returned after the whole table has been read.
pub(super) fn read_table<'a>(
    cursor: &mut Cursor<'a>,
    mut row: impl FnMut(&mut Cursor<'a>, &[RawColumn]) -> Result<()>,
) -> Result<()> {
    let mut schema: Option<Vec<RawColumn>> = None;
    let mut early_data: Option<Cursor<'a>> = None;
    let mut rows = |cursor: &mut Cursor<'a>, schema: &[RawColumn]| -> Result<()> {
        cursor.enter_array()?;
        while cursor.next_element()? {
            row(cursor, schema)?;
        }
        Ok(())
    };
    let mut wrong = Ok(());
    cursor.enter_object()?;
    while let Some(key) = cursor.next_key()? {
        let result = match (key.bytes, &schema) {
            (b"schema", _) => read_schema(cursor).map(|found| schema = Some(found)),
            (b"data", Some(schema)) => rows(cursor, schema),
            (b"data", None) => {
                cursor.peek()?;
                early_data = Some(*cursor);
                cursor.skip_value()
            }
            _ => cursor.skip_value(),
        };
        match result {
            Err(error) if error.is_wrong_type() => wrong = Err(error),
            other => other?,
        }
    }
    match (early_data, schema) {
        (Some(mut data), Some(schema)) => rows(&mut data, &schema).and(wrong),
        _ => wrong,
    }
}

fn read_schema(cursor: &mut Cursor<'_>) -> Result<Vec<RawColumn>> {
    let mut schema = Vec::new();
    cursor.enter_object()?;
    while let Some(key) = cursor.next_key()? {
        let meaning = match key.bytes {
            b"name" => RawColumn::Name,
            b"startTime" => RawColumn::Start,
            b"endTime" => RawColumn::End,
            b"phase" => RawColumn::Phase,
            b"category" => RawColumn::Category,
            b"data" => RawColumn::Data,
            b"time" => RawColumn::Time,
            b"count" => RawColumn::Count,
            b"stack" => RawColumn::Stack,
            b"threadCPUDelta" => RawColumn::CpuDelta,
            b"prefix" => RawColumn::Prefix,
            b"frame" => RawColumn::Frame,
            b"location" => RawColumn::Location,
            b"relevantForJS" => RawColumn::RelevantForJs,
            b"line" => RawColumn::Line,
            b"column" => RawColumn::Column,
            b"subcategory" => RawColumn::Subcategory,
            _ => RawColumn::Other,
        };
        let position = columns::integer(cursor)?;
        if position < 256 {
            let position = position as usize;
            if schema.len() <= position {
                schema.resize(position + 1, RawColumn::Other);
            }
            schema[position] = meaning;
        }
    }
    Ok(schema)
}

pub(super) fn read_markers(cursor: &mut Cursor<'_>, thread: &mut RawThread, progress: &Progress) -> Result<()> {
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

/// Reads the counters of the raw profile with this meta: `{name, category, samples: {schema, data}}`; `count` is a
/// delta.
pub(super) fn read_counters(
    mut cursor: Cursor<'_>,
    meta_index: usize,
    shift: Ns,
    warnings: &mut Warnings,
) -> Vec<RawCounter> {
    let mut counters = Vec::new();
    let result = (|| -> Result<()> {
        cursor.enter_array()?;
        while cursor.next_element()? {
            if cursor.peek()? != Kind::Object {
                cursor.skip_value()?;
                continue;
            }
            let mut counter = RawCounter::new(Some(meta_index));
            let result = read_counter(&mut cursor, &mut counter, shift, warnings);
            counters.push(counter);
            result?;
        }
        Ok(())
    })();
    if let Err(error) = result {
        warn_damage(warnings, error, || format!("in counter {}", counters.len()));
    }
    counters
}

fn read_counter(cursor: &mut Cursor<'_>, raw: &mut RawCounter, shift: Ns, warnings: &mut Warnings) -> Result<()> {
    cursor.enter_object()?;
    while let Some(key) = cursor.next_key()? {
        let counter = &mut raw.counter;
        let result = match key.bytes {
            b"samples" => read_counter_samples(cursor, counter, shift),
            // Older versions have a list of sample tables; the Firefox Profiler shows the first.
            b"sample_groups" => first_group(cursor, |cursor| read_counter_samples(cursor, counter, shift)),
            other => raw.read_member(other, cursor),
        };
        skip_wrong_type(warnings, "counters", "counter", result)?;
    }
    Ok(())
}

/// Reads `samples` of the first group of `[{id, samples}, …]`.
pub(super) fn first_group<'a>(
    cursor: &mut Cursor<'a>,
    mut read: impl FnMut(&mut Cursor<'a>) -> Result<()>,
) -> Result<()> {
    let mut is_first = true;
    let mut wrong = Ok(());
    cursor.enter_array()?;
    while cursor.next_element()? {
        if !std::mem::take(&mut is_first) || cursor.peek()? != Kind::Object {
            cursor.skip_value()?;
            continue;
        }
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            match if key.bytes == b"samples" { read(cursor) } else { cursor.skip_value() } {
                Err(error) if error.is_wrong_type() => wrong = Err(error),
                other => other?,
            }
        }
    }
    wrong
}

fn read_counter_samples(cursor: &mut Cursor<'_>, counter: &mut flowline_profile::Counter, shift: Ns) -> Result<()> {
    let mut sum = 0.0;
    read_table(cursor, |cursor, schema| {
        if cursor.peek()? != Kind::Array {
            return cursor.skip_value();
        }
        let (mut time, mut count) = (NO_TIME, f64::NAN);
        let mut column = 0;
        cursor.enter_array()?;
        while cursor.next_element()? {
            match schema.get(column).copied().unwrap_or(RawColumn::Other) {
                RawColumn::Time => time = columns::time(cursor)?,
                RawColumn::Count => count = columns::number(cursor)?,
                _ => cursor.skip_value()?,
            }
            column += 1;
        }
        if time != NO_TIME && (sum + count).is_finite() {
            sum += count;
            counter.single().push(Sample { time: time + shift, value: sum });
        }
        Ok(())
    })
}
