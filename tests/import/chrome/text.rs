//! A byte-by-byte reader of trace-event text: locates events, object members and decimals.
//!
//! It parses strings and escapes only; `serde_json` interprets values. A value cut off by the end of the text is
//! dropped, everything before it is kept. Times are in microseconds in the text and in nanoseconds outside.

use serde_json::Value;

/// The texts of the elements of the event array: a top-level array, or the member `traceEvents` of a top-level object.
/// The array may lack its end; a cut element is dropped.
pub(crate) fn elements_of_document(text: &[u8]) -> Vec<&[u8]> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let at = after_space(text, 0);
    match text.get(at) {
        Some(b'[') => elements(text, at + 1),
        Some(b'{') => {
            let (_, events) =
                walk_members(text, at + 1).into_iter().find(|(key, _)| key == "traceEvents").unwrap_or_default();
            if events.first() == Some(&b'[') { elements(events, 1) } else { Vec::new() }
        }
        _ => Vec::new(),
    }
}

/// Members of an object's text: decoded key, and the text of the value. The last of several members with the same key
/// counts.
pub(crate) fn members(object: &[u8]) -> Vec<(String, &[u8])> {
    let mut found: Vec<(String, &[u8])> = Vec::new();
    for (key, value) in walk_members(object, 1) {
        match found.iter_mut().find(|(known, _)| *known == key) {
            Some(known) => known.1 = value,
            None => found.push((key, value)),
        }
    }
    found
}

/// Members of an object from `at` on, which is just behind the brace. The last member may be cut.
fn walk_members(text: &[u8], mut at: usize) -> Vec<(String, &[u8])> {
    let mut found = Vec::new();
    loop {
        at = after_space_and_commas(text, at);
        if text.get(at) != Some(&b'"') {
            return found;
        }
        let Some(end) = end_of_value(text, at) else { return found };
        let key: String = serde_json::from_slice(&text[at..end]).unwrap_or_default();
        at = after_space(text, end);
        if text.get(at) != Some(&b':') {
            return found;
        }
        at = after_space(text, at + 1);
        let Some(end) = end_of_value(text, at) else {
            found.push((key, &text[at..]));
            return found;
        };
        found.push((key, &text[at..end]));
        at = end;
    }
}

/// Complete elements of an array from `at` on, which is just behind the bracket.
fn elements(text: &[u8], mut at: usize) -> Vec<&[u8]> {
    let mut found = Vec::new();
    loop {
        at = after_space_and_commas(text, at);
        match end_of_value(text, at) {
            Some(end) if end > at => {
                found.push(&text[at..end]);
                at = end;
            }
            _ => return found,
        }
    }
}

fn after_space(text: &[u8], mut at: usize) -> usize {
    while text.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

fn after_space_and_commas(text: &[u8], mut at: usize) -> usize {
    while text.get(at).is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b',') {
        at += 1;
    }
    at
}

/// The end of the value that starts at `at`; `None` if the text ends first. Equals `at` if no value starts there.
fn end_of_value(text: &[u8], mut at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    loop {
        match text.get(at)? {
            b'"' => {
                at = end_of_string(text, at)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            b'{' | b'[' => {
                depth += 1;
                at += 1;
            }
            b'}' | b']' if depth > 1 => {
                depth -= 1;
                at += 1;
            }
            b'}' | b']' if depth == 1 => return Some(at + 1),
            b'}' | b']' => return Some(at),
            byte if depth == 0 && (*byte == b',' || byte.is_ascii_whitespace()) => return Some(at),
            _ => at += 1,
        }
    }
}

/// The position behind the closing quote of the string that opens at `at`.
fn end_of_string(text: &[u8], at: usize) -> Option<usize> {
    let mut at = at + 1;
    loop {
        match text.get(at)? {
            b'\\' => at += 2,
            b'"' => return Some(at + 1),
            _ => at += 1,
        }
    }
}

/// A value. The bare words NaN and Infinity, which are not JSON, become null.
pub(crate) fn lenient_value(text: &[u8]) -> Option<Value> {
    serde_json::from_slice(text).or_else(|_| serde_json::from_slice(&words_nulled(text))).ok()
}

fn words_nulled(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        if text[at] == b'"' {
            let end = end_of_string(text, at).unwrap_or(text.len());
            out.extend_from_slice(&text[at..end]);
            at = end;
            continue;
        }
        let words: [&[u8]; 4] = [b"-Infinity", b"Infinity", b"-NaN", b"NaN"];
        if let Some(word) = words.into_iter().find(|word| text[at..].starts_with(word)) {
            out.extend_from_slice(b"null");
            at += word.len();
        } else {
            out.push(text[at]);
            at += 1;
        }
    }
    out
}

/// The text of a string (decoded) or of a number (as written). Process, thread and flow ids are compared in this form.
pub(crate) fn scalar_text(raw: &[u8]) -> Option<String> {
    match raw.first()? {
        b'"' => serde_json::from_slice(raw).ok(),
        b'-' | b'0'..=b'9' if serde_json::from_slice::<Value>(raw).is_ok() => {
            Some(String::from_utf8_lossy(raw).into_owned())
        }
        _ => None,
    }
}

/// The text of a process or thread id. A number with a fraction of zeros is the number without it.
pub(crate) fn owner_text(raw: &[u8]) -> Option<String> {
    let text = scalar_text(raw)?;
    let whole = text.split_once('.').filter(|(_, fraction)| fraction.bytes().all(|digit| digit == b'0'));
    let whole = whole.filter(|_| raw.first() != Some(&b'"')).map(|(whole, _)| whole.to_owned());
    Some(whole.unwrap_or(text))
}

