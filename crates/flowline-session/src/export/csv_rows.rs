//! Rows of CSV as in RFC 4180: fields are quoted only if necessary.
//!
//! The usual library searches the rest of a field again for each part that fits into its buffer, which takes minutes for a field
//! of some hundred megabytes.

use std::io::{self, Write};

/// The end of a line of CSV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CsvLineEnd {
    /// CR LF, for files.
    CrLf,
    /// LF, for standard output.
    Lf,
}

impl CsvLineEnd {
    const fn bytes(self) -> &'static [u8] {
        match self {
            Self::CrLf => b"\r\n",
            Self::Lf => b"\n",
        }
    }
}

/// Writes rows of CSV. The output receives whole rows: one that escapes control characters for a terminal accepts no
/// parts of characters.
pub struct CsvWriter<W> {
    out: W,
    line_end: CsvLineEnd,
    line: Vec<u8>,
}

impl<W: Write> CsvWriter<W> {
    /// Writes rows to `out`.
    pub const fn new(out: W, line_end: CsvLineEnd) -> Self {
        Self { out, line_end, line: Vec::new() }
    }

    /// Writes a row.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn row(&mut self, fields: impl IntoIterator<Item = impl AsRef<[u8]>>) -> io::Result<()> {
        self.line.clear();
        for (number, field) in fields.into_iter().enumerate() {
            if number > 0 {
                self.line.push(b',');
            }
            push(&mut self.line, field.as_ref());
        }
        self.line.extend_from_slice(self.line_end.bytes());
        self.out.write_all(&self.line)
    }
}

/// Appends a field, with quotes if it contains a separator, a quote or a line break.
fn push(line: &mut Vec<u8>, field: &[u8]) {
    if memchr::memchr3(b',', b'\r', b'\n', field).is_none() && memchr::memchr(b'"', field).is_none() {
        return line.extend_from_slice(field);
    }
    line.push(b'"');
    let mut rest = field;
    while let Some(quote) = memchr::memchr(b'"', rest) {
        line.extend_from_slice(&rest[..=quote]);
        line.push(b'"');
        rest = &rest[quote + 1..];
    }
    line.extend_from_slice(rest);
    line.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(line_end: CsvLineEnd, rows: &[&[&str]]) -> String {
        let mut out = Vec::new();
        let mut csv = CsvWriter::new(&mut out, line_end);
        rows.iter().for_each(|row| csv.row(*row).expect("memory"));
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn fields_are_quoted_if_necessary() {
        let row: &[&str] = &["plain", "a,b", "say \"x\"", "two\r\nlines", "", " x ", "a\tb", "#c", "-1.5", "c\r"];
        let expected = "plain,\"a,b\",\"say \"\"x\"\"\",\"two\r\nlines\",, x ,a\tb,#c,-1.5,\"c\r\"";
        assert_eq!(written(CsvLineEnd::Lf, &[row]), format!("{expected}\n"));
        assert_eq!(written(CsvLineEnd::CrLf, &[row, &["7", ""]]), format!("{expected}\r\n7,\r\n"));
    }

    #[test]
    fn an_empty_field_is_never_quoted() {
        assert_eq!(written(CsvLineEnd::CrLf, &[&["a"], &[""], &["\"\""]]), "a\r\n\r\n\"\"\"\"\"\"\r\n");
        assert_eq!(written(CsvLineEnd::Lf, &[&[""], &["", ""], &["b"]]), "\n,\nb\n");
    }

    #[test]
    fn the_output_receives_whole_rows() {
        struct Rows(Vec<Vec<u8>>);
        impl Write for Rows {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0.push(bytes.to_owned());
                Ok(bytes.len())
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        // So long that a second look at each part of it would be noticed.
        let long = "ö".repeat(20_000_001);
        let mut rows = Rows(Vec::new());
        let mut csv = CsvWriter::new(&mut rows, CsvLineEnd::Lf);
        csv.row([&long]).expect("memory");
        csv.row(["a", "b"]).expect("memory");
        assert!(rows.0 == [format!("{long}\n").into_bytes(), b"a,b\n".to_vec()]);
    }

    #[test]
    fn errors_of_the_output_keep_their_kind() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let written = CsvWriter::new(Closed, CsvLineEnd::Lf).row(["text"]);
        assert_eq!(written.expect_err("closed").kind(), io::ErrorKind::BrokenPipe);
    }
}
