//! Tables of tuples.

use crate::firefox::threads::columns;
use flowline_json::{Cursor, JsonError};

pub(super) type Result<T> = std::result::Result<T, JsonError>;

/// The meaning of a column of a tuple table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::firefox) enum RawColumn {
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
    EventDelay,
    Arguments,
    Prefix,
    Frame,
    Location,
    RelevantForJs,
    Line,
    Column,
    Subcategory,
    Other,
}

/// Reads `{schema: {name: position}, data: [tuples]}`, in either order. A member of the wrong type is skipped; its
/// error is returned after the whole table has been read.
pub(in crate::firefox) fn read_table<'a>(
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
            b"eventDelay" | b"responsiveness" => RawColumn::EventDelay,
            b"argumentValues" => RawColumn::Arguments,
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
