//! Copies JSON text member by member and element by element, and omits some of them. The copy is valid JSON even if
//! damage ends the text early: every container is closed.

use std::io::{self, Write};

use flowline_json::{Cursor, JsonError, Kind, RawString};

/// Reason for ending a copy early.
#[derive(Debug)]
pub(super) enum Stop {
    /// The output cannot be written.
    Io(io::Error),
    /// The text is damaged; everything before the damage is copied.
    Damage,
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<JsonError> for Stop {
    fn from(_: JsonError) -> Self {
        Self::Damage
    }
}

/// Copies parts of a text.
pub(super) struct JsonCopy<'a, 'w> {
    text: &'a [u8],
    out: &'w mut dyn Write,
    /// True if the innermost container is still empty.
    is_empty: bool,
}

impl<'a, 'w> JsonCopy<'a, 'w> {
    pub(super) fn new(text: &'a [u8], out: &'w mut dyn Write) -> Self {
        Self { text, out, is_empty: true }
    }

    /// Begins an item of the innermost container: a member, if it has a key.
    fn item(&mut self, key: Option<&RawString<'a>>) -> io::Result<()> {
        if !std::mem::replace(&mut self.is_empty, false) {
            self.out.write_all(b",")?;
        }
        if let Some(key) = key {
            self.out.write_all(b"\"")?;
            self.out.write_all(key.bytes)?;
            self.out.write_all(b"\":")?;
        }
        Ok(())
    }

    /// Adds an item with the given text.
    pub(super) fn insert(&mut self, key: Option<&RawString<'a>>, value: &[u8]) -> io::Result<()> {
        self.item(key)?;
        self.out.write_all(value)
    }

    /// Adds a member whose value `write` writes.
    pub(super) fn insert_with(
        &mut self,
        key: &RawString<'a>,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        self.item(Some(key))?;
        write(self.out)
    }

    /// Adds the text between two offsets as an item.
    pub(super) fn span(&mut self, key: Option<&RawString<'a>>, from: usize, to: usize) -> io::Result<()> {
        let text = self.text;
        self.insert(key, text.get(from..to).unwrap_or_default())
    }

    /// Copies the value at the cursor verbatim; omits a truncated value.
    pub(super) fn value(&mut self, key: Option<&RawString<'a>>, cursor: &mut Cursor<'a>) -> Result<(), Stop> {
        let kind = cursor.peek()?;
        let from = cursor.offset();
        cursor.skip_value()?;
        if cursor.offset() < self.text.len() || matches!(kind, Kind::Object | Kind::Array | Kind::String) {
            return Ok(self.span(key, from, cursor.offset())?);
        }
        // A number at the end of the text may be truncated; the importer also reads it up to its last digit.
        let text = self.text;
        let digits = text.get(from..).unwrap_or_default();
        let length = digits.iter().rposition(u8::is_ascii_digit).map_or(0, |last| last + 1);
        if kind != Kind::Number || length == 0 {
            return Err(Stop::Damage);
        }
        Ok(self.insert(key, &digits[..length])?)
    }

    /// Adds a container whose content `fill` writes.
    fn container(
        &mut self,
        key: Option<&RawString<'a>>,
        [open, close]: [&[u8]; 2],
        fill: impl FnOnce(&mut Self) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        self.item(key)?;
        self.out.write_all(open)?;
        self.is_empty = true;
        let filled = fill(self);
        if !matches!(filled, Err(Stop::Io(_))) {
            self.out.write_all(close)?;
        }
        self.is_empty = false;
        filled
    }

    /// Copies the object at the cursor; `member` copies or skips the value of each key. A value of another type is
    /// copied verbatim.
    pub(super) fn object(
        &mut self,
        key: Option<&RawString<'a>>,
        cursor: &mut Cursor<'a>,
        mut member: impl FnMut(&mut Self, &RawString<'a>, &mut Cursor<'a>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        if cursor.peek()? != Kind::Object {
            return self.value(key, cursor);
        }
        self.container(key, [b"{", b"}"], |copy| {
            cursor.enter_object()?;
            while let Some(key) = cursor.next_key()? {
                member(copy, &key, cursor)?;
            }
            Ok(())
        })
    }

    /// Copies the array at the cursor; `element` receives the index of each element and copies or skips it. A value of
    /// another type is copied verbatim.
    pub(super) fn array(
        &mut self,
        key: Option<&RawString<'a>>,
        cursor: &mut Cursor<'a>,
        element: impl FnMut(&mut Self, usize, &mut Cursor<'a>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        self.padded_array(key, cursor, element, |_, _| Ok(()))
    }

    /// Like [`JsonCopy::array`]; `pad` then receives the number of elements and may add more, even if the text is
    /// damaged.
    pub(super) fn padded_array(
        &mut self,
        key: Option<&RawString<'a>>,
        cursor: &mut Cursor<'a>,
        mut element: impl FnMut(&mut Self, usize, &mut Cursor<'a>) -> Result<(), Stop>,
        pad: impl FnOnce(&mut Self, usize) -> io::Result<()>,
    ) -> Result<(), Stop> {
        if cursor.peek()? != Kind::Array {
            return self.value(key, cursor);
        }
        self.container(key, [b"[", b"]"], |copy| {
            let mut number = 0;
            let walked = (|| {
                cursor.enter_array()?;
                while cursor.next_element()? {
                    element(copy, number, cursor)?;
                    number += 1;
                }
                Ok(())
            })();
            if !matches!(walked, Err(Stop::Io(_))) {
                pad(copy, number)?;
            }
            walked
        })
    }

    /// Copies a value with `inside`. Damage ends only that value; the cursor is then after it.
    pub(super) fn guarded(
        &mut self,
        cursor: &mut Cursor<'a>,
        inside: impl FnOnce(&mut Self, &mut Cursor<'a>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        cursor.peek()?;
        let mut within = *cursor;
        let skipped = cursor.skip_value();
        if let Err(Stop::Io(error)) = inside(self, &mut within) {
            return Err(Stop::Io(error));
        }
        Ok(skipped?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Copies an object without its member `b`, and only the even elements of its array `a`.
    fn copy(text: &str) -> String {
        let mut out = Vec::new();
        let mut cursor = Cursor::at(text.as_bytes(), 0);
        let _damage =
            JsonCopy::new(text.as_bytes(), &mut out).object(None, &mut cursor, |copy, key, cursor| match key.bytes {
                b"a" => copy.guarded(cursor, |copy, cursor| {
                    copy.array(Some(key), cursor, |copy, number, cursor| {
                        if number % 2 == 0 { copy.value(None, cursor) } else { Ok(cursor.skip_value()?) }
                    })
                }),
                b"b" => Ok(cursor.skip_value()?),
                _ => copy.value(Some(key), cursor),
            });
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn a_copy_of_damaged_text_is_complete_json() {
        let text = r#"{"x": "é\u0041", "b": [1], "a": [10, {"k": 1}, -3.5e-2 , "}", [5]], "n": null, "y": {}}"#;
        assert_eq!(copy(text), r#"{"x":"é\u0041","a":[10,-3.5e-2,[5]],"n":null,"y":{}}"#);
        for end in (1..text.len()).filter(|end| text.is_char_boundary(*end)) {
            let out = copy(&text[..end]);
            serde_json::from_str::<serde_json::Value>(&out).unwrap_or_else(|error| panic!("{end}: {error}: {out}"));
        }
        assert_eq!(copy(r#"{"a": [1, 2, : ], "y": 3}"#), r#"{"a":[1],"y":3}"#, "damage ends the value only");
    }
}
