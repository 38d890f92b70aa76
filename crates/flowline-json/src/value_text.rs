//! A value as displayed by JavaScript (`String(value)`), and as JSON.
//!
//! Labels and fields in the Firefox Profiler are JavaScript texts, so these are identical byte for byte, except that
//! integers keep all of their digits.

use crate::Value;
use flowline_format::Decimal;

impl Value {
    /// The text that JavaScript's `String(value)` returns, except that integers keep all of their digits.
    #[inline]
    pub fn display_js(&self) -> String {
        let mut out = String::new();
        self.write_js(&mut out);
        out
    }

    /// Appends the result of [`Value::display_js`].
    pub fn write_js(&self, out: &mut String) {
        match self {
            Value::Null => out.push_str("null"),
            Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
            Value::Int(number) => out.push_str(&number.to_string()),
            Value::Uint(number) => out.push_str(&number.to_string()),
            Value::Number(number) => write_js_number(out, *number),
            Value::String(text) => out.push_str(text),
            Value::Object(_) => out.push_str("[object Object]"),
            Value::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    // Joining an array omits nulls, unlike `String(null)`.
                    if !item.is_null() {
                        item.write_js(out);
                    }
                }
            }
        }
    }

    /// Appends the value as JSON on one line; numbers that JSON cannot represent become `null`.
    pub fn to_json(&self, out: &mut String) {
        match self {
            Value::Number(number) if !number.is_finite() => out.push_str("null"),
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Uint(_) | Value::Number(_) => self.write_js(out),
            Value::String(text) => write_json_string(out, text),
            Value::List(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    item.to_json(out);
                }
                out.push(']');
            }
            Value::Object(members) => {
                out.push('{');
                for (index, (key, member)) in members.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    write_json_string(out, key);
                    out.push(':');
                    member.to_json(out);
                }
                out.push('}');
            }
        }
    }
}

/// Appends `text` as a quoted JSON string; escapes only the characters for which RFC 8259 section 7 requires it.
pub fn write_json_string(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..='\u{1f}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(character)));
            }
            _ => out.push(character),
        }
    }
    out.push('"');
}

/// Number text according to ECMA-262, Number::toString with radix 10.
fn write_js_number(out: &mut String, number: f64) {
    if number.is_nan() {
        return out.push_str("NaN");
    }
    if number < 0.0 {
        out.push('-');
    }
    if number.is_infinite() {
        return out.push_str("Infinity");
    }
    let decimal = Decimal::from_f64(number);
    let digits: &str = std::str::from_utf8(decimal.digits()).unwrap_or_default();
    let left = decimal.digits_left_of_point();
    let split = usize::try_from(left).unwrap_or(0);
    match left {
        _ if digits.is_empty() => out.push('0'),
        1..=21 if digits.len() <= split => {
            out.push_str(digits);
            push_zeros(out, split - digits.len());
        }
        1..=21 => {
            out.push_str(&digits[..split]);
            out.push('.');
            out.push_str(&digits[split..]);
        }
        -5..=0 => {
            out.push_str("0.");
            push_zeros(out, usize::try_from(-left).unwrap_or(0));
            out.push_str(digits);
        }
        _ => {
            out.push_str(&digits[..1]);
            if digits.len() > 1 {
                out.push('.');
                out.push_str(&digits[1..]);
            }
            out.push_str(if left > 0 { "e+" } else { "e-" });
            out.push_str(&(left - 1).unsigned_abs().to_string());
        }
    }
}

fn push_zeros(out: &mut String, count: usize) {
    out.extend(std::iter::repeat_n('0', count));
}

#[cfg(test)]
mod tests {
    use crate::Value;

    fn text(value: &str) -> Value {
        Value::String(value.to_owned())
    }

    #[test]
    fn numbers_are_shown_as_in_javascript() {
        let rows: &[(f64, &str)] = &[
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (-1.5, "-1.5"),
            (0.1, "0.1"),
            (123_456.789, "123456.789"),
            (1e20, "100000000000000000000"),
            (1.5e20, "150000000000000000000"),
            (123_456_789_012_345_680_000.0, "123456789012345680000"),
            (1e21, "1e+21"),
            (1.25e21, "1.25e+21"),
            (0.000_001, "0.000001"),
            (0.000_001_5, "0.0000015"),
            (0.000_000_1, "1e-7"),
            (1.5e-10, "1.5e-10"),
            (-1e300, "-1e+300"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "Infinity"),
            (f64::NEG_INFINITY, "-Infinity"),
        ];
        for (number, expect) in rows {
            assert_eq!(Value::Number(*number).display_js(), *expect);
        }
    }

    #[test]
    fn other_kinds_are_shown_as_in_javascript() {
        let list = Value::List(vec![Value::Int(1), Value::Null, Value::List(vec![text("a"), Value::Bool(true)])]);
        assert_eq!(list.display_js(), "1,,a,true");
        assert_eq!(Value::Null.display_js(), "null");
        assert_eq!(Value::Object(vec![]).display_js(), "[object Object]");
        assert_eq!(Value::Int(i64::MIN).display_js(), "-9223372036854775808");
    }

    #[test]
    fn json_is_valid() {
        let value = Value::Object(vec![
            (
                "a\"\\".to_owned(),
                Value::List(vec![Value::Null, Value::Number(f64::NAN), Value::Number(1e21), Value::Number(2.0)]),
            ),
            ("s".to_owned(), text("\u{1}\u{1f}\n\r\tμ\u{7f}")),
            ("i".to_owned(), Value::Int(i64::MAX)),
        ]);
        let mut out = String::new();
        value.to_json(&mut out);
        let expect =
            "{\"a\\\"\\\\\":[null,null,1e+21,2],\"s\":\"\\u0001\\u001f\\n\\r\\tμ\u{7f}\",\"i\":9223372036854775807}";
        assert_eq!(out, expect);
    }
}
