//! Holds back the start of a part until it is known that the part can be opened.
//!
//! The parts of damaged or nearly empty recordings can lack everything by which their format is recognized. Such parts are
//! small, so short parts are read completely before any of their bytes are written, and long ones are not read.

use std::io::{self, Write};
use std::sync::Arc;

use super::scope::CutError;
use crate::open::read;
use crate::progress::Progress;

/// Longer parts are written without being read.
const MAX_READ: usize = 1 << 22;

/// A writer that holds back short parts.
pub(super) struct ReadableOnly<'a> {
    out: &'a mut dyn Write,
    held: Vec<u8>,
    is_long: bool,
}

impl<'a> ReadableOnly<'a> {
    pub(super) fn new(out: &'a mut dyn Write) -> Self {
        Self { out, held: Vec::new(), is_long: false }
    }

    /// Writes the part if it can be opened.
    pub(super) fn finish(self) -> Result<(), CutError> {
        if !self.is_long {
            let part: Arc<[u8]> = self.held.into();
            read(Arc::clone(&part), &Progress::default()).map_err(CutError::Unreadable)?;
            self.out.write_all(&part)?;
        }
        Ok(self.out.flush()?)
    }
}

impl Write for ReadableOnly<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.is_long && self.held.len() + bytes.len() > MAX_READ {
            self.is_long = true;
            self.out.write_all(&std::mem::take(&mut self.held))?;
        }
        if self.is_long {
            return self.out.write(bytes);
        }
        self.held.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.is_long { self.out.flush() } else { Ok(()) }
    }
}
