//! Writes selected rows of tables: columns of processed profiles, tuples of raw profiles.

use super::sample_selection::{carried_counts, carried_deltas, keep_minimum, milliseconds};
use crate::firefox::document::slabs::Slabs;
use crate::firefox::threads::columns;
use crate::firefox::threads::gecko::{RawColumn, read_table};
use crate::firefox::threads::sentinels::NO_TIME;
use crate::json_copy::{JsonCopy, Stop};
use flowline_json::{Cursor, Kind, RawString};
use flowline_profile::Ns;

type Result = std::result::Result<(), Stop>;

fn is_kept(rows: &[bool], row: usize) -> bool {
    rows.get(row).copied().unwrap_or(false)
}

fn count(rows: &[bool]) -> String {
    rows.iter().filter(|kept| **kept).count().to_string()
}

/// Writes a column, an array with one value per row; copies any other value verbatim. `value` can replace the text of a
/// row.
fn column<'a>(
    copy: &mut JsonCopy<'a, '_>,
    key: &RawString<'a>,
    cursor: &mut Cursor<'a>,
    rows: &[bool],
    value: impl Fn(usize) -> Option<String>,
) -> Result {
    copy.array(Some(key), cursor, |copy, row, cursor| match value(row) {
        _ if !is_kept(rows, row) => Ok(cursor.skip_value()?),
        Some(value) => {
            cursor.skip_value()?;
            Ok(copy.insert(None, value.as_bytes())?)
        }
        None => copy.value(None, cursor),
    })
}

/// Writes the markers of a processed profile. Columns shortened by damage are padded, as in the importer.
pub(super) fn columns<'a>(
    copy: &mut JsonCopy<'a, '_>,
    key: &RawString<'a>,
    cursor: &mut Cursor<'a>,
    rows: &[bool],
) -> Result {
    copy.object(Some(key), cursor, |copy, key, cursor| {
        if key.bytes == b"length" {
            cursor.skip_value()?;
            return Ok(copy.insert(Some(key), count(rows).as_bytes())?);
        }
        let missing: &[u8] = if key.bytes == b"category" { b"0" } else { b"null" };
        copy.padded_array(
            Some(key),
            cursor,
            |copy, row, cursor| {
                if is_kept(rows, row) { copy.value(None, cursor) } else { Ok(cursor.skip_value()?) }
            },
            |copy, read| {
                let mut lost = rows.iter().skip(read).filter(|kept| **kept);
                lost.try_for_each(|_| copy.insert(None, missing))
            },
        )
    })
}

/// The times of a processed sample table, and its delta columns.
#[derive(Default)]
struct TimeColumns {
    times: Vec<Ns>,
    deltas: Vec<Ns>,
    counts: Vec<f64>,
}

impl TimeColumns {
    fn read(mut cursor: Cursor<'_>) -> Self {
        let mut found = Self::default();
        let slabs = Slabs::default();
        if cursor.enter_object().is_err() {
            return found;
        }
        while let Ok(Some(key)) = cursor.next_key() {
            let result = match key.bytes {
                b"time" => columns::times(&mut cursor, &slabs, &mut found.times),
                b"timeDeltas" => columns::times(&mut cursor, &slabs, &mut found.deltas),
                b"count" => columns::numbers(&mut cursor, &slabs, &mut found.counts),
                _ => cursor.skip_value(),
            };
            if result.is_err_and(|error| !error.is_wrong_type()) {
                break;
            }
        }
        if found.times.is_empty() {
            let mut sum = Ns(0);
            found.times.extend(found.deltas.iter().map(|delta| {
                if *delta == NO_TIME {
                    return NO_TIME;
                }
                sum = sum + *delta;
                sum
            }));
        }
        found
    }
}

/// Writes the samples of a thread of a processed profile; `choose` selects the kept rows by their times.
pub(super) fn samples<'a>(
    copy: &mut JsonCopy<'a, '_>,
    key: &RawString<'a>,
    cursor: &mut Cursor<'a>,
    choose: impl Fn(&[Ns]) -> Vec<bool>,
) -> Result {
    let found = TimeColumns::read(*cursor);
    let rows = choose(&found.times);
    timed_columns(copy, key, cursor, &found, &rows, &[])
}

/// Writes the samples of a counter of a processed profile.
pub(super) fn counts<'a>(
    copy: &mut JsonCopy<'a, '_>,
    key: &RawString<'a>,
    cursor: &mut Cursor<'a>,
    choose: impl Fn(&[Ns]) -> Vec<bool>,
) -> Result {
    let found = TimeColumns::read(*cursor);
    let mut rows = choose(&valid_times(&found.times, &found.counts));
    let counts = valid_counts(&found.times, &found.counts);
    keep_minimum(&counts, &mut rows);
    let counts = carried_counts(&counts, &rows);
    timed_columns(copy, key, cursor, &found, &rows, &counts)
}

/// The times of samples whose counts are numbers.
fn valid_times(times: &[Ns], counts: &[f64]) -> Vec<Ns> {
    let is_valid = |at: usize| counts.get(at).is_some_and(|count| count.is_finite());
    times.iter().enumerate().map(|(at, time)| if is_valid(at) { *time } else { NO_TIME }).collect()
}

