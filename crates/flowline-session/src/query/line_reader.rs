//! Reads lines of limited length.

use std::io::{self, BufRead, ErrorKind};

use memchr::memchr;

/// A line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Its text without the line break.
    Text(Vec<u8>),
    /// It is longer than the limit and was skipped.
    TooLong,
}

/// The next line; `None` at the end of the input. An unfinished last line counts as the end: its writer died.
///
/// # Errors
/// Errors of the reader.
pub(super) fn next_line(reader: &mut dyn BufRead, limit: usize) -> io::Result<Option<Line>> {
    let (mut line, mut is_too_long) = (Vec::new(), false);
    loop {
        let available = match reader.fill_buf() {
            Ok([]) => return Ok(None),
            Ok(available) => available,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = memchr(b'\n', available);
        let part = &available[..end.unwrap_or(available.len())];
        if is_too_long || line.len() + part.len() > limit {
            is_too_long = true;
            line = Vec::new();
        } else {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        reader.consume(used);
        if end.is_some() {
            return Ok(Some(if is_too_long { Line::TooLong } else { Line::Text(line) }));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn long_lines_are_skipped_and_unfinished_ones_end_the_input() {
        let text = b"ab\n\nabcdefgh\nc\nunfinished";
        for capacity in [1, 3, 100] {
            let mut reader = BufReader::with_capacity(capacity, &text[..]);
            let mut lines = Vec::new();
            while let Some(line) = next_line(&mut reader, 5).expect("memory is readable") {
                lines.push(line);
            }
            let text = |text: &str| Line::Text(text.into());
            assert_eq!(lines, [text("ab"), text(""), Line::TooLong, text("c")]);
        }
    }
}
