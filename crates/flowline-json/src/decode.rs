//! Decodes JSON text into [`Value`]s and strings, for the few callers that read the contents of a payload.

use super::cursor::{Cursor, JsonError, Kind};
use crate::Value;

/// Deeper levels stay JSON text, so that no input can overflow the stack.
const MAX_DEPTH: usize = 96;

/// Decodes the next value.
///
/// # Errors
/// When the text is damaged.
#[inline]
pub fn decode_value(cursor: &mut Cursor<'_>) -> Result<Value, JsonError> {
    decode_at(cursor, 0)
}

fn decode_at(cursor: &mut Cursor<'_>, depth: usize) -> Result<Value, JsonError> {
    Ok(match cursor.peek()? {
        Kind::Object | Kind::Array if depth >= MAX_DEPTH => {
            let start = cursor.offset();
            cursor.skip_value()?;
            let text = cursor.text().get(start..cursor.offset()).unwrap_or_default();
            Value::String(String::from_utf8_lossy(text).into_owned())
        }
        Kind::Object => {
            let mut members = Vec::new();
            cursor.enter_object()?;
            while let Some(key) = cursor.next_key()? {
                members.push((key.decode(), decode_at(cursor, depth + 1)?));
            }
            Value::Object(members)
        }
        Kind::Array => {
            let mut items = Vec::new();
            cursor.enter_array()?;
            while cursor.next_element()? {
                items.push(decode_at(cursor, depth + 1)?);
            }
            Value::List(items)
        }
        Kind::String => Value::String(cursor.string()?.decode()),
        _ => decode_scalar(cursor.scalar()?),
    })
}

fn decode_scalar(text: &[u8]) -> Value {
    match text {
        b"true" => Value::Bool(true),
        b"false" => Value::Bool(false),
        b"NaN" => Value::Number(f64::NAN),
        b"Infinity" => Value::Number(f64::INFINITY),
        b"-Infinity" => Value::Number(f64::NEG_INFINITY),
        _ => {
            let text = std::str::from_utf8(text).unwrap_or_default();
            if text.bytes().any(|b| matches!(b, b'.' | b'e' | b'E')) {
                text.parse().map_or(Value::Null, Value::Number)
            } else if let Ok(int) = text.parse() {
                Value::Int(int)
            } else if let Ok(int) = text.parse() {
                Value::Uint(int)
            } else {
                // An integer beyond 64 bits, or a bare word, which parses as neither.
                match text.as_bytes().first() {
                    Some(b'0'..=b'9' | b'-') => text.parse().map_or(Value::Null, Value::Number),
                    _ => Value::Null,
                }
            }
        }
    }
}

/// Decodes the string token whose opening quote is at `offset` in `text`; `None` if there is none.
#[must_use]
#[inline]
pub fn decode_string(text: &[u8], offset: usize) -> Option<String> {
    Cursor::at(text, offset).string().ok().map(|raw| raw.decode())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(text: &str) -> Value {
        decode_value(&mut Cursor::at(text.as_bytes(), 0)).expect(text)
    }

    #[test]
    fn escapes_and_surrogates() {
        assert_eq!(decode(r#""a\n\u00e9\ud83d\ude00\ud83dx\/""#), Value::String("a\né😀\u{fffd}x/".into()));
    }

    #[test]
    fn integers_and_floats_stay_distinct() {
        assert_eq!(decode("12"), Value::Int(12));
        assert_eq!(decode("1.5"), Value::Number(1.5));
        assert_eq!(decode("18446744073709551616"), Value::Number(18_446_744_073_709_551_616.0));
        assert_eq!(decode("undefined"), Value::Null);
    }

    #[test]
    fn deep_levels_stay_text() {
        let text = "[".repeat(200_000) + &"]".repeat(200_000);
        let mut value = &decode(&text);
        while let Value::List(items) = value {
            value = &items[0];
        }
        assert!(matches!(value, Value::String(text) if text.starts_with("[[[")));
    }
}
