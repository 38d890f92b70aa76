//! The outermost layer of a trace: an array of events, or an object that holds one beside other things.

use super::batch::Batch;
use super::list::{self, Stop};
use crate::import::Progress;
use crate::import::source::Text;
use crate::profile::json::{Cursor, JsonError, Kind, Problem};
use crate::profile::{WarningKind, Warnings};

/// Walks the top level.
struct Scan<'a, 'p, F> {
    text: &'a Text,
    size: usize,
    progress: &'p Progress,
    /// Gets the events, in file order.
    consume: F,
    /// Other members of the top level: name, and place of the value.
    parts: Vec<(String, u64)>,
}

/// Whether the text begins a trace: an array, or an object that has a list of events before anything that belongs to a
/// Firefox profile. Looks as far as it must and no farther than the text has arrived.
pub(in crate::import) fn is_arriving(text: &Text) -> bool {
    let mut wanted = 1 << 16;
    loop {
        let (arrived, complete) = text.upto(wanted);
        match is_trace(arrived) {
            Some(is_trace) => return is_trace,
            None if complete => return false,
            None => wanted = (arrived.len() + 1) * 2,
        }
    }
}

/// `None` if the text ends before that can be told.
fn is_trace(text: &[u8]) -> Option<bool> {
    let start = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mut cursor = Cursor::at(text, start);
    let undecided = |error: JsonError| if error.problem == Problem::Truncated { None } else { Some(false) };
    match cursor.peek() {
        Ok(Kind::Array) => return Some(true),
        Ok(Kind::Object) => {}
        Ok(_) => return Some(false),
        Err(error) => return undecided(error),
    }
    if let Err(error) = cursor.enter_object() {
        return undecided(error);
    }
    loop {
        let key = match cursor.next_key() {
            Ok(Some(key)) => key,
            Ok(None) => return Some(false),
            Err(error) => return undecided(error),
        };
        match key.bytes {
            b"traceEvents" => match cursor.peek() {
                Ok(kind) => return Some(kind == Kind::Array),
                Err(error) => return undecided(error),
            },
            b"meta" | b"libs" | b"threads" | b"shared" | b"processes" => return Some(false),
            _ => {}
        }
        if let Err(error) = cursor.skip_value() {
            return undecided(error);
        }
    }
}

/// Reads all events, in chunks of `size` bytes, and gives them away in file order, until `consume` says no. Returns the
/// other members of the top level: name, and place of the value.
pub(super) fn scan<'a>(
    text: &'a Text,
    size: usize,
    progress: &Progress,
    warnings: &mut Warnings,
    consume: impl FnMut(&mut Batch<'a>) -> bool + Send,
) -> Vec<(String, u64)> {
    let mut scan = Scan { text, size, progress, consume, parts: Vec::new() };
    let arrived = text.upto(1 << 16).0;
    let start = if arrived.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mut cursor = Cursor::at(arrived, start);
    let is_array = matches!(cursor.peek(), Ok(Kind::Array));
    let result = if is_array { scan.list(&mut cursor, true) } else { scan.object(&mut cursor) };
    if let Err(error) = result {
        let cut = matches!(error.problem, Problem::Truncated);
        let kind = if cut { WarningKind::Truncated } else { WarningKind::BrokenJson };
        warnings.add(kind, || error.to_string());
    }
    scan.parts
}

impl<'a, F: FnMut(&mut Batch<'a>) -> bool + Send> Scan<'a, '_, F> {
    fn object(&mut self, cursor: &mut Cursor<'a>) -> Result<(), JsonError> {
        cursor.enter_object()?;
        while let Some((name, kind)) = self.text.patient(cursor, |cursor| {
            let Some(key) = cursor.next_key()? else { return Ok(None) };
            Ok(Some((key, cursor.peek()?)))
        })? {
            if name.bytes == b"traceEvents" && kind == Kind::Array {
                self.list(cursor, false)?;
            } else {
                self.parts.push((name.decode(), cursor.offset() as u64));
                self.text.patient(cursor, Cursor::skip_value)?;
            }
        }
        Ok(())
    }

    /// Reads a list; one that is cut between two events is whole where the format lets the bracket be left out.
    fn list(&mut self, cursor: &mut Cursor<'a>, may_be_open: bool) -> Result<(), JsonError> {
        cursor.enter_array()?;
        let stop = list::read(self.text, cursor.offset(), self.size, self.progress, &mut self.consume);
        // By now nothing more is to come, or the list has ended before.
        let text = self.text.upto(0).0;
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
