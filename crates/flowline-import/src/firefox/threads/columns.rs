//! Column readers: JSON arrays or typed slabs into vectors.
//!
//! Each reader appends the values up to the first error and returns the error, so a truncated column keeps its
//! beginning.

use super::sentinels::{NO_TIME, NO_TYPE, NONE};
use super::type_names::TypeNames;
use crate::firefox::document::slabs::Slabs;
use flowline_json::{Cursor, JsonError, KeyPredictor, Kind, RawString, fast_path};
use flowline_profile::{Ns, Unit, parse_decimal};

type Result<T> = std::result::Result<T, JsonError>;

/// Calls `element` for every element of a JSON array, which is inline or in a JSON slab.
pub(in crate::firefox) fn for_each_element<'a>(
    cursor: &mut Cursor<'a>,
    slabs: &Slabs<'a>,
    mut element: impl FnMut(&mut Cursor<'a>) -> Result<()>,
) -> Result<()> {
    let mut walk = |cursor: &mut Cursor<'a>| -> Result<()> {
        cursor.enter_array()?;
        while cursor.next_element()? {
            element(cursor)?;
        }
        Ok(())
    };
    match slabs.follow(cursor)? {
        Some(mut inside) => walk(&mut inside),
        None => walk(cursor),
    }
}

/// A non-negative integer, [`NONE`] for null and for anything else.
#[inline]
pub(in crate::firefox) fn integer(cursor: &mut Cursor<'_>) -> Result<u32> {
    let kind = cursor.peek()?;
    if let Some((value, end)) = fast_path::small_integer(cursor.text(), cursor.offset()) {
        cursor.jump(end);
        return Ok(value);
    }
    match kind {
        Kind::Number => Ok(parse_u32(cursor.scalar()?)),
        _ => {
            cursor.skip_value()?;
            Ok(NONE)
        }
    }
}

fn parse_u32(text: &[u8]) -> u32 {
    let digits = text.iter().all(u8::is_ascii_digit) && text.len() < 10;
    if digits {
        return text.iter().fold(0, |value, byte| value * 10 + u32::from(byte - b'0'));
    }
    // `1.0` and `1e0` are legal ways to write an index.
    let value: Option<f64> = std::str::from_utf8(text).ok().and_then(|text| text.parse().ok());
    value.map_or(NONE, small_index)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "range checked")]
fn small_index(value: f64) -> u32 {
    if value >= 0.0 && value < f64::from(NONE) && value.fract() == 0.0 { value as u32 } else { NONE }
}

/// A time in milliseconds, [`NO_TIME`] for anything else.
#[inline]
pub(in crate::firefox) fn time(cursor: &mut Cursor<'_>) -> Result<Ns> {
    let kind = cursor.peek()?;
    if let Some((time, end)) = fast_path::decimal(cursor.text(), cursor.offset(), Unit::Millis) {
        cursor.jump(end);
        return Ok(time);
    }
    match kind {
        Kind::Number => Ok(parse_decimal(cursor.scalar()?, Unit::Millis).unwrap_or(NO_TIME)),
        _ => {
            cursor.skip_value()?;
            Ok(NO_TIME)
        }
    }
}

/// A column of indexes.
pub(in crate::firefox) fn integers<'a>(cursor: &mut Cursor<'a>, slabs: &Slabs<'a>, out: &mut Vec<u32>) -> Result<()> {
    if let Some(numbers) = typed_slab(cursor, slabs)? {
        out.extend(numbers.into_iter().map(small_index));
        return Ok(());
    }
    for_each_element(cursor, slabs, |cursor| {
        out.push(integer(cursor)?);
        Ok(())
    })
}

/// A column of times in milliseconds.
pub(in crate::firefox) fn times<'a>(cursor: &mut Cursor<'a>, slabs: &Slabs<'a>, out: &mut Vec<Ns>) -> Result<()> {
    let before = *cursor;
    if let Some(slab) = slabs.take(cursor)? {
        if !slab.is_json() {
            out.extend(slab.times().into_iter().map(|time| time.unwrap_or(NO_TIME)));
            return Ok(());
        }
        *cursor = before;
    }
    for_each_element(cursor, slabs, |cursor| {
        out.push(time(cursor)?);
        Ok(())
    })
}

/// A column of numbers, NaN for anything else.
pub(in crate::firefox) fn numbers<'a>(cursor: &mut Cursor<'a>, slabs: &Slabs<'a>, out: &mut Vec<f64>) -> Result<()> {
    if let Some(values) = typed_slab(cursor, slabs)? {
        out.extend(values);
        return Ok(());
    }
    for_each_element(cursor, slabs, |cursor| {
        out.push(number(cursor)?);
        Ok(())
    })
}

/// A number; NaN for anything else.
pub(in crate::firefox) fn number(cursor: &mut Cursor<'_>) -> Result<f64> {
    match cursor.peek()? {
        Kind::Number => {
            let text = std::str::from_utf8(cursor.scalar()?).unwrap_or_default();
            Ok(text.parse().unwrap_or(f64::NAN))
        }
        _ => {
            cursor.skip_value()?;
            Ok(f64::NAN)
        }
    }
}

