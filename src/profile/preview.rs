//! A value on one short line, for places where only a line is: `{a: 1, b: [3, "x"], …}`.
//!
//! The work is bounded by the length asked for, however large the value is.

use super::Value;
use super::value::write_json_string;

/// Deeper levels than this are three dots.
const LEVELS: usize = 4;
/// Characters of a key, or of a string beside others, that are shown.
const PART: usize = 60;

impl Value {
    /// Whether this is an object or an array.
    #[must_use]
    pub const fn is_nested(&self) -> bool {
        matches!(self, Self::Object(_) | Self::List(_))
    }

    /// Members of an object, items of an array; 0 for anything else.
    #[must_use]
    pub const fn child_count(&self) -> usize {
        match self {
            Self::Object(members) => members.len(),
            Self::List(items) => items.len(),
            _ => 0,
        }
    }

    /// The value in about `most` bytes; what does not fit becomes `…`. Strings alone are shown as they are.
    #[must_use]
    pub fn preview(&self, most: usize) -> String {
        let mut out = String::new();
        match self {
            Self::String(text) => push_cut(&mut out, text, most),
            _ => write(&mut out, self, most, 0),
        }
        out
    }
}

fn write(out: &mut String, value: &Value, most: usize, level: usize) {
    match value {
        Value::String(text) => {
            let mut part = String::new();
            push_cut(&mut part, text, PART);
            write_json_string(out, &part);
        }
        Value::Object(members) => list(out, ('{', '}'), members.iter(), (most, level), |out, (key, value)| {
            push_cut(out, key, PART);
            out.push_str(": ");
            write(out, value, most, level + 1);
        }),
        Value::List(items) => list(out, ('[', ']'), items.iter(), (most, level), |out, item| {
            write(out, item, most, level + 1);
        }),
        _ => value.write_js(out),
    }
}

fn list<T>(
    out: &mut String,
    (open, close): (char, char),
    items: impl ExactSizeIterator<Item = T>,
    (most, level): (usize, usize),
    mut write: impl FnMut(&mut String, T),
) {
    out.push(open);
    let too_deep = level >= LEVELS && items.len() > 0;
    for (at, item) in items.enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        if too_deep || out.len() >= most {
            out.push('…');
            break;
        }
        write(out, item);
    }
    out.push(close);
}

/// Appends a text of at most so many bytes; a longer one ends in `…`.
fn push_cut(out: &mut String, text: &str, most: usize) {
    if text.len() <= most {
        return out.push_str(text);
    }
    let mut end = most;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    out.push_str(&text[..end]);
    out.push('…');
}

#[cfg(test)]
mod tests {
    use crate::profile::json::{Cursor, decode_value};

    fn preview(text: &str, most: usize) -> String {
        decode_value(&mut Cursor::at(text.as_bytes(), 0)).expect(text).preview(most)
    }

    #[test]
    fn what_fits_is_shown() {
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
    fn the_length_bounds_the_work() {
        let wide = format!("[{}]", "[0],".repeat(200_000));
        let deep = "[".repeat(10_000) + &"]".repeat(10_000);
        let text = format!("[\"{}\"]", "x".repeat(31_000));
        for hostile in [wide, deep, text] {
            let line = preview(&hostile, 40);
            assert!(line.len() < 120 && line.contains('…'), "{line}");
        }
    }
}
