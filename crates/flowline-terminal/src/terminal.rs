//! All output to the terminal goes through this module. Recordings and file names may contain anything, and terminals
//! interpret control characters, so those are written in the form `\u001b`, which JSON readers convert back.
//!
//! The module escapes C0 (except the line feeds that end lines), DEL, C1, characters that change the text direction,
//! and bytes that are not valid UTF-8. In JSON, these occur only within strings, so the output stays valid.

use std::fmt::{Arguments, Write as _};
use std::io::{BufWriter, IsTerminal as _, StdoutLock, Write};

/// Returns true if a terminal may interpret a character, or reorder the text after it.
const fn is_control(character: char) -> bool {
    matches!(character,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}')
}

/// Returns true for printable ASCII and line feeds, which most output consists of.
fn is_plain(bytes: &[u8]) -> bool {
    // Without an early exit, the loop is vectorized.
    bytes.iter().fold(true, |plain, byte| plain & (matches!(byte, b' '..=b'~') | (*byte == b'\n')))
}

/// Appends text with escaped control characters, including line feeds.
fn escape_into(out: &mut String, text: &str) {
    for character in text.chars() {
        if is_control(character) {
            // Writing to a string cannot fail.
            let _infallible = write!(out, "\\u{:04x}", u32::from(character));
        } else {
            out.push(character);
        }
    }
}

/// Escapes a file name or a text of a recording for one line of a terminal.
#[must_use]
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape_into(&mut out, text);
    out
}

/// A writer that escapes its input, except for line feeds.
#[derive(Debug)]
struct Escaping<W>(W);

impl<W: Write> Write for Escaping<W> {
    /// Writes all bytes or none; `bytes` must end at a character boundary, as formatted text does.
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if is_plain(bytes) {
            self.0.write_all(bytes)?;
            return Ok(bytes.len());
        }
        let mut out = String::with_capacity(bytes.len() + bytes.len() / 8);
        for chunk in bytes.utf8_chunks() {
            for (number, line) in chunk.valid().split('\n').enumerate() {
                if number > 0 {
                    out.push('\n');
                }
                escape_into(&mut out, line);
            }
            for byte in chunk.invalid() {
                let _infallible = write!(out, "\\u{byte:04x}");
            }
        }
        self.0.write_all(out.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

/// Buffered standard output, escaped.
#[derive(Debug)]
pub struct Output(BufWriter<Escaping<StdoutLock<'static>>>);

impl Output {
    /// Locks standard output until this is dropped.
    #[must_use]
    pub fn new() -> Self {
        Self(BufWriter::with_capacity(1 << 16, Escaping(std::io::stdout().lock())))
    }
}

impl Default for Output {
    fn default() -> Self {
        Self::new()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

/// Returns buffered standard output that escapes only on a terminal.
#[must_use]
pub fn bytes_output() -> Box<dyn Write> {
    let out = std::io::stdout();
    if out.is_terminal() { Box::new(Output::new()) } else { Box::new(BufWriter::with_capacity(1 << 16, out.lock())) }
}

/// Returns true if standard output is a terminal.
#[must_use]
pub fn is_terminal() -> bool {
    std::io::stdout().is_terminal()
}

/// Returns standard output for binary data.
#[must_use]
pub fn binary_output() -> Box<dyn Write> {
    Box::new(std::io::stdout().lock())
}

/// Returns standard output for lines of several threads, escaped on a terminal.
#[must_use]
pub fn unlocked_output() -> Box<dyn Write + Send> {
    let out = std::io::stdout();
    if out.is_terminal() { Box::new(Escaping(out)) } else { Box::new(out) }
}

/// Returns the file behind standard output, if the system provides it.
#[must_use]
pub fn output_file() -> Option<std::fs::File> {
    #[cfg(unix)]
    return std::os::fd::AsFd::as_fd(&std::io::stdout()).try_clone_to_owned().ok().map(std::fs::File::from);
    #[cfg(not(unix))]
    None
}

/// Returns standard output for a table; a machine-readable table is escaped only on a terminal.
#[must_use]
pub fn table_output(is_file: bool) -> Box<dyn Write> {
    if is_file { bytes_output() } else { Box::new(Output::new()) }
}

/// Writes one line of text. Line feeds in it are escaped as well, so that text of a recording cannot imitate a line of
/// the program.
///
/// # Errors
/// If the line cannot be written.
pub fn line(out: &mut impl Write, text: Arguments<'_>) -> std::io::Result<()> {
    let mut line = visible(&text.to_string());
    line.push('\n');
    out.write_all(line.as_bytes())
}

/// Writes one line to standard error.
pub fn error_line(text: &str) {
    // If standard error is closed, the message is lost.
    let _closed = line(&mut std::io::stderr().lock(), format_args!("{text}"));
}

/// Writes several lines to standard error.
pub fn error_text(text: &str) {
    let mut out = Escaping(std::io::stderr().lock());
    let _closed = out.write_all(text.as_bytes());
}

/// Replaces a line of status on standard error, which is a terminal; an empty text removes it.
pub fn status_line(text: &str) {
    let mut out = std::io::stderr().lock();
    // Without a reader, nobody misses the status.
    let _closed = write!(out, "\r{}\u{1b}[K", visible(text)).and_then(|()| out.flush());
}

/// Returns true if standard error is a terminal.
#[must_use]
pub fn has_terminal() -> bool {
    std::io::stderr().is_terminal()
}

/// Escapes panic messages as well, because they may quote a recording.
pub fn escape_panics(program: &'static str) {
    std::panic::set_hook(Box::new(move |panic| {
        let thread = std::thread::current();
        error_line(&format!("{program}: internal error in thread {}: {panic}", thread.name().unwrap_or("(unnamed)")));
        let trace = std::backtrace::Backtrace::capture();
        match trace.status() {
            std::backtrace::BacktraceStatus::Captured => error_text(&format!("{trace}\n")),
            _ => error_line(&format!("{program}: please report this error; RUST_BACKTRACE=1 prints a backtrace")),
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &[u8]) -> String {
        let mut out = Vec::new();
        Escaping(&mut out).write_all(text).expect("memory");
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(written(b"\x1b[31mred\x07\r\n\t\x7f"), "\\u001b[31mred\\u0007\\u000d\n\\u0009\\u007f");
        assert_eq!(written("\u{9b}31m \u{202e}x\u{2066}\u{200f}\u{61c}".as_bytes()), {
            "\\u009b31m \\u202ex\\u2066\\u200f\\u061c"
        });
        assert_eq!(written(b"a\x9b31m\xff\xc2"), "a\\u009b31m\\u00ff\\u00c2");
        assert_eq!(visible("one\ntwo\u{85}"), "one\\u000atwo\\u0085");
    }

    #[test]
    fn other_text_is_unchanged() {
        let text = "plain\n{\"a\": [1]} é ß • – “q” 日本 😀 نص\n";
        assert_eq!(written(text.as_bytes()), text);
    }

    #[test]
    fn json_stays_the_same_value() {
        let value = serde_json::json!({"a\u{1b}\u{9b}": "\u{202e}\\\u{7f}\n\t\u{2028}"});
        let text = written(value.to_string().as_bytes());
        assert!(text.is_ascii());
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).expect("JSON"), value);
    }
}
