//! Pieces of JSON text.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::profile::text::write_json_string;

/// Bytes of a string as text; what is no UTF-8 becomes U+FFFD.
pub(super) fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Appends a string in quotes.
pub(super) fn string(out: &mut String, bytes: &[u8]) {
    let is_plain = |byte: &u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
    match std::str::from_utf8(bytes) {
        Ok(text) if bytes.iter().all(is_plain) => {
            out.push('"');
            out.push_str(text);
            out.push('"');
        }
        _ => write_json_string(out, &text(bytes)),
    }
}

/// A string in quotes.
pub(super) fn quoted(bytes: &[u8]) -> Box<str> {
    let mut out = String::with_capacity(bytes.len() + 2);
    string(&mut out, bytes);
    out.into()
}

/// Appends a number.
pub(super) fn integer(out: &mut String, number: impl std::fmt::Display) {
    let _infallible = write!(out, "{number}");
}

/// Appends an address or an id, as a string of hexadecimal digits.
pub(super) fn hex(out: &mut String, number: u64) {
    let _infallible = write!(out, "\"{number:#x}\"");
}

/// Appends a number; what is no number in JSON becomes a string.
pub(super) fn float(out: &mut String, number: f64) {
    let _infallible = match number {
        number if number.is_finite() => write!(out, "{number:?}"),
        number if number.is_nan() => write!(out, "\"NaN\""),
        number if number > 0.0 => write!(out, "\"Infinity\""),
        _ => write!(out, "\"-Infinity\""),
    };
}

/// Appends nanoseconds as microseconds, exactly.
pub(super) fn micros(out: &mut String, ns: i64) {
    let (whole, part) = (ns.unsigned_abs() / 1000, ns.unsigned_abs() % 1000);
    if ns < 0 {
        out.push('-');
    }
    integer(out, whole);
    if part > 0 {
        let _infallible = write!(out, ".{part:03}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(write: impl FnOnce(&mut String)) -> String {
        let mut out = String::new();
        write(&mut out);
        out
    }

    #[test]
    fn times_are_exact() {
        for (ns, text) in [(0, "0"), (1, "0.001"), (1_500, "1.500"), (-20, "-0.020"), (7_000, "7")] {
            assert_eq!(made(|out| micros(out, ns)), text);
        }
        assert_eq!(made(|out| micros(out, i64::MIN)), "-9223372036854775.808");
    }

    #[test]
    fn everything_is_json() {
        for (bytes, text) in [
            (&b"a b"[..], "\"a b\""),
            (b"a\"\\\n", r#""a\"\\\n""#),
            (b"\xff\xc3\xa9", "\"\u{fffd}é\""),
            (b"\x01", r#""\u0001""#),
        ] {
            assert_eq!(&*quoted(bytes), text);
        }
        for (number, text) in [(1.5, "1.5"), (1e300, "1e300"), (f64::NAN, "\"NaN\""), (-f64::INFINITY, "\"-Infinity\"")]
        {
            assert_eq!(made(|out| float(out, number)), text);
        }
        assert_eq!(made(|out| hex(out, u64::MAX)), "\"0xffffffffffffffff\"");
    }
}
