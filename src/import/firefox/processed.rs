//! Processed Firefox profiles, as the Firefox Profiler saves them, from version 40 on: tables as columns.

use std::sync::Arc;

use super::columns::{self, PayloadKeys};
use super::counters::RawCounter;
use super::gecko::{first_group, read_header};
use super::raw_thread::{NO_TIME, NO_TYPE, RawThread, skip_wrong_type, warn_damage};
use super::slabs::Slabs;
use crate::import::progress::Progress;
use crate::profile::json::{Cursor, JsonError, Kind};
use crate::profile::{Ns, Sample, StringTable, WarningKind, Warnings};

type Result<T> = std::result::Result<T, JsonError>;

/// Reads one thread object.
///
/// # Errors
/// On damage; the thread keeps what is before it.
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
            b"markers" => read_inline_or_slab(cursor, slabs, thread, "markers", |cursor, thread| {
                read_markers(cursor, slabs, thread, progress)
            })?,
            b"samples" => read_inline_or_slab(cursor, slabs, thread, "samples", |cursor, thread| {
                read_samples(cursor, slabs, thread)
            })?,
            // Before version 56, each thread has its own strings.
            b"stringTable" | b"stringArray" => {
                let mut offsets = Vec::new();
                let result = columns::string_offsets(cursor, slabs, &mut offsets);
                thread.strings = Some(offsets);
                thread.skip_wrong_type("stringArray", result)?;
            }
            _ => read_header(key.bytes, cursor, thread)?,
        }
    }
    Ok(())
}

/// Reads a member that is here or in a slab; a wrong type gives a warning.
fn read_inline_or_slab<'a>(
    cursor: &mut Cursor<'a>,
    slabs: &Slabs<'a>,
    thread: &mut RawThread,
    what: &str,
    read: impl FnOnce(&mut Cursor<'a>, &mut RawThread) -> Result<()>,
) -> Result<()> {
    let result = match slabs.follow(cursor)? {
        Some(mut inside) => read(&mut inside, thread),
        None => read(cursor, thread),
    };
    thread.skip_wrong_type(what, result)?;
    Ok(())
}

fn read_markers<'a>(
    cursor: &mut Cursor<'a>,
    slabs: &Slabs<'a>,
    thread: &mut RawThread,
    progress: &Progress,
) -> Result<()> {
    cursor.enter_object()?;
    while let Some(key) = cursor.next_key()? {
        if progress.is_cancelled() {
            return Ok(());
        }
        let markers = &mut thread.markers;
        let (what, result) = match key.bytes {
            b"name" => ("name", columns::integers(cursor, slabs, &mut markers.name)),
            b"startTime" => ("startTime", columns::times(cursor, slabs, &mut markers.start)),
            b"endTime" => ("endTime", columns::times(cursor, slabs, &mut markers.end)),
            b"phase" => ("phase", columns::integers(cursor, slabs, &mut markers.phase)),
            b"category" => ("category", columns::integers(cursor, slabs, &mut markers.category)),
            b"data" => {
                let kinds = &mut thread.kinds;
                let mut keys = PayloadKeys::default();
                let result = columns::for_each_element(cursor, slabs, |cursor| {
                    let (payload, kind) = match slabs.follow(cursor)? {
                        Some(mut inside) => columns::payload(&mut inside, kinds, &mut keys)?,
                        None => columns::payload(cursor, kinds, &mut keys)?,
                    };
                    markers.payload.push(payload);
                    markers.kind.push(kind);
                    Ok(())
                });
                ("data", result)
            }
            _ => ("", cursor.skip_value()),
        };
        thread.skip_wrong_type(what, result)?;
    }
    let markers = &mut thread.markers;
    if markers.payload.len() != markers.kind.len() {
        markers.kind.resize(markers.payload.len(), NO_TYPE);
    }
    Ok(())
}

fn read_samples<'a>(cursor: &mut Cursor<'a>, slabs: &Slabs<'a>, thread: &mut RawThread) -> Result<()> {
    let mut times = Vec::new();
    cursor.enter_object()?;
    while let Some(key) = cursor.next_key()? {
        let result = match key.bytes {
            b"time" => columns::times(cursor, slabs, &mut times),
            b"timeDeltas" => columns::time_deltas(cursor, slabs, &mut times),
            _ => cursor.skip_value(),
        };
        thread.skip_wrong_type("sample times", result)?;
    }
    let valid = || times.iter().copied().filter(|time| *time != NO_TIME);
    thread.samples = valid().min().zip(valid().max());
    Ok(())
}

