//! The text of a recording, complete or still being decompressed.

use std::sync::Arc;

use super::spool::SpooledText;
use flowline_profile::Source;

/// The text of a recording.
#[derive(Debug)]
pub(crate) enum Text {
    /// The complete text.
    Complete(Source),
    /// Text that is still being decompressed.
    Spooled(Arc<SpooledText>),
    /// The first `length` bytes of `source`, which is the complete text or its decompressed beginning.
    Partial {
        /// Text of at least `length` bytes.
        source: Source,
        /// Number of bytes to read.
        length: usize,
    },
}

impl Text {
    /// Waits until more than `offset` bytes are available or the text is complete. Returns the available text, and
    /// whether it is complete.
    pub(crate) fn available_after(&self, offset: usize) -> (&[u8], bool) {
        match self {
            Self::Complete(source) => (source.bytes(), true),
            Self::Spooled(spooled) => spooled.available_after(offset),
            Self::Partial { source, length } => (&source.bytes()[..*length], true),
        }
    }

    /// Returns the source of a partial text if the source continues after the part.
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
