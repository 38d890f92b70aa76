//! Raw Gecko profiles (what Firefox itself writes): `{schema, data}` tables of tuples, string tables a thread.

use super::columns::{self, PayloadKeys};
use super::counters::RawCounter;
use super::progress::Progress;
use super::raw::{NO_TIME, RawThread, id_text, soften, warn_broken};
use super::slabs::Slabs;
use crate::profile::json::{Cursor, JsonError, Kind, Problem};
use crate::profile::{Ns, Sample, WarningKind, Warnings};

mod row;

use row::MarkerRow;

type Result<T> = std::result::Result<T, JsonError>;

/// What a column of a tuple table means to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Name,
    Start,
    End,
    Phase,
    Category,
    Data,
    Time,
    Count,
    Other,
}

/// Reads one thread object; damage ends it early with a warning.
pub(super) fn read_thread<'a>(
    mut cursor: Cursor<'a>,
    slabs: &Slabs<'a>,
    mut thread: RawThread,
    progress: &Progress,
) -> RawThread {
    if let Err(error) = walk(&mut cursor, slabs, &mut thread, progress) {
        thread.broken(error);
    }
    thread.finish()
}

fn walk<'a>(cursor: &mut Cursor<'a>, slabs: &Slabs<'a>, thread: &mut RawThread, progress: &Progress) -> Result<()> {
    cursor.enter_object()?;
    while let Some(key) = cursor.next_key()? {
        match key.bytes {
            b"markers" => read_markers(cursor, thread, progress)?,
            b"samples" => read_samples(cursor, thread)?,
            b"stringTable" => {
                let mut offsets = Vec::new();
                let result = columns::string_offsets(cursor, slabs, &mut offsets);
                thread.strings = Some(offsets);
                thread.soft("stringTable", result)?;
            }
            _ => read_header(key.bytes, cursor, thread)?,
        }
    }
    Ok(())
}

