//! The text of a recording, complete or still being unpacked.

use std::sync::Arc;

use super::spool::SpooledText;
use flowline_profile::Source;

/// The text of a recording.
#[derive(Debug)]
pub(crate) enum Text {
    /// All of it.
    Complete(Source),
    /// Text that is still being unpacked.
    Spooled(Arc<SpooledText>),
    /// The first `length` bytes of `source`, which is the complete text or as much of it as is unpacked.
    Partial {
        /// At least the first `length` bytes.
        source: Source,
        /// Bytes to read.
        length: usize,
    },
}

impl Text {
    /// Waits until more than `offset` bytes are available, or all. Returns the available text, and whether it is complete.
    pub(crate) fn available_after(&self, offset: usize) -> (&[u8], bool) {
        match self {
            Self::Complete(source) => (source.bytes(), true),
            Self::Spooled(spooled) => spooled.available_after(offset),
            Self::Partial { source, length } => (&source.bytes()[..*length], true),
        }
    }

    /// Of a partial text, the source if it goes on after the part.
    pub(crate) fn beyond_part(&self) -> Option<&[u8]> {
        match self {
            Self::Partial { source, length } if source.bytes().len() > *length => Some(source.bytes()),
            _ => None,
        }
    }

    /// Runs a step. If it fails because the text ends, waits for more text and runs it again.
    pub(crate) fn retry_when_grown<'a, T>(
        &'a self,
        cursor: &mut flowline_json::Cursor<'a>,
        step: impl Fn(&mut flowline_json::Cursor<'a>) -> Result<T, flowline_json::JsonError>,
    ) -> Result<T, flowline_json::JsonError> {
        loop {
            let before = *cursor;
            let known = before.text().len();
            match step(cursor) {
                Err(_) if self.available_after(known).0.len() > known => {
                    *cursor = flowline_json::Cursor::at(self.available_after((known + 1) * 2).0, before.offset());
                }
                result => return result,
            }
        }
    }
}

impl Drop for Text {
    fn drop(&mut self) {
        if let Self::Spooled(spooled) = self {
            spooled.abandon();
        }
    }
}
