//! [`Cursor`] walks JSON text token by token without building values.

use memchr::memchr2;

use super::raw_string::RawString;
use super::simd::{self, ContainerEnd};

/// A JSON error and its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// Byte offset into the text.
    pub offset: usize,
    /// Kind of the problem.
    pub problem: Problem,
}

/// Problems in JSON text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The text ends inside a value.
    Truncated,
    /// A byte that is not allowed here.
    Unexpected(u8),
    /// A value of an unexpected type. The value was skipped.
    WrongType(Kind),
}

impl JsonError {
    /// True if the only problem was a value of an unexpected type. It was skipped, so reading can continue.
    #[must_use]
    #[inline]
    pub const fn is_wrong_type(&self) -> bool {
        matches!(self.problem, Problem::WrongType(_))
    }
}

impl std::fmt::Display for JsonError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.problem {
            Problem::Truncated => write!(f, "the text ends at byte {}", self.offset),
            Problem::Unexpected(byte) => {
                write!(f, "unexpected '{}' at byte {}", byte.escape_ascii(), self.offset)
            }
            Problem::WrongType(kind) => write!(f, "unexpected {kind:?} at byte {}", self.offset),
        }
    }
}

impl std::error::Error for JsonError {}

/// The type of the next value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `{`
    Object,
    /// `[`
    Array,
    /// `"`
    String,
    /// A digit or a minus sign.
    Number,
    /// `true` or `false`.
    Bool,
    /// `null`.
    Null,
    /// A bare word such as `NaN`, `Infinity` or `undefined`: invalid JSON that occurs in recordings.
    Word,
}

/// A position in JSON text. Copying it is a cheap bookmark.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
}

type Result<T> = std::result::Result<T, JsonError>;

impl<'a> Cursor<'a> {
    /// A cursor at byte `offset` of `text`.
    #[must_use]
    #[inline]
    pub const fn at(text: &'a [u8], offset: usize) -> Self {
        Self { text, at: offset }
    }

    /// Moves to another offset, after a value that was read without the cursor.
    #[inline]
    pub const fn jump(&mut self, offset: usize) {
        self.at = offset;
    }

    /// The current byte offset.
    #[must_use]
    #[inline]
    pub const fn offset(&self) -> usize {
        self.at
    }

