//! Times of traces that do not fit into [`Ns`]: nanoseconds since 1970 in `ts`, which has microseconds.
//!
//! If the first two times of a trace are such times, the first one becomes the origin of the trace and is subtracted from
//! every `ts`. Durations are not affected.

use std::ops::Range;

use crate::scalar::scalar;
use flowline_json::{Cursor, JsonError, Kind};
use flowline_profile::{Ns, Unit, parse_decimal};

/// Number of bytes in which the first time of a trace is searched.
pub(in crate::trace_events) const LOOK: usize = 1 << 16;

/// The origin of a trace in microseconds on its own clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::trace_events) struct Origin(pub(in crate::trace_events) i128);

/// A number of any size: whole microseconds, rounded down, and the nanoseconds after them.
pub(in crate::trace_events) type Parts = (i128, Ns);

/// Parses a decimal number of microseconds; `None` if the text is not a number.
pub(in crate::trace_events) fn parts(text: &[u8]) -> Option<Parts> {
    let text = std::str::from_utf8(text).ok()?;
    if text.contains(['e', 'E']) {
        let value: f64 = text.parse().ok().filter(|value: &f64| value.abs() < 1e30)?;
        #[expect(clippy::cast_possible_truncation, reason = "the value is smaller than 10^30")]
        return Some((value.floor() as i128, Ns(0)));
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let micros: i128 = whole.parse().ok()?;
    let below =
        if fraction.is_empty() { Ns(0) } else { parse_decimal(format!("0.{fraction}").as_bytes(), Unit::Micros)? };
    match below {
        Ns(0) => Some((micros, below)),
        _ if whole.starts_with('-') => Some((micros - 1, Ns(1000) - below)),
        _ => Some((micros, below)),
    }
}

impl Origin {
    /// Returns a time relative to the origin; `None` if it is out of range.
    pub(in crate::trace_events) fn relative(self, (micros, below): Parts) -> Option<Ns> {
        let nanos = micros.checked_sub(self.0)?.checked_mul(1000)?.checked_add(below.0.into())?;
        i64::try_from(nanos).ok().filter(|nanos| nanos.abs() <= Ns::LIMIT).map(Ns)
    }

    /// Returns the origin of the trace whose events start at an offset; `None` if its times are in range.
    pub(in crate::trace_events) fn of(text: &[u8], start: usize) -> Option<Self> {
        let mut cursor = Cursor::at(text, start);
        let first = next_time(&mut cursor).ok()??;
        // One time alone may be damage.
        let second = next_time(&mut cursor).ok().flatten();
        let are_far = [Some(first), second].into_iter().flatten().all(|(micros, _)| FAR.contains(&micros));
        are_far.then_some(Self(first.0))
    }
}

/// Nanoseconds since 1970, from 1973 to 2554.
const FAR: Range<i128> = 100_000_000_000_000_000..1 << 64;

/// Returns the time of the next event that has one.
fn next_time(cursor: &mut Cursor<'_>) -> Result<Option<Parts>, JsonError> {
    while cursor.next_element()? {
        if cursor.peek()? != Kind::Object {
            cursor.skip_value()?;
            continue;
        }
        let mut found = None;
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            if key.bytes == b"ts" {
                found = scalar(cursor)?.and_then(|raw| parts(raw.text().trim_ascii()));
            } else {
                cursor.skip_value()?;
            }
        }
        // Metadata often has the time 0.
        if found.is_some_and(|found| found != (0, Ns(0))) {
            return Ok(found);
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_time_is_the_origin_if_it_is_out_of_range() {
        let origin = |text: &str| Origin::of(text.as_bytes(), 1);
        let far = Some(Origin(1_733_900_000_000_000_000));
        assert_eq!(
            origin(r#"[{"ph":"M","ts":0},{"ts":1733900000000000000.5,"dur":1},{"ts":1733900000000000009},{"ts":1}]"#),
            far
        );
        assert_eq!(origin(r#"[7, {"name":"a"}, {"ts":"1733900000000000000"}]"#), far);
        assert_eq!(origin(r#"[{"ts":1.7339e18}]"#), far);
        for damaged in ["9223372036854775.808", "1e300", "-1733900000000000000"] {
            assert_eq!(origin(&format!(r#"[{{"ts":{damaged}}}]"#)), None, "{damaged}");
        }
        assert_eq!(origin(r#"[{"ts":1733900000000000000}, {"ts":5}, {"ts":6}]"#), None, "one damaged event");
        for near in ["[]", "[{", r#"[{"ts":1733900000000000}, {"ts":1733900000000000000}]"#, r#"[{"ts":"x"}]"#] {
            assert_eq!(origin(near), None, "{near}");
        }
    }

    #[test]
    fn times_are_exact_relative_to_the_origin() {
        let origin = Origin(1_733_900_000_000_000_000);
        let time = |text: &str| origin.relative(parts(text.as_bytes())?).map(|time| time.0);
        assert_eq!(time("1733900000000100000"), Some(100_000_000));
        assert_eq!(time("1733900000000000000.1239"), Some(124));
        assert_eq!(time("1733899999999999999"), Some(-1000));
        assert_eq!((time("5"), time("-1.5"), time("x"), time("1e40")), (None, None, None, None));
        assert_eq!(Origin(-3).relative(parts(b"-1.25").expect("a number")), Some(Ns(1750)));
    }
}
