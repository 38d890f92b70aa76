//! Processed Firefox profiles, as saved by the Firefox Profiler since version 40: tables as columns.

use super::columns::{self, PayloadKeys};
use super::gecko::{first_group, read_header};
use super::raw_thread::RawThread;
use super::sampled::RawSamples;
use super::sentinels::{NO_TIME, NO_TYPE};
use super::{marker_stack, number_columns, traced_values};
use crate::firefox::dialect::Dialect;
use crate::firefox::document::damage::{id_text, skip_wrong_type, warn_damage};
use crate::firefox::document::slabs::Slabs;
use crate::firefox::joined::counters::RawCounter;
use crate::firefox::stacks::{self, SourceColumns, StackColumns};
use crate::progress::Progress;
use flowline_json::{Cursor, JsonError, Kind};
use flowline_profile::samples::{JankReader, WeightUnit};
use flowline_profile::{Ns, Sample, WarningKind, Warnings};

type Result<T> = std::result::Result<T, JsonError>;

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
            b"markers" => read_inline_or_slab(cursor, slabs, thread, "markers", |cursor, thread| {
                read_markers(cursor, slabs, thread, progress)
            })?,
            b"samples" | b"jsAllocations" | b"nativeAllocations" => {
                let what = key.decode();
                read_inline_or_slab(cursor, slabs, thread, &what, |cursor, thread| {
                    let sampled = thread.sampled.get_or_insert_default();
                    let samples = match key.bytes {
                        b"samples" => &mut sampled.cpu,
                        b"jsAllocations" => &mut sampled.js_allocations,
                        _ => &mut sampled.native_allocations,
                    };
                    read_samples(cursor, slabs, samples)
                })?;
            }
            // Before version 60, each thread has its own tables.
            b"stackTable" | b"frameTable" | b"funcTable" | b"resourceTable" | b"nativeSymbols" | b"libs" => {
                let stacks = &mut thread.sampled.get_or_insert_default().stacks;
                let result = stacks::read_member(key.bytes, cursor, slabs, stacks, &mut SourceColumns::default())
                    .unwrap_or(Ok(()));
                thread.skip_wrong_type(&key.decode(), result)?;
            }
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

