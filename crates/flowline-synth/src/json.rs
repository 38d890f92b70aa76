//! A buffered JSON writer optimized for many small numbers.
//!
//! Text is appended to a buffer and written in large pieces. An error of the underlying writer is stored and returned
//! by the next [`Output::check`], so the code that describes markers needs no error handling.

use std::io::{self, Write};

/// Number of bytes to buffer before writing.
const CHUNK: usize = 1 << 18;

/// Nanoseconds on the clock of a recording (or of one of its processes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Nanos(pub(super) u64);

impl Nanos {
    pub(super) const fn from_us(us: u64) -> Self {
        Self(us * 1_000)
    }

    pub(super) const fn plus(self, ns: u64) -> Self {
        Self(self.0.saturating_add(ns))
    }

    pub(super) const fn minus(self, ns: u64) -> Self {
        Self(self.0.saturating_sub(ns))
    }
}

/// A buffer in front of a writer.
#[derive(Debug)]
pub(super) struct Output<W: Write> {
    buffer: Vec<u8>,
    inner: W,
    error: Option<io::Error>,
}

impl<W: Write> Output<W> {
    pub(super) fn new(inner: W) -> Self {
        Self { buffer: Vec::with_capacity(CHUNK + CHUNK / 4), inner, error: None }
    }

    /// Appends text that is already JSON.
    pub(super) fn raw(&mut self, text: &str) -> &mut Self {
        self.buffer.extend_from_slice(text.as_bytes());
        if self.buffer.len() >= CHUNK {
            self.flush();
        }
        self
    }

    /// Appends a quoted and escaped string.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        self.buffer.push(b'"');
        if text.bytes().all(|byte| byte >= 0x20 && byte != b'"' && byte != b'\\') {
            self.buffer.extend_from_slice(text.as_bytes());
        } else {
            text.bytes().for_each(|byte| self.escaped(byte));
        }
        self.buffer.push(b'"');
        self
    }

    fn escaped(&mut self, byte: u8) {
        match byte {
            b'"' | b'\\' => self.buffer.extend_from_slice(&[b'\\', byte]),
            0..0x20 => self.buffer.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            // The bytes of multi-byte characters are unchanged.
            _ => self.buffer.push(byte),
        }
    }

    pub(super) fn int(&mut self, value: u64) -> &mut Self {
        let mut digits = [b'0'; 20];
        let mut at = digits.len();
        let mut rest = value;
        loop {
            at -= 1;
            digits[at] = digit(rest % 10);
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.buffer.extend_from_slice(&digits[at..]);
        self
    }

    /// Appends a time or length as decimal milliseconds, exact to the nanosecond.
    pub(super) fn ms(&mut self, time: Nanos) -> &mut Self {
        self.int(time.0 / 1_000_000);
        self.fraction(time.0 % 1_000_000, 6);
        self
    }

    /// Appends a time or length as decimal microseconds, exact to the nanosecond.
    pub(super) fn us(&mut self, time: Nanos) -> &mut Self {
        self.int(time.0 / 1_000);
        self.fraction(time.0 % 1_000, 3);
        self
    }

    /// Appends a quoted id of 17 hexadecimal digits, like Firefox; this is more than 64 bits.
    pub(super) fn flow_id(&mut self, id: u64) -> &mut Self {
        self.buffer.extend_from_slice(b"\"1");
        for shift in (0..16).rev() {
            let nibble = (id >> (shift * 4)) & 15;
            self.buffer.push(if nibble < 10 { digit(nibble) } else { b'a' + (digit(nibble - 10) - b'0') });
        }
        self.buffer.push(b'"');
        self
    }

    fn fraction(&mut self, mut value: u64, mut places: usize) {
        if value == 0 {
            return;
        }
        while value.is_multiple_of(10) {
            value /= 10;
            places -= 1;
        }
        let mut digits = [b'0'; 8];
        for slot in digits[..places].iter_mut().rev() {
            *slot = digit(value % 10);
            value /= 10;
        }
        self.buffer.push(b'.');
        self.buffer.extend_from_slice(&digits[..places]);
    }

    fn flush(&mut self) {
        if self.error.is_none()
            && let Err(error) = self.inner.write_all(&self.buffer)
        {
            self.error = Some(error);
        }
        self.buffer.clear();
    }

    /// Returns a stored error of the underlying writer once.
    pub(super) fn check(&mut self) -> io::Result<()> {
        self.error.take().map_or(Ok(()), Err)
    }

    /// Writes the remaining bytes and flushes the underlying writer.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.flush();
        self.check()?;
        self.inner.flush()
    }
}

/// Returns the ASCII digit of a value below 10.
fn digit(value: u64) -> u8 {
    b'0' + u8::try_from(value).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_text_are_exact() {
        let mut bytes = Vec::new();
        let mut output = Output::new(&mut bytes);
        output.int(0).raw(" ").int(u64::MAX).raw(" ");
        output.ms(Nanos(1_000_001)).raw(" ").ms(Nanos(250_000)).raw(" ").ms(Nanos(7_000_000));
        output.raw(" ").us(Nanos(12_050)).raw(" ").flow_id(0x81b0_70eb_1133_7cb0).raw(" ").text("a\"\\\n\u{e9}");
        output.finish().unwrap();
        assert_eq!(
            String::from_utf8(bytes).unwrap(),
            "0 18446744073709551615 1.000001 0.25 7 12.05 \"181b070eb11337cb0\" \"a\\\"\\\\\\u000a\u{e9}\""
        );
    }
}
