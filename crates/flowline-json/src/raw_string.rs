//! A string as written in JSON text.

use std::borrow::Cow;

use super::known_names::known_name;

/// The bytes between the quotes of a string, with escapes unresolved.
#[derive(Clone, Copy, Debug)]
pub struct RawString<'a> {
    /// Text without quotes. For a key with escapes that is one of the [`super::KNOWN_NAMES`], this is the known name.
    pub bytes: &'a [u8],
    /// Offset of the opening quote.
    pub offset: usize,
}

impl<'a> RawString<'a> {
    /// The text with escapes resolved. Unknown escapes keep their backslash; lone surrogates and invalid UTF-8 become
    /// replacement characters.
    #[must_use]
    #[inline]
    pub fn decode(&self) -> String {
        super::escape::unescape(self.bytes)
    }

    /// True if the text with escapes resolved equals `text`.
    #[must_use]
    #[inline]
    pub fn is(&self, text: &str) -> bool {
        self.bytes == text.as_bytes() || (self.has_escapes() && self.decode() == text)
    }

    /// The text, with escapes resolved if it has any.
    #[must_use]
    #[inline]
    pub fn text(&self) -> Cow<'a, [u8]> {
        if self.has_escapes() { Cow::Owned(self.decode().into_bytes()) } else { Cow::Borrowed(self.bytes) }
    }

    /// True if the text contains an escape.
    #[must_use]
    #[inline]
    pub fn has_escapes(&self) -> bool {
        memchr::memchr(b'\\', self.bytes).is_some()
    }

    /// The same text, or the name without escapes if it is one of the [`super::KNOWN_NAMES`].
    #[must_use]
    #[inline]
    pub fn known(self) -> Self {
        let known = if self.has_escapes() { known_name(self.bytes) } else { None };
        Self { bytes: known.unwrap_or(self.bytes), ..self }
    }
}