/// Reads a member that is inline or in a slab; the wrong type adds a warning.
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
        // All columns have one length, unless the text is damaged.
        let rows = markers.longest();
        let (what, result) = match key.bytes {
            b"name" => ("name", columns::integers(cursor, slabs, with_room(&mut markers.name, rows))),
            b"startTime" => ("startTime", columns::times(cursor, slabs, with_room(&mut markers.start, rows))),
            b"endTime" => ("endTime", columns::times(cursor, slabs, with_room(&mut markers.end, rows))),
            b"phase" => ("phase", columns::integers(cursor, slabs, with_room(&mut markers.phase, rows))),
            b"category" => ("category", columns::integers(cursor, slabs, with_room(&mut markers.category, rows))),
            b"data" => {
                markers.payload.reserve(rows);
                markers.kind.reserve(rows);
                let kinds = &mut thread.kinds;
                let sampled = &mut thread.sampled;
                let mut keys = PayloadKeys::new("cause");
                let result = columns::for_each_element(cursor, slabs, |cursor| {
                    let (payload, text) = match slabs.follow(cursor)? {
                        Some(mut inside) => (columns::payload(&mut inside, kinds, &mut keys)?, inside.text()),
                        None => (columns::payload(cursor, kinds, &mut keys)?, cursor.text()),
                    };
                    markers.payload.push(payload.place);
                    markers.kind.push(payload.kind);
                    if let Some(stack) = marker_stack::of(&payload, Dialect::Processed, text) {
                        sampled.get_or_insert_default().marker_stacks.push(stack);
                    }
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

/// Reserves space for `rows` values in a column.
fn with_room<T>(column: &mut Vec<T>, rows: usize) -> &mut Vec<T> {
    column.reserve(rows);
    column
}

fn read_samples<'a>(cursor: &mut Cursor<'a>, slabs: &Slabs<'a>, samples: &mut RawSamples) -> Result<()> {
    *samples = RawSamples::default();
    let mut delays: Vec<Ns> = Vec::new();
    let mut wrong = Ok(());
    cursor.enter_object()?;
    while let Some(key) = cursor.next_key()? {
        let is_null = cursor.peek()? == Kind::Null;
        let result = match key.bytes {
            b"time" => columns::times(cursor, slabs, &mut samples.time),
            b"timeDeltas" => columns::time_deltas(cursor, slabs, &mut samples.time),
            b"stack" => columns::integers(cursor, slabs, &mut samples.stack),
            b"weight" => columns::numbers(cursor, slabs, &mut samples.weight),
            b"memoryAddress" => number_columns::addresses(cursor, slabs, &mut samples.address),
            b"argumentValues" => traced_values::places(cursor, slabs, &mut samples.arguments),
            b"eventDelay" | b"responsiveness" => columns::times(cursor, slabs, &mut delays),
            b"threadCPUDelta" => number_columns::cpu_deltas(cursor, slabs, &mut samples.cpu_delta)
                .map(|bad_deltas| samples.bad_deltas = bad_deltas),
            b"weightType" if !is_null => id_text(cursor).map(|name| samples.unit = weight_unit(&name)),
            _ => cursor.skip_value(),
        };
        match result {
            Err(error) if error.is_wrong_type() => {
                if !is_null {
                    wrong = Err(error);
                }
            }
            other => other?,
        }
    }
    let mut jank = JankReader::default();
    let known = samples.time.iter().zip(&delays).filter(|(time, delay)| ![**time, **delay].contains(&NO_TIME));
    known.for_each(|(time, delay)| jank.add(*time, *delay));
    samples.jank = jank.finish();
    wrong
}

fn weight_unit(name: &str) -> WeightUnit {
    match name {
        "tracing-ms" => WeightUnit::Milliseconds,
        "bytes" => WeightUnit::Bytes,
        _ => WeightUnit::Samples,
    }
}

/// The tables that all threads share.
#[derive(Debug, Default)]
pub(in crate::firefox) struct Shared {
    /// Offsets of strings, since version 56.
    pub(in crate::firefox) strings: Vec<u64>,
    /// Since version 60.
    pub(in crate::firefox) stacks: StackColumns,
    /// Since version 58.
    pub(in crate::firefox) sources: SourceColumns,
}

/// Reads `shared`.
pub(in crate::firefox) fn read_shared<'a>(
    mut cursor: Cursor<'a>,
    slabs: &Slabs<'a>,
    warnings: &mut Warnings,
) -> Shared {
    let mut shared = Shared::default();
    let result = (|| -> Result<()> {
        let mut cursor = match slabs.follow(&mut cursor)? {
            Some(inside) => inside,
            None => cursor,
        };
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            if key.bytes == b"stringArray" {
                shared.strings.clear();
                columns::string_offsets(&mut cursor, slabs, &mut shared.strings)?;
                continue;
            }
            let result = stacks::read_member(key.bytes, &mut cursor, slabs, &mut shared.stacks, &mut shared.sources);
            let result = result.unwrap_or_else(|| cursor.skip_value());
            skip_wrong_type(warnings, || format!("{} of shared", key.decode()), result)?;
        }
        Ok(())
    })();
    if let Err(error) = result {
        warn_damage(warnings, error, || "in the shared tables".into());
    }
    if shared.strings.is_empty() {
        warnings.add(WarningKind::MissingPart, || "shared.stringArray".into());
    }
    shared
}

/// Reads counters: `{name, category, pid, samples: {time | timeDeltas, count}}`; `count` is a delta.
pub(in crate::firefox) fn read_counters<'a>(
    mut cursor: Cursor<'a>,
    slabs: &Slabs<'a>,
    warnings: &mut Warnings,
) -> Vec<RawCounter> {
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
        skip_wrong_type(warnings, || format!("{} of a counter", key.decode()), result)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_names_the_shared_table() {
        let mut warnings = Warnings::default();
        let text = br#"{"stackTable":7,"stringArray":["a"]}"#;
        let shared = read_shared(Cursor::at(text, 0), &Slabs::default(), &mut warnings);
        assert_eq!(shared.strings.len(), 1, "reading continues");
        let found: Vec<String> = warnings.list().into_iter().map(|warning| warning.first.clone()).collect();
        assert_eq!(found, ["stackTable of shared is Number, byte 14"]);
    }
}
