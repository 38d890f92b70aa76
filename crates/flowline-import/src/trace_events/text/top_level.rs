//! The top level of a trace: an array of events, an object with such an array among other members, JSON Lines (one event
//! after the other), or messages with such arrays.

use super::batch::Batch;
use super::event_list::{self, Stop};
use super::far_times::{self, Origin};
use super::messages;
use crate::io::text::Text;
use crate::json_rest::{warn_of_escapes, warn_of_rest};
use crate::progress::Progress;
use crate::text_start::json_start;
use flowline_json::{Cursor, JsonError, Kind, Problem};
use flowline_profile::{WarningKind, Warnings};

/// Reader of the top level.
struct TopLevel<'a, 'p, F> {
    text: &'a Text,
    size: usize,
    progress: &'p Progress,
    /// Receiver of the events in file order.
    consume: F,
    /// Other top-level members: name, and byte offset of the value.
    parts: Vec<(String, u64)>,
    warnings: Warnings,
    /// True if the end of the trace was read.
    is_closed: bool,
    /// The origin of the trace, after the start of its first list was read.
    origin: Option<Option<Origin>>,
}

/// Reads all events in chunks of `size` bytes, and passes them to `consume` in file order until it returns `false`.
/// Returns the other top-level members: name, and byte offset of the value.
pub(in crate::trace_events) fn read<'a>(
    text: &'a Text,
    size: usize,
    progress: &Progress,
    warnings: &mut Warnings,
    consume: impl FnMut(&mut Batch<'a>) -> bool + Send,
) -> Vec<(String, u64)> {
    let mut top_level = TopLevel {
        text,
        size,
        progress,
        consume,
        parts: Vec::new(),
        warnings: Warnings::default(),
        is_closed: false,
        origin: None,
    };
    let mut cursor = json_start(text.available_after(1 << 16).0);
    let is_array = matches!(cursor.peek(), Ok(Kind::Array));
    let result = if messages::are_at(cursor) == Ok(true) {
        top_level.messages(cursor.offset())
    } else if is_array {
        top_level.list(&mut cursor, true)
    } else if text.retry_when_grown(&mut { cursor }, is_event) == Ok(true) {
        top_level.lines(cursor.offset())
    } else {
        top_level.object(&mut cursor)
    };
    warnings.merge(std::mem::take(&mut top_level.warnings));
    if top_level.is_closed && text.beyond_part().is_none() {
        warn_of_rest(text.available_after(usize::MAX).0, cursor.offset(), warnings);
    }
    if let Err(error) = result {
        let cut = matches!(error.problem, Problem::Truncated);
        let kind = if cut { WarningKind::Truncated } else { WarningKind::BrokenJson };
        warnings.add(kind, || error.to_string());
    }
    top_level.parts
}

/// Returns true if the object at the cursor is an event, not a trace.
pub(in crate::trace_events) fn is_event(cursor: &mut Cursor<'_>) -> Result<bool, JsonError> {
    cursor.enter_object()?;
    while let Some(key) = cursor.next_key()? {
        match key.bytes {
            b"ph" => return Ok(cursor.peek()? == Kind::String),
            b"traceEvents" => return Ok(false),
            _ => cursor.skip_value()?,
        }
    }
    Ok(false)
}

impl<'a, F: FnMut(&mut Batch<'a>) -> bool + Send> TopLevel<'a, '_, F> {
    fn object(&mut self, cursor: &mut Cursor<'a>) -> Result<(), JsonError> {
        cursor.enter_object()?;
        while let Some((name, kind)) = self.text.retry_when_grown(cursor, |cursor| {
            let Some(key) = cursor.next_key()? else { return Ok(None) };
            Ok(Some((key, cursor.peek()?)))
        })? {
            if name.bytes == b"traceEvents" && kind == Kind::Array {
                self.list(cursor, false)?;
            } else {
                let start = cursor.offset();
                self.parts.push((name.decode(), start as u64));
                self.text.retry_when_grown(cursor, Cursor::skip_value)?;
                warn_of_escapes(cursor.text(), start..cursor.offset(), &mut self.warnings);
            }
        }
        self.is_closed = !self.progress.is_cancelled();
        Ok(())
    }

    /// Reads the events from an offset on.
    fn events(&mut self, start: usize) -> Stop {
        let origin = self.origin_at(start);
        event_list::read(self.text, start, self.size, origin, self.progress, &mut self.consume)
    }

    /// Returns the origin of the trace, whose first events are at an offset.
    fn origin_at(&mut self, start: usize) -> Option<Origin> {
        let look = || Origin::of(self.text.available_after(start + far_times::LOOK).0, start);
        let is_first = self.origin.is_none();
        let origin = *self.origin.get_or_insert_with(look);
        if let Some(Origin(micros)) = origin.filter(|_| is_first) {
            self.warnings.add(WarningKind::FarTimes, || format!("the time origin is {micros} us on the input's clock"));
        }
        origin
    }

    /// Reads the events in consecutive messages from an offset on.
    fn messages(&mut self, start: usize) -> Result<(), JsonError> {
        let text = self.text.available_after(usize::MAX).0;
        let mut lists = Vec::new();
        let end = messages::lists(&mut Cursor::at(text, start), &mut lists);
        let origin = lists.first().and_then(|first| self.origin_at(first.start));
        event_list::read_lists(text, &lists, origin, self.progress, &mut self.consume);
        end
    }

    /// Reads consecutive events from an offset on, as the elements of a list that never closes.
    fn lines(&mut self, start: usize) -> Result<(), JsonError> {
        match self.events(start) {
            Stop::Closed(after) => Err(JsonError { offset: after - 1, problem: Problem::Unexpected(b']') }),
            Stop::Broken(error) => Err(error),
            Stop::Cut { inside: true } => {
                Err(JsonError { offset: self.text.available_after(0).0.len(), problem: Problem::Truncated })
            }
            Stop::Next(_) | Stop::Cut { inside: false } | Stop::Cancelled => Ok(()),
        }
    }

    /// Reads a list. If `may_be_open` is true, the closing bracket may be missing.
    fn list(&mut self, cursor: &mut Cursor<'a>, may_be_open: bool) -> Result<(), JsonError> {
        cursor.enter_array()?;
        let stop = self.events(cursor.offset());
        // The text is complete now, or the list ended before the end of the text.
        let text = self.text.available_after(0).0;
        match stop {
            Stop::Closed(after) => {
                *cursor = Cursor::at(text, after);
                self.is_closed = may_be_open;
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