/// The counts of samples whose times are known.
fn valid_counts(times: &[Ns], counts: &[f64]) -> Vec<f64> {
    times.iter().zip(counts).map(|(time, count)| if *time == NO_TIME { f64::NAN } else { *count }).collect()
}

fn timed_columns<'a>(
    copy: &mut JsonCopy<'a, '_>,
    key: &RawString<'a>,
    cursor: &mut Cursor<'a>,
    found: &TimeColumns,
    rows: &[bool],
    counts: &[Option<f64>],
) -> Result {
    if found.times.is_empty() {
        return copy.value(Some(key), cursor);
    }
    let deltas = carried_deltas(&found.deltas, rows);
    copy.object(Some(key), cursor, |copy, key, cursor| match key.bytes {
        b"length" => {
            cursor.skip_value()?;
            Ok(copy.insert(Some(key), count(rows).as_bytes())?)
        }
        b"timeDeltas" => column(copy, key, cursor, rows, |row| deltas.get(row).copied().flatten().map(milliseconds)),
        b"count" => column(copy, key, cursor, rows, |row| Some(counts.get(row).copied().flatten()?.to_string())),
        _ => column(copy, key, cursor, rows, |_| None),
    })
}

/// Writes a table of tuples; `row` receives the number of each tuple and writes or skips it. Other values are omitted,
/// because the importer does not count them.
fn tuples<'a>(
    copy: &mut JsonCopy<'a, '_>,
    key: &RawString<'a>,
    cursor: &mut Cursor<'a>,
    mut row: impl FnMut(&mut JsonCopy<'a, '_>, usize, &mut Cursor<'a>) -> Result,
) -> Result {
    copy.object(Some(key), cursor, |copy, key, cursor| {
        if key.bytes != b"data" {
            return copy.value(Some(key), cursor);
        }
        let mut number = 0;
        copy.array(Some(key), cursor, |copy, _, cursor| {
            if cursor.peek()? != Kind::Array {
                return Ok(cursor.skip_value()?);
            }
            number += 1;
            row(copy, number - 1, cursor)
        })
    })
}

/// Writes the selected rows of a raw table.
pub(super) fn raw_rows<'a>(
    copy: &mut JsonCopy<'a, '_>,
    key: &RawString<'a>,
    cursor: &mut Cursor<'a>,
    rows: &[bool],
) -> Result {
    tuples(
        copy,
        key,
        cursor,
        |copy, row, cursor| {
            if is_kept(rows, row) { copy.value(None, cursor) } else { Ok(cursor.skip_value()?) }
        },
    )
}

/// Times and counts of a raw table, and the position of the counts in its rows.
fn raw_times(mut cursor: Cursor<'_>) -> (Vec<Ns>, Vec<f64>, Option<usize>) {
    let (mut times, mut counts, mut position) = (Vec::new(), Vec::new(), None);
    // Damage also ends the table in the copy.
    let _damage = read_table(&mut cursor, |cursor, schema| {
        if cursor.peek()? != Kind::Array {
            return cursor.skip_value();
        }
        position = schema.iter().position(|column| *column == RawColumn::Count);
        let (mut time, mut count) = (NO_TIME, f64::NAN);
        let mut at = 0;
        cursor.enter_array()?;
        while cursor.next_element()? {
            match schema.get(at) {
                Some(RawColumn::Time) => time = columns::time(cursor)?,
                Some(RawColumn::Count) => count = columns::number(cursor)?,
                _ => cursor.skip_value()?,
            }
            at += 1;
        }
        times.push(time);
        counts.push(count);
        Ok(())
    });
    (times, counts, position)
}

/// Writes the samples of a thread of a raw profile.
pub(super) fn raw_samples<'a>(
    copy: &mut JsonCopy<'a, '_>,
    key: &RawString<'a>,
    cursor: &mut Cursor<'a>,
    choose: impl Fn(&[Ns]) -> Vec<bool>,
) -> Result {
    let (times, _, _) = raw_times(*cursor);
    raw_rows(copy, key, cursor, &choose(&times))
}

/// Writes the samples of a counter of a raw profile.
pub(super) fn raw_counts<'a>(
    copy: &mut JsonCopy<'a, '_>,
    key: &RawString<'a>,
    cursor: &mut Cursor<'a>,
    choose: impl Fn(&[Ns]) -> Vec<bool>,
) -> Result {
    let (times, counts, position) = raw_times(*cursor);
    let mut rows = choose(&valid_times(&times, &counts));
    let counts = valid_counts(&times, &counts);
    keep_minimum(&counts, &mut rows);
    let counts = carried_counts(&counts, &rows);
    tuples(copy, key, cursor, |copy, row, cursor| match counts.get(row).copied().flatten() {
        _ if !is_kept(&rows, row) => Ok(cursor.skip_value()?),
        None => copy.value(None, cursor),
        Some(count) => copy.array(None, cursor, |copy, at, cursor| {
            if Some(at) != position {
                return copy.value(None, cursor);
            }
            cursor.skip_value()?;
            Ok(copy.insert(None, count.to_string().as_bytes())?)
        }),
    })
}
