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

/// A decimal number, or a text that contains one, times a power of ten, rounded. The digits are read as text, because times
/// since 1970 have more than a float does.
fn scaled(value: &Value, places: usize) -> Option<i128> {
    let text = value.as_str().map_or_else(|| value.to_string(), |text| text.trim().to_owned());
    let (sign, digits) = text.strip_prefix('-').map_or((1, text.as_str()), |digits| (-1, digits));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() || !whole.bytes().chain(fraction.bytes()).all(|digit| digit.is_ascii_digit()) {
        let float: f64 = text.parse().ok().filter(|float: &f64| float.is_finite())?;
        let power = i32::try_from(places).expect("few places");
        return Some(i128::from(rounded(float * 10_f64.powi(power))));
    }
    let kept: String = fraction.chars().chain(std::iter::repeat('0')).take(places).collect();
    let rounds_up = fraction.as_bytes().get(places).is_some_and(|digit| *digit >= b'5');
    let number: i128 = format!("{whole}{kept}").parse().ok()?;
    Some(sign * (number + i128::from(rounds_up)))
}

/// A time in microseconds as nanoseconds.
pub(super) fn ns_of_us(value: &Value) -> Option<i64> {
    i64::try_from(scaled(value, 3)?).ok()
}

/// The sum of two times in microseconds as nanoseconds, rounded once.
pub(super) fn ns_of_sum_of_us(first: &Value, second: &Value) -> Option<i64> {
    let sum = scaled(first, 9)? + scaled(second, 9)?;
    i64::try_from((sum + 500_000).div_euclid(1_000_000)).ok()
}

/// A time in milliseconds as nanoseconds.
pub(super) fn ns_of_ms(value: &Value) -> Option<i64> {
    i64::try_from(scaled(value, 6)?).ok()
}

#[expect(clippy::cast_possible_truncation, reason = "times of recordings fit")]
pub(super) fn rounded(value: f64) -> i64 {
    value.round() as i64
}

/// A list, or nothing.
pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
