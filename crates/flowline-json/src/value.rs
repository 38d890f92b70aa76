//! A JSON value of a marker payload or of trace-event arguments.
//!
//! Unlike the types of JSON libraries, it preserves all 64 bits of integers (addresses, ids) and the order of object
//! members. `text::js` converts it to text. Nothing here panics; the JSON reader limits the nesting depth.

/// 2^63, the first magnitude outside `i64`.
const I64_LIMIT: f64 = 9_223_372_036_854_775_808.0;

/// One JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number without fraction or exponent that fits into `i64`.
    Int(i64),
    /// A number without fraction or exponent that only fits into `u64`: ids and hashes.
    Uint(u64),
    /// Every other number.
    Number(f64),
    /// A string with escapes resolved.
    String(String),
    /// An array.
    List(Vec<Value>),
    /// An object in source order. If a key repeats, the last one is used.
    Object(Vec<(String, Value)>),
}

impl Value {
    /// The member `key` of an object; the last one if the key repeats. `None` for other kinds.
    #[inline]
    pub fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Value::Object(members) => members.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The number as a double; integers beyond 2^53 are rounded. `None` for other kinds, including strings.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Int(number) => Some(*number as f64),
            Value::Uint(number) => Some(*number as f64),
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The number as an integer; a fraction is truncated. `None` outside of 64 bits and for other kinds.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Value::Int(number) => Some(*number),
            Value::Number(number) => integer_part(*number),
            _ => None,
        }
    }

    /// The text of a string. `None` for other kinds.
    #[inline]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// True if this is `null`.
    #[inline]
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// True if JavaScript treats the value as true in a condition.
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
}

/// The integer part, if it fits.
fn integer_part(number: f64) -> Option<i64> {
    let inside = (-I64_LIMIT..I64_LIMIT).contains(&number);
    #[expect(clippy::cast_possible_truncation, reason = "range checked; the fraction is truncated intentionally")]
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
    fn the_last_of_a_repeated_key_is_used() {
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
    fn numeric_views() {
        assert_eq!(Value::Number(-2.9).as_i64(), Some(-2));
        assert_eq!(Value::Number(1e19).as_i64(), None);
        assert_eq!(Value::Number(f64::NAN).as_i64(), None);
        assert_eq!(Value::Int(5).as_f64(), Some(5.0));
        assert_eq!((text("5").as_f64(), text("5").as_str()), (None, Some("5")));
    }
}
