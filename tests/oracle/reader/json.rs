//! JSON members as text and as times.

use serde_json::Value;

/// A process or thread id as text. 1 and 1.0 are the same number.
pub(crate) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => whole.to_string(),
            (None, Some(float)) => float.to_string(),
            (None, None) => number.to_string(),
        }),
        _ => None,
    }
}

/// A number, or a text that contains one.
pub(super) fn number(value: &Value) -> Option<f64> {
    let found = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok());
    found.filter(|number| number.is_finite())
}

/// A time in microseconds as nanoseconds.
pub(super) fn ns_of_us(value: &Value) -> Option<i64> {
    let whole = value.as_i64().or_else(|| value.as_str()?.trim().parse().ok());
    whole.and_then(|whole| whole.checked_mul(1000)).or_else(|| Some(rounded(number(value)? * 1000.0)))
}

/// A time in milliseconds as nanoseconds.
pub(super) fn ns_of_ms(ms: f64) -> i64 {
    rounded(ms * 1e6)
}

#[expect(clippy::cast_possible_truncation, reason = "times of recordings fit")]
pub(super) fn rounded(value: f64) -> i64 {
    value.round() as i64
}

/// A list, or nothing.
pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
