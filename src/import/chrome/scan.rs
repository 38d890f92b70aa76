//! The outermost layer of a trace: an array of events, or an object that holds one beside other things.

use super::batch::Batch;
use super::list::{self, Stop};
use crate::import::Progress;
use crate::profile::json::{Cursor, JsonError, Kind, Problem};
use crate::profile::{WarningKind, Warnings};

/// Walks the top level.
struct Scan<'p, F> {
    size: usize,
    progress: &'p Progress,
    /// Gets the events, in file order.
    consume: F,
    /// Other members of the top level: name, and place of the value.
    parts: Vec<(String, u64)>,
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

/// Reads all events, in chunks of `size` bytes, and gives them away in file order. Returns the other members of the top
/// level: name, and place of the value.
pub(super) fn scan<'a>(
    mut cursor: Cursor<'a>,
    size: usize,
    progress: &Progress,
    warnings: &mut Warnings,
    consume: impl FnMut(&mut Batch<'a>) + Send,
) -> Vec<(String, u64)> {
    let mut scan = Scan { size, progress, consume, parts: Vec::new() };
    let is_array = matches!(cursor.peek(), Ok(Kind::Array));
    let result = if is_array { scan.list(&mut cursor, true) } else { scan.object(&mut cursor) };
    if let Err(error) = result {
        let cut = matches!(error.problem, Problem::Truncated);
        let kind = if cut { WarningKind::Truncated } else { WarningKind::BrokenJson };
        warnings.add(kind, || error.to_string());
    }
    scan.parts
}

impl<'a, F: FnMut(&mut Batch<'a>) + Send> Scan<'_, F> {
    fn object(&mut self, cursor: &mut Cursor<'a>) -> Result<(), JsonError> {
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            let kind = cursor.peek()?;
            if key.bytes == b"traceEvents" && kind == Kind::Array {
                self.list(cursor, false)?;
            } else {
                self.parts.push((key.decode(), cursor.offset() as u64));
                cursor.skip_value()?;
            }
        }
        Ok(())
    }

    /// Reads a list; one that is cut between two events is whole where the format lets the bracket be left out.
    fn list(&mut self, cursor: &mut Cursor<'a>, may_be_open: bool) -> Result<(), JsonError> {
        cursor.enter_array()?;
        let text = cursor.text();
        let stop = list::read(text, cursor.offset(), self.size, self.progress, &mut self.consume);
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
