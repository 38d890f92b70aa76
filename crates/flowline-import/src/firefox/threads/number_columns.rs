//! Readers of the number columns that only samples and stacks have: addresses, flags, CPU times.

use super::columns::{for_each_element, typed_slab};
use crate::firefox::document::slabs::Slabs;
use flowline_json::{Cursor, JsonError, Kind, fast_path};
use flowline_profile::CpuDeltas;

type Result<T> = std::result::Result<T, JsonError>;

/// No address.
pub(in crate::firefox) const NO_ADDRESS: u64 = u64::MAX;

/// A whole number of up to 64 bits; `None` for anything else.
#[inline]
pub(in crate::firefox) fn whole_number(cursor: &mut Cursor<'_>) -> Result<Option<u64>> {
    let kind = cursor.peek()?;
    let (text, start) = (cursor.text(), cursor.offset());
    if kind == Kind::Number
        && let Some((digits, end)) = fast_path::scalar(text, start)
        && digits.len() < 20
    {
        cursor.jump(end);
        return Ok(Some(digits.iter().fold(0, |value, digit| value * 10 + u64::from(digit - b'0'))));
    }
    match kind {
        Kind::Number => {
            let text = std::str::from_utf8(cursor.scalar()?).unwrap_or_default();
            Ok(text.parse().ok().or_else(|| text.parse().ok().and_then(rounded)))
        }
        _ => {
            cursor.skip_value()?;
            Ok(None)
        }
    }
}

/// The nearest whole number; `None` if it is negative or does not fit.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "range checked")]
fn rounded(value: f64) -> Option<u64> {
    let value = value.round();
    (0.0..1.8e19).contains(&value).then_some(value as u64)
}

/// A column of addresses, [`NO_ADDRESS`] for anything else.
pub(in crate::firefox) fn addresses<'a>(cursor: &mut Cursor<'a>, slabs: &Slabs<'a>, out: &mut Vec<u64>) -> Result<()> {
    if let Some(numbers) = typed_slab(cursor, slabs)? {
        out.extend(numbers.into_iter().map(|number| rounded(number).unwrap_or(NO_ADDRESS)));
        return Ok(());
    }
    for_each_element(cursor, slabs, |cursor| {
        out.push(whole_number(cursor)?.unwrap_or(NO_ADDRESS));
        Ok(())
    })
}

/// A boolean: `true`, or a number other than zero.
pub(in crate::firefox) fn flag(cursor: &mut Cursor<'_>) -> Result<bool> {
    match cursor.peek()? {
        Kind::Bool => Ok(cursor.scalar()? == b"true"),
        Kind::Number => Ok(whole_number(cursor)?.is_some_and(|number| number != 0)),
        _ => {
            cursor.skip_value()?;
            Ok(false)
        }
    }
}

/// A column of booleans.
pub(in crate::firefox) fn flags<'a>(cursor: &mut Cursor<'a>, slabs: &Slabs<'a>, out: &mut Vec<bool>) -> Result<()> {
    if let Some(numbers) = typed_slab(cursor, slabs)? {
        out.extend(numbers.into_iter().map(|number| number != 0.0));
        return Ok(());
    }
    for_each_element(cursor, slabs, |cursor| {
        out.push(flag(cursor)?);
        Ok(())
    })
}

/// A CPU time; `bad` counts values that are neither null nor a number that fits.
#[inline]
pub(in crate::firefox) fn cpu_delta(cursor: &mut Cursor<'_>, bad: &mut u64) -> Result<Option<u64>> {
    let kind = cursor.peek()?;
    let delta = whole_number(cursor)?;
    *bad += u64::from(delta.is_none() && kind != Kind::Null);
    Ok(delta)
}

/// A column of CPU times; returns the number of values that are neither null nor a number that fits.
pub(in crate::firefox) fn cpu_deltas<'a>(
    cursor: &mut Cursor<'a>,
    slabs: &Slabs<'a>,
    out: &mut CpuDeltas,
) -> Result<u64> {
    let mut bad = 0;
    if let Some(numbers) = typed_slab(cursor, slabs)? {
        for number in numbers {
            let delta = rounded(number);
            bad += u64::from(delta.is_none() && !number.is_nan());
            out.push(delta);
        }
        return Ok(bad);
    }
    for_each_element(cursor, slabs, |cursor| {
        out.push(cpu_delta(cursor, &mut bad)?);
        Ok(())
    })?;
    Ok(bad)
}