    /// The whole text of this cursor.
    #[must_use]
    #[inline]
    pub const fn text(&self) -> &'a [u8] {
        self.text
    }

    #[cold]
    fn fail<T>(&self, problem: Problem) -> Result<T> {
        Err(JsonError { offset: self.at, problem })
    }

    #[inline]
    fn byte(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    #[cold]
    fn unexpected<T>(&self) -> Result<T> {
        match self.byte() {
            Some(byte) => self.fail(Problem::Unexpected(byte)),
            None => self.fail(Problem::Truncated),
        }
    }

    #[inline]
    fn skip_space(&mut self) {
        while matches!(self.byte(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    /// Skips whitespace and commas; accepts stray and trailing commas.
    #[inline]
    fn skip_separators(&mut self) {
        while matches!(self.byte(), Some(b' ' | b'\n' | b'\r' | b'\t' | b',')) {
            self.at += 1;
        }
    }

    /// The type of the next value, without consuming it.
    ///
    /// # Errors
    /// When the text ends, or if no value can start with the next byte.
    #[inline]
    pub fn peek(&mut self) -> Result<Kind> {
        self.skip_space();
        Ok(match self.byte() {
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b'"') => Kind::String,
            Some(b'-') if self.text.get(self.at + 1) == Some(&b'I') => Kind::Word,
            Some(b'-' | b'0'..=b'9') => Kind::Number,
            Some(b't' | b'f') => Kind::Bool,
            Some(b'n') => Kind::Null,
            Some(b'a'..=b'z' | b'A'..=b'Z') => Kind::Word,
            _ => return self.unexpected(),
        })
    }

    /// Enters the next object.
    ///
    /// # Errors
    /// [`Problem::WrongType`] if the next value has another type (it is skipped); other problems if the text is
    /// damaged.
    #[inline]
    pub fn enter_object(&mut self) -> Result<()> {
        self.enter(Kind::Object)
    }

    /// Enters the next array.
    ///
    /// # Errors
    /// Same as [`Cursor::enter_object`].
    #[inline]
    pub fn enter_array(&mut self) -> Result<()> {
        self.enter(Kind::Array)
    }

    #[inline]
    fn enter(&mut self, wanted: Kind) -> Result<()> {
        let kind = self.peek()?;
        if kind == wanted {
            self.at += 1;
            return Ok(());
        }
        self.wrong_type(kind)
    }

    #[cold]
    fn wrong_type<T>(&mut self, kind: Kind) -> Result<T> {
        let offset = self.at;
        self.skip_value()?;
        Err(JsonError { offset, problem: Problem::WrongType(kind) })
    }

    /// The next key of the current object, with the cursor before its value; `None` after the closing brace.
    ///
    /// # Errors
    /// When the text is damaged.
    #[inline]
    pub fn next_key(&mut self) -> Result<Option<RawString<'a>>> {
        self.skip_separators();
        match self.byte() {
            Some(b'}') => {
                self.at += 1;
                Ok(None)
            }
            Some(b'"') => {
                let key = match self.short_string() {
                    Some(key) => key,
                    None => self.long_string()?.known(),
                };
                self.skip_space();
                if self.byte() != Some(b':') {
                    return self.unexpected();
                }
                self.at += 1;
                Ok(Some(key))
            }
            _ => self.unexpected(),
        }
    }

    /// True if the current array has another element, with the cursor before it; `false` after the closing bracket.
    ///
    /// # Errors
    /// When the text is damaged.
    #[inline]
    pub fn next_element(&mut self) -> Result<bool> {
        self.skip_separators();
        match self.byte() {
            Some(b']') => {
                self.at += 1;
                Ok(false)
            }
            Some(b'}' | b':') | None => self.unexpected(),
            Some(_) => Ok(true),
        }
    }

    /// The next string.
    ///
    /// # Errors
    /// [`Problem::WrongType`] if the next value has another type (it is skipped); other problems if the text is
    /// damaged.
    #[inline]
    pub fn string(&mut self) -> Result<RawString<'a>> {
        match self.peek()? {
            Kind::String => self.raw_string(),
            kind => self.wrong_type(kind),
        }
    }

    #[inline]
    fn raw_string(&mut self) -> Result<RawString<'a>> {
        match self.short_string() {
            Some(string) => Ok(string),
            None => self.long_string(),
        }
    }

    /// A string of at most sixteen bytes without escapes. Most strings are this short, and a comparison of sixteen
    /// bytes finds their end fastest.
    #[inline]
    fn short_string(&mut self) -> Option<RawString<'a>> {
        let (offset, start) = (self.at, self.at + 1);
        let length = simd::before_quote(self.text, start).filter(|length| self.text[start + length] == b'"')?;
        self.at = start + length + 1;
        Some(RawString { bytes: &self.text[start..start + length], offset })
    }

    fn long_string(&mut self) -> Result<RawString<'a>> {
        let offset = self.at;
        let start = self.at + 1;
        let mut at = start;
        loop {
            let rest = self.text.get(at..).unwrap_or_default();
            match memchr2(b'"', b'\\', rest) {
                Some(found) if rest[found] == b'"' => {
                    at += found;
                    self.at = at + 1;
                    return Ok(RawString { bytes: &self.text[start..at], offset });
                }
                Some(found) => at += found + 2,
                None => {
                    self.at = self.text.len();
                    return self.fail(Problem::Truncated);
                }
            }
        }
    }

    /// The text of the next number, word or other scalar that is not a string.
    ///
    /// # Errors
    /// [`Problem::WrongType`] for a string, an object or an array (it is skipped); other problems if the text is
    /// damaged.
    #[inline]
    pub fn scalar(&mut self) -> Result<&'a [u8]> {
        match self.peek()? {
            kind @ (Kind::Object | Kind::Array | Kind::String) => self.wrong_type(kind),
            _ => Ok(self.scalar_text()),
        }
    }

    #[inline]
    fn scalar_text(&mut self) -> &'a [u8] {
        let start = self.at;
        let belongs = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'.' | b'-' | b'+' | b'_');
        while self.byte().is_some_and(belongs) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    /// Skips one value of any type and size, without recursion.
    ///
    /// # Errors
    /// When the text is damaged.
    #[inline]
    pub fn skip_value(&mut self) -> Result<()> {
        match self.peek()? {
            Kind::String => self.raw_string().map(|_| ()),
            Kind::Object | Kind::Array => self.skip_container(),
            _ => {
                self.scalar_text();
                Ok(())
            }
        }
    }

    /// Counts brackets without matching their kinds: a `]` in place of a `}` must not swallow the rest of the text.
    fn skip_container(&mut self) -> Result<()> {
        match simd::container_end(self.text, self.at) {
            ContainerEnd::At(end) => {
                self.at = end;
                Ok(())
            }
            ContainerEnd::NotFound => {
                self.at = self.text.len();
                self.fail(Problem::Truncated)
            }
            ContainerEnd::Unknown => self.skip_container_bytewise(),
        }
    }

    fn skip_container_bytewise(&mut self) -> Result<()> {
        let text = self.text;
        let mut at = self.at;
        let mut depth = 0_usize;
        while let Some(&byte) = text.get(at) {
            match STRUCTURE[usize::from(byte)] {
                0 => at += 1,
                1 => {
                    self.at = at;
                    self.raw_string()?;
                    at = self.at;
                }
                2 => {
                    depth += 1;
                    at += 1;
                }
                _ => {
                    depth -= 1;
                    at += 1;
                    if depth == 0 {
                        self.at = at;
                        return Ok(());
                    }
                }
            }
        }
        self.at = text.len();
        self.fail(Problem::Truncated)
    }

    /// Checks that only whitespace follows.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] for anything else.
    #[inline]
    pub fn finish(&mut self) -> Result<()> {
        self.skip_space();
        if self.byte().is_none() { Ok(()) } else { self.unexpected() }
    }
}

/// Classes of structural bytes: 1 quote, 2 opening bracket, 3 closing bracket.
const STRUCTURE: [u8; 256] = {
    let mut table = [0; 256];
    table[b'"' as usize] = 1;
    table[b'{' as usize] = 2;
    table[b'[' as usize] = 2;
    table[b'}' as usize] = 3;
    table[b']' as usize] = 3;
    table
};

#[cfg(test)]
mod tests;
