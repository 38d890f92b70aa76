//! A writer that passes JSON text on without private content of its strings.

use std::io::{self, Write};

use super::removal::TextFilter;

/// Filters the strings of JSON text, keys included, however the text is divided.
pub(super) struct JsonFilter<'a> {
    out: &'a mut dyn Write,
    filter: &'a mut TextFilter,
    /// The beginning of the current string.
    string: Vec<u8>,
    is_in_string: bool,
    /// True after a backslash.
    is_escaped: bool,
}

impl<'a> JsonFilter<'a> {
    pub(super) fn new(out: &'a mut dyn Write, filter: &'a mut TextFilter) -> Self {
        Self { out, filter, string: Vec::new(), is_in_string: false, is_escaped: false }
    }

    /// Passes the current string on.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        let replaced = self.filter.text(&self.string);
        self.out.write_all(replaced.as_deref().unwrap_or(&self.string))?;
        self.string.clear();
        Ok(())
    }

    /// Reads a part of a string; returns its length. At the quote that ends the string, passes the string on.
    fn in_string(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if std::mem::take(&mut self.is_escaped) {
            self.string.extend(bytes.first());
            return Ok(1);
        }
        let end = memchr::memchr2(b'"', b'\\', bytes);
        self.string.extend_from_slice(&bytes[..end.unwrap_or(bytes.len())]);
        let Some(end) = end else { return Ok(bytes.len()) };
        if bytes[end] == b'\\' {
            self.string.push(b'\\');
            self.is_escaped = true;
        } else {
            self.finish()?;
            self.out.write_all(b"\"")?;
            self.is_in_string = false;
        }
        Ok(end + 1)
    }
}

impl Write for JsonFilter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut rest = bytes;
        while !rest.is_empty() {
            let read = if self.is_in_string {
                self.in_string(rest)?
            } else {
                let quote = memchr::memchr(b'"', rest);
                self.is_in_string = quote.is_some();
                let end = quote.map_or(rest.len(), |at| at + 1);
                self.out.write_all(&rest[..end])?;
                end
            };
            rest = &rest[read..];
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cut::Removal;

    #[test]
    fn strings_are_filtered_however_the_text_is_divided() {
        let text =
            r#"{"http://k.example": ["a \"http://k.example\" b", 1, "\\", "c\u0020"], "k.example":"http://x.example"#;
        let expected = r#"{"http:<URL-1>": ["a \"http:<URL-1>\" b", 1, "\\", "c\u0020"], "<URL-2>":"http:<URL-3>"#;
        for size in 1..text.len() {
            let mut filter = TextFilter::new(Removal { urls: true, screenshots: false });
            let mut out = Vec::new();
            for round in 0..2 {
                out.clear();
                let mut writer = JsonFilter::new(&mut out, &mut filter);
                text.as_bytes().chunks(size).for_each(|chunk| writer.write_all(chunk).expect("written"));
                writer.finish().expect("written");
                if round == 0 {
                    assert_eq!(out, text.as_bytes(), "only read");
                    filter.start_replacing();
                }
            }
            assert_eq!(String::from_utf8_lossy(&out), expected, "{size}");
        }
    }
}