/// Nanoseconds from a number or numeric string of microseconds; `None` for other values and on overflow.
pub(crate) fn nanoseconds(raw: &[u8]) -> Option<i64> {
    i64::try_from(scaled(raw, 3)?).ok()
}

/// The length of an event that starts and lasts the given numbers of microseconds: from its rounded start to its rounded
/// end, in nanoseconds. A duration that is negative is rounded by itself.
pub(crate) fn rounded_length(start: &[u8], dur: &[u8]) -> Option<i64> {
    // Billionths of a nanosecond.
    const FINE: i128 = 1_000_000_000;
    let own = nanoseconds(dur)?;
    let (start_ns, dur_fine) = (nanoseconds(start)?, scaled(dur, 12)?);
    if dur_fine < 0 {
        return Some(own);
    }
    let end = scaled(start, 12)? + dur_fine;
    let end = (end.abs() + FINE / 2) / FINE * end.signum();
    i64::try_from(end - i128::from(start_ns)).ok()
}

/// A number, or a string with a number, times a power of ten, rounded to the nearest whole number.
fn scaled(raw: &[u8], power: i64) -> Option<i128> {
    let text = if raw.first() == Some(&b'"') {
        serde_json::from_slice(raw).ok()?
    } else {
        String::from_utf8_lossy(raw).into_owned()
    };
    multiple(&text, power)
}

/// A power of ten times a decimal (`-12.5e-3`), rounded to the nearest whole number, halves away from zero.
fn multiple(decimal: &str, power: i64) -> Option<i128> {
    let (negative, unsigned) = decimal.strip_prefix('-').map_or((false, decimal), |rest| (true, rest));
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_decimal = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned_exponent = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
    let is_plain =
        is_decimal(whole) && is_decimal(unsigned_exponent) && (is_decimal(fraction) || !mantissa.contains('.'));
    if !is_plain {
        return None;
    }
    // The value of an exponent beyond nine digits is irrelevant: the number is 0 or overflows.
    let steep = unsigned_exponent.trim_start_matches('0').len() > 9;
    let exponent: i64 = match (steep, exponent.starts_with('-')) {
        (true, true) => -1_000_000_000,
        (true, false) => 1_000_000_000,
        (false, _) => exponent.parse().ok()?,
    };
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        return Some(0);
    }
    // The number consists of the digits with the decimal point `point` digits after their start.
    let point = i64::try_from(digits.len()).ok()? - i64::try_from(fraction.len()).ok()? + exponent + power;
    if point > 16 + power {
        return None;
    }
    let place = usize::try_from(point).unwrap_or(0);
    let whole_part: String = digits.chars().chain(std::iter::repeat('0')).take(place).collect();
    let whole_part: i128 = if place == 0 { 0 } else { whole_part.parse().ok()? };
    let next_digit = if point < 0 { None } else { digits.as_bytes().get(place) };
    let rounded = whole_part + i128::from(next_digit.is_some_and(|digit| *digit >= b'5'));
    Some(if negative { -rounded } else { rounded })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_become_nanoseconds() {
        let cases: &[(&str, Option<i64>)] = &[
            ("0", Some(0)),
            ("-0.0", Some(0)),
            ("12", Some(12_000)),
            ("1.2345", Some(1_235)),
            ("1.2344999", Some(1_234)),
            ("0.0005", Some(1)),
            ("0.00049", Some(0)),
            ("0.00005", Some(0)),
            ("-0.0005", Some(-1)),
            ("-1.2345", Some(-1_235)),
            ("1.5e3", Some(1_500_000)),
            ("15E-1", Some(1_500)),
            ("1e-400", Some(0)),
            ("0e99999999999999999999", Some(0)),
            ("9007199254740993", Some(9_007_199_254_740_993_000)),
            ("9223372036854775.807", Some(i64::MAX)),
            ("9223372036854775.808", None),
            ("-9223372036854775.808", Some(i64::MIN)),
            ("1e400", None),
            ("\"17.25\"", Some(17_250)),
            ("\"\"", None),
            ("\"abc\"", None),
            ("NaN", None),
            ("true", None),
            ("null", None),
        ];
        for (text, expected) in cases {
            assert_eq!(nanoseconds(text.as_bytes()), *expected, "{text}");
        }
    }

    #[test]
    fn events_are_found_for_any_string_contents_and_any_cut() {
        let whole =
            r#"{"a":[{"traceEvents":[1]}], "traceEvents" : [{"x":"},{\""} ,, {} ,[{}],7,{"y":{"z":[]}}], "b":1}"#;
        let expected = [r#"{"x":"},{\""}"#, "{}", "[{}]", "7", r#"{"y":{"z":[]}}"#];
        let found = |text: &str| -> Vec<String> {
            elements_of_document(text.as_bytes()).iter().map(|raw| String::from_utf8_lossy(raw).into_owned()).collect()
        };
        assert_eq!(found(whole), expected);
        for length in 0..whole.len() {
            let kept = found(&whole[..length]);
            assert_eq!(kept, expected[..kept.len()], "{}", &whole[..length]);
        }
        assert_eq!(found("[\r\n{\"a\":1},\r\n{\"b\":2},"), ["{\"a\":1}", "{\"b\":2}"]);
    }
}
