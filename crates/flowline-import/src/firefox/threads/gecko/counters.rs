//! Counters of raw profiles.

use super::table::{RawColumn, Result, read_table};
use crate::firefox::document::damage::{skip_wrong_type, warn_damage};
use crate::firefox::joined::counters::RawCounter;
use crate::firefox::threads::columns;
use crate::firefox::threads::sentinels::NO_TIME;
use flowline_json::{Cursor, Kind};
use flowline_profile::{Counter, Ns, Sample, Warnings};

/// Reads the counters of the raw profile with this meta: `{name, category, samples: {schema, data}}`; `count` is a
/// delta.
pub(in crate::firefox) fn read_counters(
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
        skip_wrong_type(warnings, || format!("{} of a counter", key.decode()), result)?;
    }
    Ok(())
}

/// Reads `samples` of the first group of `[{id, samples}, …]`.
pub(in crate::firefox) fn first_group<'a>(
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

fn read_counter_samples(cursor: &mut Cursor<'_>, counter: &mut Counter, shift: Ns) -> Result<()> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_names_the_member_of_the_counter() {
        let mut warnings = Warnings::default();
        let text = br#"[{"name":"memory","samples":7,"category":"Memory"}]"#;
        let counters = read_counters(Cursor::at(text, 0), 0, Ns(0), &mut warnings);
        assert_eq!(counters.len(), 1);
        assert_eq!(counters[0].counter.category, "Memory", "reading continues");
        let found: Vec<String> = warnings.list().into_iter().map(|warning| warning.first.clone()).collect();
        assert_eq!(found, ["samples of a counter is Number, byte 28"]);
    }
}
