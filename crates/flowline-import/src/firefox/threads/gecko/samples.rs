//! Rows of the raw tables of samples, stacks and frames.

use super::table::{RawColumn, Result, read_table};
use crate::firefox::threads::columns;
use crate::firefox::threads::number_columns;
use crate::firefox::threads::sampled::{RawSamples, Sampled};
use crate::firefox::threads::sentinels::{NO_TIME, NONE};
use crate::firefox::threads::traced_values;
use flowline_json::{Cursor, Kind, fast_path};
use flowline_profile::samples::JankReader;
use flowline_profile::{Ns, Unit};

/// Reads the sample table. Rows that are not tuples are skipped and counted.
pub(super) fn read_samples(cursor: &mut Cursor<'_>, samples: &mut RawSamples, wrong_rows: &mut u64) -> Result<()> {
    *samples = RawSamples::default();
    let mut jank = JankReader::default();
    let result = read_table(cursor, |cursor, schema| {
        let row = match SampleRow::read_fast(cursor, schema) {
            Some(row) => row,
            None if cursor.peek()? == Kind::Array => SampleRow::read(cursor, schema, &mut samples.bad_deltas)?,
            None => {
                *wrong_rows += 1;
                return cursor.skip_value();
            }
        };
        if row.time != NO_TIME && row.delay != NO_TIME {
            jank.add(row.time, row.delay);
        }
        samples.time.push(row.time);
        samples.stack.push(row.stack);
        // The column is empty until the first known place.
        if row.arguments != NONE || !samples.arguments.is_empty() {
            samples.arguments.resize(samples.time.len() - 1, NONE);
            samples.arguments.push(row.arguments);
        }
        if row.cpu_delta.is_some() && samples.cpu_delta.is_empty() {
            samples.cpu_delta.resize(samples.time.len() - 1);
        }
        // The column is empty until the first known delta.
        if row.cpu_delta.is_some() || !samples.cpu_delta.is_empty() {
            samples.cpu_delta.push(row.cpu_delta);
        }
        Ok(())
    });
    samples.jank = jank.finish();
    result
}

struct SampleRow {
    time: Ns,
    stack: u32,
    cpu_delta: Option<u64>,
    /// Time for which an event would have waited; [`NO_TIME`] if unknown.
    delay: Ns,
    /// Place of the arguments of the call that the sample began; [`NONE`] if there is none.
    arguments: u32,
}

impl SampleRow {
    const EMPTY: Self = Self { time: NO_TIME, stack: NONE, cpu_delta: None, delay: NO_TIME, arguments: NONE };

    fn read(cursor: &mut Cursor<'_>, schema: &[RawColumn], bad_deltas: &mut u64) -> Result<Self> {
        let mut row = Self::EMPTY;
        let mut column = 0;
        cursor.enter_array()?;
        while cursor.next_element()? {
            match schema.get(column).copied().unwrap_or(RawColumn::Other) {
                RawColumn::Stack => row.stack = columns::integer(cursor)?,
                RawColumn::Time => row.time = columns::time(cursor)?,
                RawColumn::CpuDelta => row.cpu_delta = number_columns::cpu_delta(cursor, bad_deltas)?,
                RawColumn::EventDelay => row.delay = columns::time(cursor)?,
                RawColumn::Arguments => row.arguments = traced_values::place(cursor)?,
                _ => cursor.skip_value()?,
            }
            column += 1;
        }
        Ok(row)
    }

    /// The fast path; `None`, without moving the cursor, for anything unusual.
    #[inline]
    fn read_fast(cursor: &mut Cursor<'_>, schema: &[RawColumn]) -> Option<Self> {
        let (text, mut at) = (cursor.text(), cursor.offset());
        let mut row = Self::EMPTY;
        if *text.get(at)? != b'[' {
            return None;
        }
        for meaning in schema {
            at += 1;
            let is_null = text.get(at..)?.starts_with(b"null");
            match meaning {
                _ if is_null => at += 4,
                RawColumn::Stack => (row.stack, at) = fast_path::small_integer(text, at)?,
                RawColumn::Time => (row.time, at) = fast_path::decimal(text, at, Unit::Millis)?,
                RawColumn::EventDelay => (row.delay, at) = fast_path::decimal(text, at, Unit::Millis)?,
                RawColumn::Arguments => return None,
                RawColumn::CpuDelta => {
                    let (digits, end) = fast_path::scalar(text, at).filter(|(digits, _)| digits.len() < 19)?;
                    if text[at] == b'"' {
                        return None;
                    }
                    let value = |value, digit: &u8| value * 10 + u64::from(digit - b'0');
                    (row.cpu_delta, at) = (Some(digits.iter().fold(0, value)), end);
                }
                _ => at = fast_path::value_end(text, at)?,
            }
            match text.get(at)? {
                b',' => {}
                b']' => {
                    cursor.jump(at + 1);
                    return Some(row);
                }
                _ => return None,
            }
        }
        None
    }
}

