//! Copies the kept events.

use std::cell::Cell;
use std::io::{self, Write};

use super::{notes, selection};
use crate::cut::{CutError, CutScope};
use crate::json_copy::{JsonCopy, Stop};
use crate::progress::{Phase, Progress};
use crate::text_start::json_start;
use crate::trace_events::text::clock::CutClock;
use crate::trace_events::text::messages;
use crate::trace_events::text::top_level;
use flowline_json::{Cursor, Kind};
use flowline_profile::WarningKind;
use flowline_profile::trace_events::whole_runs;

/// Writes a cut of a trace.
///
/// # Errors
/// If the text cannot be read again or the output cannot be written.
pub(crate) fn cut(scope: &CutScope<'_>, out: &mut dyn Write, progress: &Progress) -> Result<(), CutError> {
    let kept = selection::kept_events(scope, Vec::new(), progress)?;
    let text = scope.profile.source.bytes();
    let is_damaged =
        [WarningKind::Truncated, WarningKind::BrokenJson].iter().any(|kind| scope.profile.warnings.count(*kind) > 0);
    progress.begin(Phase::Write, text.len() as u64);
    let mut start = json_start(text);
    let clock = Cell::new(kept.clock.map(CutClock::event));
    let first = usize::from(kept.clock.is_some());
    let events = Events { text, offsets: &kept.events, clock, progress };
    if start.peek() == Ok(Kind::Array) || messages::are_at(start) == Ok(true) {
        events.write_list(0, text.len(), out)?;
        out.write_all(b"\n")?;
        return Ok(());
    }
    if top_level::is_event(&mut { start }) == Ok(true) {
        events.write(0, text.len(), b"\n", out)?;
        out.write_all(b"\n")?;
        return Ok(());
    }
    let copied = JsonCopy::new(text, out).object(None, &mut start, |copy, key, cursor| {
        if key.bytes == b"metadata"
            && let Some((place, modifications)) = notes::of_metadata(*cursor)
        {
            let from = cursor.offset();
            cursor.skip_value()?;
            let mut part = String::new();
            notes::of_part(text, &modifications, &kept.events, first).to_json(&mut part);
            let parts = [&text[from..place.start], part.as_bytes(), &text[place.end..cursor.offset()]];
            return Ok(copy.insert(Some(key), &parts.concat())?);
        }
        let is_list = cursor.peek()? == Kind::Array;
        if key.bytes != b"traceEvents" || !is_list {
            return copy.value(Some(key), cursor);
        }
        let from = cursor.offset();
        let end = if is_damaged {
            // In a damaged list, brackets do not mark the end.
            whole_runs(text, from + 1).end
        } else {
            cursor.skip_value().is_ok().then(|| cursor.offset())
        };
        copy.insert_with(key, |out| events.write_list(from, end.unwrap_or(text.len()), out))?;
        *cursor = Cursor::at(text, end.ok_or(Stop::Damage)?);
        Ok(())
    });
    if let Err(Stop::Io(error)) = copied {
        return Err(error.into());
    }
    out.write_all(b"\n")?;
    Ok(())
}

/// The kept events.
struct Events<'a> {
    text: &'a [u8],
    /// Byte offsets, ascending.
    offsets: &'a [u64],
    /// The event with the clock, until it is written.
    clock: Cell<Option<String>>,
    progress: &'a Progress,
}

impl Events<'_> {
    /// Writes the events that start between two offsets, as a list.
    fn write_list(&self, from: usize, to: usize, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"[\n")?;
        self.write(from, to, b",\n", out)?;
        out.write_all(b"\n]")
    }

    /// Writes the clock and the events that start between two offsets. A truncated event is omitted.
    fn write(&self, from: usize, to: usize, separator: &[u8], out: &mut dyn Write) -> io::Result<()> {
        let place = |offset: usize| self.offsets.partition_point(|event| *event < offset as u64);
        let clock = self.clock.take();
        let mut is_first = clock.is_none();
        out.write_all(clock.unwrap_or_default().as_bytes())?;
        for offset in &self.offsets[place(from)..place(to)] {
            let begin = usize::try_from(*offset).unwrap_or(self.text.len());
            let mut cursor = Cursor::at(self.text, begin);
            if cursor.skip_value().is_err() {
                continue;
            }
            if !std::mem::take(&mut is_first) {
                out.write_all(separator)?;
            }
            out.write_all(self.text.get(begin..cursor.offset()).unwrap_or_default())?;
            self.progress.set(*offset);
        }
        Ok(())
    }
}
