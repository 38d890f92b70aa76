//! A buffered writer for packets.

use std::io::{self, Write};

use super::protobuf::Message;

/// Number of bytes to buffer before writing.
const CHUNK: usize = 1 << 18;

/// A buffer in front of a writer.
pub(super) struct Output<W: Write> {
    bytes: Vec<u8>,
    out: W,
}

impl<W: Write> Output<W> {
    pub(super) fn new(out: W) -> Self {
        Self { bytes: Vec::with_capacity(2 * CHUNK), out }
    }

    pub(super) fn packet(&mut self, packet: &Message) -> io::Result<()> {
        let mut framed = Message::default();
        framed.message(1, packet);
        self.bytes.extend(framed.bytes());
        if self.bytes.len() >= CHUNK { self.flush() } else { Ok(()) }
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }
}