/// The numbers of a typed slab, if one comes next.
pub(in crate::firefox) fn typed_slab<'a>(cursor: &mut Cursor<'a>, slabs: &Slabs<'a>) -> Result<Option<Vec<f64>>> {
    let before = *cursor;
    match slabs.take(cursor)? {
        Some(slab) if !slab.is_json() => Ok(Some(slab.numbers())),
        Some(_) => {
            *cursor = before;
            Ok(None)
        }
        None => Ok(None),
    }
}

/// A column of time deltas as running sums. The sums are exact because each delta is a whole number of nanoseconds.
pub(in crate::firefox) fn time_deltas<'a>(cursor: &mut Cursor<'a>, slabs: &Slabs<'a>, out: &mut Vec<Ns>) -> Result<()> {
    let first = out.len();
    let result = times(cursor, slabs, out);
    let mut sum = Ns(0);
    for time in &mut out[first..] {
        if *time != NO_TIME {
            sum = sum + *time;
            *time = sum;
        }
    }
    result
}

/// The offsets of the opening quotes of a string table. Values of other types keep their index; their offset decodes to
/// nothing.
pub(in crate::firefox) fn string_offsets<'a>(
    cursor: &mut Cursor<'a>,
    slabs: &Slabs<'a>,
    out: &mut Vec<u64>,
) -> Result<()> {
    for_each_element(cursor, slabs, |cursor| {
        cursor.peek()?;
        out.push(cursor.offset() as u64);
        cursor.skip_value()
    })
}

/// Payload members that readers look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Member {
    Type,
    Stack,
    Other,
}

/// Predicts the keys of payloads.
pub(in crate::firefox) struct PayloadKeys {
    predictor: KeyPredictor<Member>,
    /// The key of the marker's stack.
    stack: &'static [u8],
}

impl PayloadKeys {
    /// A predictor for payloads whose stacks have the key `stack`, of at most seven bytes.
    pub(in crate::firefox) fn new(stack: &'static str) -> Self {
        Self { predictor: KeyPredictor::default(), stack: stack.as_bytes() }
    }
}

/// A payload found in the text.
#[derive(Clone, Copy, Debug)]
pub(in crate::firefox) struct PayloadSpan {
    /// Its offset; `u64::MAX` if there is none.
    pub(in crate::firefox) place: u64,
    /// The number of its `type`.
    pub(in crate::firefox) kind: u16,
    /// The offset of the object with the marker's stack.
    pub(in crate::firefox) stack: Option<usize>,
}

impl PayloadSpan {
    pub(in crate::firefox) const NONE: Self = Self { place: u64::MAX, kind: NO_TYPE, stack: None };
}

/// A payload, or [`PayloadSpan::NONE`] for anything but an object.
#[inline]
pub(in crate::firefox) fn payload(
    cursor: &mut Cursor<'_>,
    kinds: &mut TypeNames,
    keys: &mut PayloadKeys,
) -> Result<PayloadSpan> {
    if cursor.peek()? != Kind::Object {
        cursor.skip_value()?;
        return Ok(PayloadSpan::NONE);
    }
    let offset = cursor.offset();
    match fast_payload(cursor.text(), offset, kinds, keys) {
        Some((found, end)) => {
            cursor.jump(end);
            Ok(found)
        }
        None => slow_payload(cursor, kinds, keys.stack),
    }
}

/// The fast path of [`payload`]; also returns the offset after the payload.
#[inline]
pub(in crate::firefox) fn fast_payload(
    text: &[u8],
    start: usize,
    kinds: &mut TypeNames,
    keys: &mut PayloadKeys,
) -> Option<(PayloadSpan, usize)> {
    const TYPE: u64 = fast_path::key_word(b"type");
    let stack_word = fast_path::key_word(keys.stack);
    let (mut name, mut stack) = (None, None);
    let end = keys.predictor.members(
        text,
        start,
        |word, _| match word {
            TYPE => Member::Type,
            _ if word == stack_word => Member::Stack,
            _ => Member::Other,
        },
        |member, value| {
            let first = *text.get(value)?;
            match (member, first) {
                (Member::Type, b'"') => {
                    let (bytes, end) = fast_path::scalar(text, value)?;
                    name = Some(RawString { bytes, offset: value });
                    return Some(end);
                }
                (Member::Stack, b'{') => stack = Some(value),
                (Member::Stack, _) => stack = None,
                _ => {}
            }
            fast_path::value_end(text, value)
        },
    )?;
    let kind = name.map_or(NO_TYPE, |name| kinds.intern(name.bytes, || name.decode()));
    Some((PayloadSpan { place: start as u64, kind, stack }, end))
}

fn slow_payload(cursor: &mut Cursor<'_>, kinds: &mut TypeNames, stack_key: &[u8]) -> Result<PayloadSpan> {
    let mut found = PayloadSpan { place: cursor.offset() as u64, ..PayloadSpan::NONE };
    cursor.enter_object()?;
    while let Some(key) = cursor.next_key()? {
        let kind = cursor.peek()?;
        if key.bytes == b"type" && kind == Kind::String {
            let name = cursor.string()?;
            found.kind = kinds.intern(name.bytes, || name.decode());
            continue;
        }
        if key.bytes == stack_key {
            found.stack = (kind == Kind::Object).then(|| cursor.offset());
        }
        cursor.skip_value()?;
    }
    Ok(found)
}
