//! A preview of a value on one short line: `{a: 1, b: [3, "x"], …}`. The cost is bounded by the requested length, not
//! by the size of the value.

use crate::Value;
use crate::write_json_string;

/// Deeper levels are shown as an ellipsis.
const MAX_LEVELS: usize = 4;
/// Maximum number of bytes of a key, or of a string inside another value.
const MAX_PART: usize = 60;

impl Value {
    /// True if this is an object or an array.
    #[must_use]
    #[inline]
    pub const fn is_nested(&self) -> bool {
        matches!(self, Self::Object(_) | Self::List(_))
    }

    /// Number of members of an object or items of an array; 0 for anything else.
    #[must_use]
    pub const fn child_count(&self) -> usize {
        match self {
            Self::Object(members) => members.len(),
            Self::List(items) => items.len(),
            _ => 0,
        }
    }

    /// The value in about `max_bytes` bytes; the rest becomes `…`. A top-level string has no quotes.
    #[must_use]
    pub fn preview(&self, max_bytes: usize) -> String {
        let mut preview = Preview { out: String::new(), max_bytes };
        match self {
            Self::String(text) => push_truncated(&mut preview.out, text, max_bytes),
            _ => preview.value(self, 0),
        }
        preview.out
    }
}

/// The preview of a value while it is written.
struct Preview {
    out: String,
    max_bytes: usize,
}

impl Preview {
    fn value(&mut self, value: &Value, level: usize) {
        match value {
            Value::String(text) => {
                let mut part = String::new();
                push_truncated(&mut part, text, MAX_PART);
                write_json_string(&mut self.out, &part);
            }
            Value::Object(members) => self.list(['{', '}'], members, level, |preview, (key, value)| {
                push_truncated(&mut preview.out, key, MAX_PART);
                preview.out.push_str(": ");
                preview.value(value, level + 1);
            }),
            Value::List(items) => self.list(['[', ']'], items, level, |preview, item| preview.value(item, level + 1)),
            _ => value.write_js(&mut self.out),
        }
    }

    /// Writes items between brackets.
    fn list<T>(&mut self, brackets: [char; 2], items: &[T], level: usize, write: impl Fn(&mut Self, &T)) {
        self.out.push(brackets[0]);
        let too_deep = level >= MAX_LEVELS && !items.is_empty();
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.out.push_str(", ");
            }
            if too_deep || self.out.len() >= self.max_bytes {
                self.out.push('…');
                break;
            }
            write(self, item);
        }
        self.out.push(brackets[1]);
    }
}

/// Appends at most `max_bytes` bytes of a text; a longer text ends in `…`.
fn push_truncated(out: &mut String, text: &str, max_bytes: usize) {
    if text.len() <= max_bytes {
        return out.push_str(text);
    }
    let mut end = max_bytes;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    out.push_str(&text[..end]);
    out.push('…');
}

#[cfg(test)]
mod tests {
    use crate::{Cursor, decode_value};

    fn preview(text: &str, max_bytes: usize) -> String {
        decode_value(&mut Cursor::at(text.as_bytes(), 0)).expect(text).preview(max_bytes)
    }

    #[test]
    fn previews_fit_the_length() {
        assert_eq!(
            preview(r#"{"a":1,"b":[3,"x\n"],"c":{},"d":null}"#, 100),
            r#"{a: 1, b: [3, "x\n"], c: {}, d: null}"#
        );
        assert_eq!(preview(r#"{"a":1,"b":[3],"c":4}"#, 12), "{a: 1, b: [3], …}");
        assert_eq!(preview("[1,2,3,4,5,6,7,8,9]", 8), "[1, 2, 3, …]");
        assert_eq!(preview(r#""plain \"text\"""#, 100), "plain \"text\"");
        assert_eq!(preview(r#""äöü""#, 3), "ä…");
        assert_eq!(preview("[[[[[[1]]]]]]", 100), "[[[[[…]]]]]");
    }

    #[test]
    fn the_length_bounds_the_cost() {
        let wide = format!("[{}]", "[0],".repeat(200_000));
        let deep = "[".repeat(10_000) + &"]".repeat(10_000);
        let text = format!("[\"{}\"]", "x".repeat(31_000));
        for hostile in [wide, deep, text] {
            let line = preview(&hostile, 40);
            assert!(line.len() < 120 && line.contains('…'), "{line}");
        }
    }
}