/// The profile's shared string table (from version 56 on).
pub(super) fn read_shared_strings<'a>(
    mut cursor: Cursor<'a>,
    slabs: &Slabs<'a>,
    warnings: &mut Warnings,
) -> Arc<StringTable> {
    let mut offsets = Vec::new();
    let result = (|| -> Result<()> {
        let mut cursor = match slabs.follow(&mut cursor)? {
            Some(inside) => inside,
            None => cursor,
        };
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            if key.bytes == b"stringArray" {
                columns::string_offsets(&mut cursor, slabs, &mut offsets)?;
            } else {
                cursor.skip_value()?;
            }
        }
        Ok(())
    })();
    if let Err(error) = result {
        warn_damage(warnings, error, || "in the shared string table".into());
    }
    if offsets.is_empty() {
        warnings.add(WarningKind::MissingPart, || "shared.stringArray".into());
    }
    Arc::new(StringTable::new(offsets))
}

/// Reads counters: `{name, category, pid, samples: {time | timeDeltas, count}}`; `count` is a difference.
pub(super) fn read_counters<'a>(mut cursor: Cursor<'a>, slabs: &Slabs<'a>, warnings: &mut Warnings) -> Vec<RawCounter> {
    let mut counters = Vec::new();
    let result = columns::for_each_element(&mut cursor, slabs, |cursor| {
        if cursor.peek()? != Kind::Object {
            return cursor.skip_value();
        }
        let mut counter = RawCounter::new(None);
        let result = match slabs.follow(cursor)? {
            Some(mut inside) => read_counter(&mut inside, slabs, &mut counter, warnings),
            None => read_counter(cursor, slabs, &mut counter, warnings),
        };
        counters.push(counter);
        result
    });
    if let Err(error) = result {
        warn_damage(warnings, error, || format!("in counter {}", counters.len()));
    }
    counters
}

fn read_counter<'a>(
    cursor: &mut Cursor<'a>,
    slabs: &Slabs<'a>,
    raw: &mut RawCounter,
    warnings: &mut Warnings,
) -> Result<()> {
    cursor.enter_object()?;
    while let Some(key) = cursor.next_key()? {
        let counter = &mut raw.counter;
        let mut samples = |cursor: &mut Cursor<'a>| -> Result<()> {
            match slabs.follow(cursor)? {
                Some(mut inside) => read_counter_samples(&mut inside, slabs, counter.single()),
                None => read_counter_samples(cursor, slabs, counter.single()),
            }
        };
        let result = match key.bytes {
            b"samples" => samples(cursor),
            // Before version 48, a counter has several sample tables; the Firefox Profiler shows the first.
            b"sampleGroups" => first_group(cursor, samples),
            other => raw.read_member(other, cursor),
        };
        skip_wrong_type(warnings, "counters", "counter", result)?;
    }
    Ok(())
}

fn read_counter_samples<'a>(cursor: &mut Cursor<'a>, slabs: &Slabs<'a>, samples: &mut Vec<Sample>) -> Result<()> {
    let (mut times, mut counts) = (Vec::new(), Vec::new());
    let mut wrong = Ok(());
    cursor.enter_object()?;
    while let Some(key) = cursor.next_key()? {
        let result = match key.bytes {
            b"time" => columns::times(cursor, slabs, &mut times),
            b"timeDeltas" => columns::time_deltas(cursor, slabs, &mut times),
            b"count" => columns::numbers(cursor, slabs, &mut counts),
            _ => cursor.skip_value(),
        };
        match result {
            Err(error) if error.is_wrong_type() => wrong = Err(error),
            other => other?,
        }
    }
    let mut sum = 0.0;
    let sample = |(time, count): (Ns, f64)| {
        (time != NO_TIME && (sum + count).is_finite()).then(|| {
            sum += count;
            Sample { time, value: sum }
        })
    };
    samples.extend(times.into_iter().zip(counts).filter_map(sample));
    wrong
}