/// The members of a thread that raw and processed profiles share.
pub(super) fn read_header(key: &[u8], cursor: &mut Cursor<'_>, thread: &mut RawThread) -> Result<()> {
    let text = |cursor: &mut Cursor<'_>| id_text(cursor);
    match key {
        b"name" | b"processName" | b"pid" | b"tid" => {
            let value = text(cursor);
            let value = thread.soft("a name", value)?.filter(|text| text != "null").unwrap_or_default();
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

/// Reads `{schema: {name: position}, data: [tuples]}`, whichever of the two comes first. A member of a wrong type is
/// skipped; the error comes back only after the whole table was passed, so that reading goes on behind it.
fn read_table<'a>(cursor: &mut Cursor<'a>, mut row: impl FnMut(&mut Cursor<'a>, &[Role]) -> Result<()>) -> Result<()> {
    let mut roles: Option<Vec<Role>> = None;
    let mut early_data: Option<Cursor<'a>> = None;
    let mut rows = |cursor: &mut Cursor<'a>, roles: &[Role]| -> Result<()> {
        cursor.enter_array()?;
        while cursor.next_element()? {
            row(cursor, roles)?;
        }
        Ok(())
    };
    let mut wrong = Ok(());
    cursor.enter_object()?;
    while let Some(key) = cursor.next_key()? {
        let result = match (key.bytes, &roles) {
            (b"schema", _) => read_roles(cursor).map(|found| roles = Some(found)),
            (b"data", Some(roles)) => rows(cursor, roles),
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
    match (early_data, roles) {
        (Some(mut data), Some(roles)) => rows(&mut data, &roles).and(wrong),
        _ => wrong,
    }
}

fn read_roles(cursor: &mut Cursor<'_>) -> Result<Vec<Role>> {
    let mut roles = Vec::new();
    cursor.enter_object()?;
    while let Some(key) = cursor.next_key()? {
        let role = match key.bytes {
            b"name" => Role::Name,
            b"startTime" => Role::Start,
            b"endTime" => Role::End,
            b"phase" => Role::Phase,
            b"category" => Role::Category,
            b"data" => Role::Data,
            b"time" => Role::Time,
            b"count" => Role::Count,
            _ => Role::Other,
        };
        let position = columns::integer(cursor)?;
        if position < 256 {
            let position = position as usize;
            if roles.len() <= position {
                roles.resize(position + 1, Role::Other);
            }
            roles[position] = role;
        }
    }
    Ok(roles)
}

fn read_markers(cursor: &mut Cursor<'_>, thread: &mut RawThread, progress: &Progress) -> Result<()> {
    let mut wrong_rows = 0_u64;
    let mut first_wrong = 0;
    let markers = &mut thread.markers;
    let kinds = &mut thread.kinds;
    let mut keys = PayloadKeys::default();
    let result = read_table(cursor, |cursor, roles| {
        if progress.is_cancelled() {
            // Nobody looks at what has been read; the rest must not be walked either.
            return Err(JsonError { offset: cursor.offset(), problem: Problem::Truncated });
        }
        if cursor.peek()? != Kind::Array {
            wrong_rows += 1;
            first_wrong = cursor.offset();
            return cursor.skip_value();
        }
        let plain = if roles == MarkerRow::USUAL { MarkerRow::plain(cursor, kinds, &mut keys) } else { None };
        let row = match plain {
            Some(row) => row,
            None => MarkerRow::any(cursor, roles, kinds, &mut keys)?,
        };
        markers.name.push(row.name);
        markers.start.push(row.start);
        markers.end.push(row.end);
        markers.phase.push(row.phase);
        markers.category.push(row.category);
        markers.payload.push(row.payload);
        markers.kind.push(row.kind);
        Ok(())
    });
    for _ in 0..wrong_rows {
        let name = thread.name.clone();
        thread.warnings.add(WarningKind::WrongType, || format!("marker of thread \"{name}\", byte {first_wrong}"));
    }
    thread.soft("markers", result)?;
    Ok(())
}

fn read_samples(cursor: &mut Cursor<'_>, thread: &mut RawThread) -> Result<()> {
    let mut range: Option<(Ns, Ns)> = None;
    let result = read_table(cursor, |cursor, roles| {
        let Some(column) = roles.iter().position(|role| *role == Role::Time) else { return cursor.skip_value() };
        if cursor.peek()? != Kind::Array {
            return cursor.skip_value();
        }
        cursor.enter_array()?;
        let mut position = 0;
        while cursor.next_element()? {
            if position == column {
                let time = columns::time(cursor)?;
                if time != NO_TIME {
                    range = Some(range.map_or((time, time), |(first, last)| (first.min(time), last.max(time))));
                }
            } else {
                cursor.skip_value()?;
            }
            position += 1;
        }
        Ok(())
    });
    thread.samples = range;
    thread.soft("samples", result)?;
    Ok(())
}

/// Reads the counters of raw profile number `place`: `{name, category, samples: {schema, data}}`; `count` holds differences.
pub(super) fn read_counters(
    mut cursor: Cursor<'_>,
    place: usize,
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
            let mut counter = RawCounter::new(Some(place));
            let result = read_counter(&mut cursor, &mut counter, shift, warnings);
            counters.push(counter);
            result?;
        }
        Ok(())
    })();
    if let Err(error) = result {
        warn_broken(warnings, error, || format!("in counter {}", counters.len()));
    }
    counters
}

fn read_counter(cursor: &mut Cursor<'_>, raw: &mut RawCounter, shift: Ns, warnings: &mut Warnings) -> Result<()> {
    cursor.enter_object()?;
    while let Some(key) = cursor.next_key()? {
        let counter = &mut raw.counter;
        let result = match key.bytes {
            b"samples" => read_counter_samples(cursor, counter, shift),
            // Older versions have a list of sample tables; the front end has always shown the first.
            b"sample_groups" => first_group(cursor, |cursor| read_counter_samples(cursor, counter, shift)),
            other => raw.read_member(other, cursor),
        };
        soften(warnings, "counters", "counter", result)?;
    }
    Ok(())
}

/// Reads `samples` of the first of `[{id, samples}, …]`.
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

fn read_counter_samples(cursor: &mut Cursor<'_>, counter: &mut crate::profile::Counter, shift: Ns) -> Result<()> {
    let mut sum = 0.0;
    read_table(cursor, |cursor, roles| {
        if cursor.peek()? != Kind::Array {
            return cursor.skip_value();
        }
        let (mut time, mut count) = (NO_TIME, f64::NAN);
        let mut column = 0;
        cursor.enter_array()?;
        while cursor.next_element()? {
            match roles.get(column).copied().unwrap_or(Role::Other) {
                Role::Time => time = columns::time(cursor)?,
                Role::Count => count = columns::number(cursor)?,
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