/// Reads the stack table.
pub(super) fn read_stacks(cursor: &mut Cursor<'_>, sampled: &mut Sampled, wrong_rows: &mut u64) -> Result<()> {
    let stacks = &mut sampled.stacks.stacks;
    *stacks = <_>::default();
    read_table(cursor, |cursor, schema| {
        let (prefix, frame) = match fast_stack(cursor, schema) {
            Some(row) => row,
            None if cursor.peek()? == Kind::Array => slow_stack(cursor, schema)?,
            // The row keeps its number, because other stacks and samples refer to rows by number.
            None => {
                *wrong_rows += 1;
                cursor.skip_value()?;
                (NONE, NONE)
            }
        };
        stacks.prefix.push(prefix);
        stacks.frame.push(frame);
        Ok(())
    })
}

/// The fast path for a row as Firefox writes it: caller and frame.
#[inline]
fn fast_stack(cursor: &mut Cursor<'_>, schema: &[RawColumn]) -> Option<(u32, u32)> {
    if schema != [RawColumn::Prefix, RawColumn::Frame] {
        return None;
    }
    let text = cursor.text();
    let after = |at: usize, byte| (text.get(at) == Some(&byte)).then_some(at + 1);
    let at = after(cursor.offset(), b'[')?;
    let (prefix, at) = match text.get(at)? {
        b'n' => text.get(at..)?.starts_with(b"null,").then_some((NONE, at + 4))?,
        _ => fast_path::small_integer(text, at)?,
    };
    let (frame, at) = fast_path::small_integer(text, after(at, b',')?)?;
    cursor.jump(after(at, b']')?);
    Some((prefix, frame))
}

fn slow_stack(cursor: &mut Cursor<'_>, schema: &[RawColumn]) -> Result<(u32, u32)> {
    let (mut prefix, mut frame) = (NONE, NONE);
    let mut column = 0;
    cursor.enter_array()?;
    while cursor.next_element()? {
        match schema.get(column).copied().unwrap_or(RawColumn::Other) {
            RawColumn::Prefix => prefix = columns::integer(cursor)?,
            RawColumn::Frame => frame = columns::integer(cursor)?,
            _ => cursor.skip_value()?,
        }
        column += 1;
    }
    Ok((prefix, frame))
}

/// Reads the frame table. Rows may end before their last columns.
pub(super) fn read_frames(cursor: &mut Cursor<'_>, sampled: &mut Sampled, wrong_rows: &mut u64) -> Result<()> {
    let frames = &mut sampled.stacks.frames;
    *frames = <_>::default();
    read_table(cursor, |cursor, schema| {
        let (mut func, mut line, mut place, mut category, mut subcategory) = (NONE, NONE, NONE, NONE, NONE);
        let mut relevant_for_js = false;
        if cursor.peek()? == Kind::Array {
            let mut column = 0;
            cursor.enter_array()?;
            while cursor.next_element()? {
                match schema.get(column).copied().unwrap_or(RawColumn::Other) {
                    RawColumn::Location => func = columns::integer(cursor)?,
                    RawColumn::RelevantForJs => relevant_for_js = number_columns::flag(cursor)?,
                    RawColumn::Line => line = columns::integer(cursor)?,
                    RawColumn::Column => place = columns::integer(cursor)?,
                    RawColumn::Category => category = columns::integer(cursor)?,
                    RawColumn::Subcategory => subcategory = columns::integer(cursor)?,
                    _ => cursor.skip_value()?,
                }
                column += 1;
            }
        } else {
            *wrong_rows += 1;
            cursor.skip_value()?;
        }
        frames.func.push(func);
        frames.line.push(line);
        frames.column.push(place);
        frames.category.push(category);
        frames.subcategory.push(subcategory);
        frames.relevant_for_js.push(relevant_for_js);
        Ok(())
    })
}
