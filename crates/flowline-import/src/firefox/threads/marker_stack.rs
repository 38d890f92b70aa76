//! The stack of a marker: in raw profiles a thread object with one sample (`stack`), in processed profiles
//! `{tid, time, stack}` (`cause`). Other values of these keys are ordinary fields.

use super::columns::PayloadSpan;
use super::sentinels::{NO_TIME, NONE};
use crate::firefox::dialect::Dialect;
use flowline_json::{Cursor, decode_value, fast_path};
use flowline_profile::{Ns, Unit, Value};

/// A marker's stack, identified by the marker's payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::firefox) struct RawMarkerStack {
    /// Offset of the payload.
    pub(in crate::firefox) payload: u64,
    /// Number of the stack; [`NONE`] if it is unknown.
    pub(in crate::firefox) stack: u32,
    /// Capture time on the process's clock; [`NO_TIME`] if unknown.
    pub(in crate::firefox) time: Ns,
}

/// Stack and time.
type StackAndTime = (u32, Ns);

const STACK: u64 = fast_path::key_word(b"stack");
const TIME: u64 = fast_path::key_word(b"time");
const SAMPLES: u64 = fast_path::key_word(b"samples");
const SCHEMA: u64 = fast_path::key_word(b"schema");
const DATA: u64 = fast_path::key_word(b"data");

/// The stack of the marker with a payload; `None` if it has none.
#[inline]
pub(in crate::firefox) fn of(payload: &PayloadSpan, dialect: Dialect, text: &[u8]) -> Option<RawMarkerStack> {
    let start = payload.stack?;
    let (stack, time) = match dialect {
        Dialect::Raw => read_sample(text, start)?,
        Dialect::Processed => read_cause(text, start)?,
    };
    Some(RawMarkerStack { payload: payload.place, stack, time })
}

/// Reads the thread object at `start`; `None` if the value is not a thread object or has no sample.
fn read_sample(text: &[u8], start: usize) -> Option<StackAndTime> {
    fast_sample(text, start).or_else(|| {
        let value = decode_value(&mut Cursor::at(text, start)).ok()?;
        let samples = value.get("samples")?;
        let Some(Value::List(rows)) = samples.get("data") else { return None };
        let Some(Value::List(row)) = rows.first() else { return None };
        let cell = |key: &str| {
            let column = samples.get("schema")?.get(key)?.as_i64()?;
            row.get(usize::try_from(column).ok()?)
        };
        Some((index(cell("stack")), time(cell("time"))))
    })
}

/// The fast path of [`read_sample`]: stack and time are the first columns, as Firefox writes them.
fn fast_sample(text: &[u8], start: usize) -> Option<StackAndTime> {
    let mut taken = None;
    fast_path::members(text, start, |word, _, value| {
        if word != SAMPLES {
            return fast_path::value_end(text, value);
        }
        let mut is_standard = false;
        fast_path::members(text, value, |word, _, value| {
            match word {
                SCHEMA => {
                    let mut columns = [None; 2];
                    let end = fast_path::members(text, value, |word, _, value| {
                        let (column, end) = fast_path::small_integer(text, value)?;
                        match word {
                            STACK => columns[0] = Some(column),
                            TIME => columns[1] = Some(column),
                            _ => {}
                        }
                        Some(end)
                    })?;
                    is_standard = columns == [Some(0), Some(1)];
                    return Some(end);
                }
                DATA if is_standard && text.get(value..)?.starts_with(b"[[") => {
                    let (stack, at) = fast_path::small_integer(text, value + 2)?;
                    let at = (*text.get(at)? == b',').then_some(at + 1)?;
                    let (time, at) = fast_path::decimal(text, at, Unit::Millis)?;
                    matches!(text.get(at)?, b',' | b']').then_some(())?;
                    taken = Some((stack, time));
                }
                // The schema may come later.
                DATA => return None,
                _ => {}
            }
            fast_path::value_end(text, value)
        })
    })?;
    taken
}

/// Reads the object `{tid, time, stack}` at `start`; `None` if it has no stack.
fn read_cause(text: &[u8], start: usize) -> Option<StackAndTime> {
    fast_cause(text, start).or_else(|| {
        let value = decode_value(&mut Cursor::at(text, start)).ok()?;
        Some((index(Some(value.get("stack")?)), time(value.get("time"))))
    })
}

fn fast_cause(text: &[u8], start: usize) -> Option<StackAndTime> {
    let (mut stack, mut time) = (None, NO_TIME);
    fast_path::members(text, start, |word, _, value| {
        let end;
        match word {
            STACK => {
                let (number, after) = fast_path::small_integer(text, value)?;
                (stack, end) = (Some(number), after);
            }
            TIME => (time, end) = fast_path::decimal(text, value, Unit::Millis)?,
            _ => end = fast_path::value_end(text, value)?,
        }
        Some(end)
    })?;
    Some((stack?, time))
}

fn index(value: Option<&Value>) -> u32 {
    value.and_then(Value::as_i64).and_then(|index| u32::try_from(index).ok()).unwrap_or(NONE)
}

fn time(value: Option<&Value>) -> Ns {
    value.and_then(Value::as_f64).and_then(Ns::from_ms).unwrap_or(NO_TIME)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(text: &str) -> Option<StackAndTime> {
        read_sample(text.as_bytes(), 0)
    }

    #[test]
    fn both_forms_are_read_in_every_layout() {
        let standard = r#"{"name":"","samples":{"schema":{"stack":0,"time":1,"eventDelay":2},"data":[[86,370.791075]]},"tid":7}          "#;
        let spaced = r#"{ "samples" : {"data": [ [370.791075, 86, 9] ], "schema": {"time": 0, "stack": 1}}}"#;
        let expected = Some((86, Ns(370_791_075)));
        assert_eq!(fast_sample(standard.as_bytes(), 0), expected);
        assert_eq!((sample(standard), sample(spaced)), (expected, expected));
        let cause = r#"{"tid":7,"time":1.5,"stack":3}                    "#;
        assert_eq!(fast_cause(cause.as_bytes(), 0), Some((3, Ns(1_500_000))));
        assert_eq!(read_cause(b"{\"stack\": 3.0}", 0), Some((3, NO_TIME)));
    }

    #[test]
    fn values_that_are_not_stacks_stay_fields() {
        for text in [r#"{"samples":{"schema":{},"data":[]}}"#, r#"{"frames":"a\nb"}"#, "{}", r#"{"samples":7}"#] {
            assert_eq!(sample(text), None, "{text}");
        }
        assert_eq!(
            sample(r#"{"samples":{"schema":{"stack":0,"time":1},"data":[[null,2]]}}"#),
            Some((NONE, Ns(2_000_000)))
        );
        assert_eq!(read_cause(br#"{"tid":7}"#, 0), None);
    }
}
