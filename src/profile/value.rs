//! A JSON value as it arrives in marker payloads and trace-event arguments.
//!
//! Why not a library's type: integers must survive beyond 2^53 (addresses, ids), objects must keep
//! their order for display, and the text of a value must be the one JavaScript would show, because the
//! labels that users know come from there.
//!
//! Invariants: nothing here panics or fails. Recursion is as deep as the value, which the reader bounds.

use crate::profile::decimal::Decimal;

/// 2^63, the first magnitude outside `i64`.
const I64_LIMIT: f64 = 9_223_372_036_854_775_808.0;

/// One JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number written without fraction or exponent that fits 64 bits.
    Int(i64),
    /// A number written without fraction or exponent that only the unsigned 64 bits hold: ids and hashes.
    Uint(u64),
    /// Every other number.
    Number(f64),
    /// A string, escapes resolved.
    String(String),
    /// An array.
    List(Vec<Value>),
    /// An object in source order; a key may repeat, then the last one counts.
    Object(Vec<(String, Value)>),
}

impl Value {
    /// The member `key` of an object; the last one where the key repeats. `None` for other kinds.
    pub fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Value::Object(members) => members.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The number as a double; integers beyond 2^53 round. `None` for other kinds, strings included.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Int(number) => Some(*number as f64),
            Value::Uint(number) => Some(*number as f64),
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The number as an integer; a fraction is cut off. `None` outside 64 bits and for other kinds.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Value::Int(number) => Some(*number),
            Value::Number(number) => integer_part(*number),
            _ => None,
        }
    }

    /// The text of a string. `None` for other kinds.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// Whether this is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// Whether JavaScript takes the value for true in a condition.
    pub fn is_truthy(&self) -> bool {
        match self {
            Value::Null => false,
            Value::Bool(flag) => *flag,
            Value::Int(number) => *number != 0,
            Value::Uint(_) => true,
            Value::Number(number) => *number != 0.0 && !number.is_nan(),
            Value::String(text) => !text.is_empty(),
            Value::List(_) | Value::Object(_) => true,
        }
    }

    /// The text JavaScript's `String(value)` gives, except that integers keep all their digits.
    pub fn display_js(&self) -> String {
        let mut out = String::new();
        self.write_js(&mut out);
        out
    }

    /// Appends what [`Value::display_js`] returns.
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
                    // Joining an array leaves nulls out, unlike String(null).
                    if !item.is_null() {
                        item.write_js(out);
                    }
                }
            }
        }
    }

    /// Appends the value as JSON on one line; numbers that JSON cannot hold become `null`.
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

/// Appends `text` as a quoted JSON string, escaping only what RFC 8259 section 7 requires.
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

/// Number text after ECMA-262, Number::toString with radix 10.
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

/// The integer part, where it fits.
fn integer_part(number: f64) -> Option<i64> {
    let inside = (-I64_LIMIT..I64_LIMIT).contains(&number);
    #[expect(clippy::cast_possible_truncation, reason = "range checked; cutting the fraction is the purpose")]
    let whole = number as i64;
    inside.then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::Value;

    fn text(value: &str) -> Value {
        Value::String(value.to_owned())
    }

    #[test]
    fn numbers_read_as_in_javascript() {
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
    fn other_kinds_read_as_in_javascript() {
        let list = Value::List(vec![Value::Int(1), Value::Null, Value::List(vec![text("a"), Value::Bool(true)])]);
        assert_eq!(list.display_js(), "1,,a,true");
        assert_eq!(Value::Null.display_js(), "null");
        assert_eq!(Value::Object(vec![]).display_js(), "[object Object]");
        assert_eq!(Value::Int(i64::MIN).display_js(), "-9223372036854775808");
    }

    #[test]
    fn truthiness() {
        let truthy = [
            Value::Bool(true),
            Value::Int(-1),
            Value::Number(0.1),
            text("0"),
            Value::List(vec![]),
            Value::Object(vec![]),
        ];
        let falsy =
            [Value::Null, Value::Bool(false), Value::Int(0), Value::Number(-0.0), Value::Number(f64::NAN), text("")];
        assert!(truthy.iter().all(Value::is_truthy));
        assert!(!falsy.iter().any(Value::is_truthy));
    }

    #[test]
    fn the_last_of_a_repeated_key_counts() {
        let object = Value::Object(vec![
            ("a".to_owned(), Value::Int(1)),
            ("b".to_owned(), Value::Int(2)),
            ("a".to_owned(), Value::Int(3)),
        ]);
        assert_eq!(object.get("a"), Some(&Value::Int(3)));
        assert_eq!(object.get("c"), None);
        assert_eq!(Value::Int(1).get("a"), None);
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

    #[test]
    fn numeric_views() {
        assert_eq!(Value::Number(-2.9).as_i64(), Some(-2));
        assert_eq!(Value::Number(1e19).as_i64(), None);
        assert_eq!(Value::Number(f64::NAN).as_i64(), None);
        assert_eq!(Value::Int(5).as_f64(), Some(5.0));
        assert_eq!((text("5").as_f64(), text("5").as_str()), (None, Some("5")));
    }
}
