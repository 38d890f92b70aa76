//! Writes and validates pieces of JSON text.

use std::borrow::Cow;
use std::fmt::Write as _;

use flowline_json::write_json_string;

/// Decodes bytes as text; invalid UTF-8 becomes U+FFFD.
pub(super) fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Appends a quoted JSON string.
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

/// Returns a quoted JSON string.
pub(super) fn quoted(bytes: &[u8]) -> Box<str> {
    let mut out = String::with_capacity(bytes.len() + 2);
    string(&mut out, bytes);
    out.into()
}

/// Maximum depth of nested values in valid JSON.
const MAX_DEPTH: usize = 500;

/// Returns true if the bytes are exactly one JSON value according to RFC 8259.
pub(super) fn is_json(bytes: &[u8]) -> bool {
    let mut rest = bytes.trim_ascii();
    std::str::from_utf8(bytes).is_ok() && json_value(&mut rest, MAX_DEPTH).is_some() && rest.is_empty()
}

/// Appends text that is declared as JSON; invalid JSON becomes a string.
pub(super) fn json(out: &mut String, bytes: &[u8]) {
    match std::str::from_utf8(bytes) {
        Ok(text) if is_json(bytes) => out.push_str(text.trim_ascii()),
        _ => string(out, text(bytes).as_bytes()),
    }
}

/// Skips a value and the white space after it.
fn json_value(rest: &mut &[u8], depth: usize) -> Option<()> {
    let depth = depth.checked_sub(1)?;
    let take = |rest: &mut &[u8], count: usize| *rest = rest[count..].trim_ascii_start();
    match rest.first()? {
        b'"' => return json_string(rest),
        open @ (b'{' | b'[') => {
            let close = if *open == b'{' { b'}' } else { b']' };
            take(rest, 1);
            if rest.first() == Some(&close) {
                take(rest, 1);
                return Some(());
            }
            loop {
                if close == b'}' {
                    json_string(rest)?;
                    (rest.first() == Some(&b':')).then(|| take(rest, 1))?;
                }
                json_value(rest, depth)?;
                match rest.first()? {
                    b',' => take(rest, 1),
                    end if *end == close => {
                        take(rest, 1);
                        return Some(());
                    }
                    _ => return None,
                }
            }
        }
        _ => {}
    }
    let end = rest.iter().position(|byte| !matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'+' | b'.' | b'E'));
    let word = &rest[..end.unwrap_or(rest.len())];
    (matches!(word, b"true" | b"false" | b"null") || is_number(word)).then(|| take(rest, word.len()))
}

fn json_string(rest: &mut &[u8]) -> Option<()> {
    let mut at = 1;
    rest.first().filter(|quote| **quote == b'"')?;
    loop {
        match rest.get(at)? {
            b'"' => break,
            b'\\' => match rest.get(at + 1)? {
                b'u' => {
                    rest.get(at + 2..at + 6)?.iter().all(u8::is_ascii_hexdigit).then_some(())?;
                    at += 6;
                }
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => at += 2,
                _ => return None,
            },
            0..=0x1f => return None,
            _ => at += 1,
        }
    }
    *rest = rest[at + 1..].trim_ascii_start();
    Some(())
}

fn is_number(word: &[u8]) -> bool {
    let digits = |text: &mut &[u8]| {
        let count = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        *text = &text[count..];
        count
    };
    let mut rest = word.strip_prefix(b"-").unwrap_or(word);
    let starts_with_zero = rest.first() == Some(&b'0');
    let whole = digits(&mut rest);
    let mut is_right = whole > 0 && (whole == 1 || !starts_with_zero);
    if let Some(after) = rest.strip_prefix(b".") {
        rest = after;
        is_right &= digits(&mut rest) > 0;
    }
    if let [b'e' | b'E', after @ ..] = rest {
        rest = after.strip_prefix(b"+").or_else(|| after.strip_prefix(b"-")).unwrap_or(after);
        is_right &= digits(&mut rest) > 0;
    }
    is_right && rest.is_empty()
}

/// Appends an integer.
pub(super) fn integer(out: &mut String, number: impl std::fmt::Display) {
    let _infallible = write!(out, "{number}");
}

/// Appends an address or an id as a string of hexadecimal digits.
pub(super) fn hex(out: &mut String, number: u64) {
    let _infallible = write!(out, "\"{number:#x}\"");
}

/// Appends a floating-point number; NaN and infinities become strings.
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
    fn json_is_told_from_other_text() {
        let right =
            ["{}", "[]", " [1, -0.5e+3 ,true] ", "{\"a\":{\"b\":[null,\"\\u00e9\\n\"]}}", "0", "\"\"", "1E5", "false"];
        let wrong = [
            "",
            " ",
            "NaN",
            "foo",
            "tru",
            "01",
            "{]",
            "[}",
            "{\"a\" 1}",
            "{\"a\":1,}",
            "[,]",
            "[1,]",
            "{1}",
            "{a:1}",
            "1 2",
            "[Infinity]",
            "\"\n\"",
            "\"\\x\"",
            "\"\\u12\"",
            "\"",
            "-",
            "1.",
            ".5",
            "1e",
            "{\"a\":1",
            "[1",
            "{} x",
            "--1",
            "1-2",
        ];
        for text in right {
            assert!(is_json(text.as_bytes()) && serde_json::from_str::<serde_json::Value>(text).is_ok(), "{text}");
        }
        for text in wrong {
            assert!(!is_json(text.as_bytes()) && serde_json::from_str::<serde_json::Value>(text).is_err(), "{text}");
        }
        assert!(!is_json(&b"[".repeat(100_000)) && !is_json(b"\"\xff\""));
    }

    #[test]
    fn output_is_valid_json() {
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
