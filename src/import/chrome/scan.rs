//! The outermost layer of a trace: an array of events, or an object that holds one beside other things.

use super::event::Batch;
use super::list::{self, Stop};
use crate::import::Progress;
use crate::profile::json::{Cursor, JsonError, Kind, Problem};
use crate::profile::{WarningKind, Warnings};

/// What a trace consists of.
#[derive(Default)]
pub(super) struct Outline<'a> {
    /// The events, in file order.
    pub(super) batches: Vec<Batch<'a>>,
    /// Other members of the top level: name, and place of the value.
    pub(super) parts: Vec<(String, u64)>,
}

/// Whether the value at a cursor is a trace: an array, or an object that has a list of events before anything that
/// belongs to a Firefox profile.
pub(in crate::import) fn is_trace(mut cursor: Cursor<'_>) -> bool {
    if matches!(cursor.peek(), Ok(Kind::Array)) {
        return true;
    }
    if cursor.enter_object().is_err() {
        return false;
    }
    while let Ok(Some(key)) = cursor.next_key() {
        match key.bytes {
            b"traceEvents" => return matches!(cursor.peek(), Ok(Kind::Array)),
            b"meta" | b"libs" | b"threads" | b"shared" | b"processes" => return false,
            _ => {}
        }
        if cursor.skip_value().is_err() {
            return false;
        }
    }
    false
}

/// Reads all events, in chunks of `size` bytes.
pub(super) fn scan<'a>(
    mut cursor: Cursor<'a>,
    size: usize,
    progress: &Progress,
    warnings: &mut Warnings,
) -> Outline<'a> {
    let mut outline = Outline::default();
    let is_array = matches!(cursor.peek(), Ok(Kind::Array));
    let result = if is_array {
        outline.list(&mut cursor, size, progress, true, warnings)
    } else {
        outline.object(&mut cursor, size, progress, warnings)
    };
    if let Err(error) = result {
        let cut = matches!(error.problem, Problem::Truncated);
        let kind = if cut { WarningKind::Truncated } else { WarningKind::BrokenJson };
        warnings.add(kind, || error.to_string());
    }
    outline
}

impl<'a> Outline<'a> {
    fn object(
        &mut self,
        cursor: &mut Cursor<'a>,
        size: usize,
        progress: &Progress,
        warnings: &mut Warnings,
    ) -> Result<(), JsonError> {
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            let kind = cursor.peek()?;
            if key.bytes == b"traceEvents" && kind == Kind::Array {
                self.list(cursor, size, progress, false, warnings)?;
            } else {
                self.parts.push((key.decode(), cursor.offset() as u64));
                cursor.skip_value()?;
            }
        }
        Ok(())
    }

    /// Reads a list; one that is cut between two events is whole where the format lets the bracket be left out.
    fn list(
        &mut self,
        cursor: &mut Cursor<'a>,
        size: usize,
        progress: &Progress,
        may_be_open: bool,
        warnings: &mut Warnings,
    ) -> Result<(), JsonError> {
        cursor.enter_array()?;
        let text = cursor.text();
        let (batches, stop) = list::read(text, cursor.offset(), size, progress);
        for mut batch in batches {
            warnings.merge(std::mem::take(&mut batch.warnings));
            self.batches.push(batch);
        }
        match stop {
            Stop::Closed(after) => {
                *cursor = Cursor::at(text, after);
                Ok(())
            }
            Stop::Cut { inside: false } if may_be_open => {
                *cursor = Cursor::at(text, text.len());
                Ok(())
            }
            Stop::Next(_) | Stop::Cut { .. } => Err(JsonError { offset: text.len(), problem: Problem::Truncated }),
            Stop::Broken(error) => Err(error),
            Stop::Cancelled => Ok(()),
        }
    }
}
