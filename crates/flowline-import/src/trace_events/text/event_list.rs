//! Reads a list of events in parallel. The result equals that of a sequential reader.
//!
//! The text is split into chunks. The start of a chunk's first event is a guess, because a chunk may start inside a
//! string or deep in arguments. The guess is verified against the end of the previous chunk's last event. A chunk with
//! a wrong guess is read again from the right offset. Every byte is therefore read at most twice, and the result does
//! not depend on the chunks.
//!
//! After a damaged event, reading resumes at the next line that starts with an event, if there is one.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::batch::Batch;
use super::event::Event;
use super::far_times::Origin;
use crate::io::text::Text;
use crate::json_rest::warn_of_escapes;
use crate::progress::Progress;
use flowline_json::{Cursor, JsonError, KeyPredictor, Kind, Problem};
use flowline_profile::WarningKind;
use flowline_profile::trace_events::{LOOKAHEAD, has_phase, next_event_line};

/// Locks the spare batches, which are valid even after a panic.
fn lock<'m, 'a>(batches: &'m Mutex<Vec<Batch<'a>>>) -> MutexGuard<'m, Vec<Batch<'a>>> {
    batches.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Maximum number of chunks read at once, unless there are many threads.
const CHUNKS: usize = 64;

/// Number of events between two checks for cancellation.
const CANCEL_INTERVAL: usize = 1 << 12;

/// Reason for the end of a chunk.
#[derive(Clone, Copy, Debug)]
pub(in crate::trace_events) enum Stop {
    /// The next event starts at this offset, at or after the chunk's end.
    Next(usize),
    /// The list's closing bracket was read; this is the offset after it.
    Closed(usize),
    /// The text ends, between two events or inside one.
    Cut { inside: bool },
    /// The text is damaged.
    Broken(JsonError),
    /// The import was canceled.
    Cancelled,
}

struct Chunk<'a> {
    /// Assumed offset of its first event.
    start: usize,
    batch: Batch<'a>,
    stop: Stop,
    /// Offset of the event that stopped the chunk, or of the damage.
    stopped_at: usize,
}

/// Reads all events of the list whose elements start at `start`, in chunks of `size` bytes, and passes them to
/// `consume` in file order until it returns `false`. Returns the reason for the end of the list. Text that is still
/// being decompressed is read as it grows. `origin` is subtracted from all times.
pub(in crate::trace_events) fn read<'a>(
    text: &'a Text,
    start: usize,
    size: usize,
    origin: Option<Origin>,
    progress: &Progress,
    mut consume: impl FnMut(&mut Batch<'a>) -> bool + Send,
) -> Stop {
    let size = size.max(1);
    // Only some chunks are read at once, because the list may end early and the rest of the file is not part of it.
    // Threads wait for each other after each round, so a few chunks per thread are too few.
    let at_least = rayon::current_num_threads() * 4;
    let at_most = (at_least * 4).min(CHUNKS).max(at_least);
    // Batches are reused because their tables already contain most strings.
    let spare = Mutex::new(Vec::new());
    let take = || lock(&spare).pop().unwrap_or_else(|| Batch::with_origin(origin));
    let mut ready: Vec<Batch<'a>> = Vec::new();
    let mut at = start;
    let mut first = 0;
    let mut end_of_list = None;
    while end_of_list.is_none() {
        // The last event of a chunk ends after the chunk.
        let (available, complete) = text.available_after(start + (first + at_least) * size + LOOKAHEAD);
        let count = (available.len() - start).div_ceil(size).max(1);
        let end = if complete { count } else { (available.len() - start - LOOKAHEAD) / size };
        // The chunks of a round are in memory twice, so a round is a small part of the text.
        let end = end.min(first + (count / 16).clamp(at_least, at_most));
        let bounds = |chunk: usize| (start + chunk * size, (start + (chunk + 1) * size).min(available.len()));
        let parse = || -> Vec<(usize, Option<Chunk<'a>>)> {
            let read = |number| {
                let (from, to) = bounds(number);
                let begin = if number == 0 { Some(start) } else { first_event(available, from, to) };
                let chunk = begin.map(|begin| chunk(available, begin, to, take(), progress));
                progress.advance((to - from) as u64);
                (number, chunk)
            };
            // The chunks start in text order, which suits reading from the disk.
            let mut chunks: Vec<_> = (first..end).par_bridge().map(read).collect();
            chunks.sort_unstable_by_key(|(number, _)| *number);
            chunks
        };
        // The previous round is consumed in parallel.
        let mut previous = std::mem::take(&mut ready);
        let mut wanted = true;
        let consume_previous = || {
            for batch in &mut previous {
                wanted = wanted && consume(batch);
                batch.clear();
            }
        };
        let ((), chunks) = rayon::join(consume_previous, parse);
        lock(&spare).append(&mut previous);
        for (number, read) in chunks {
            let (_, to) = bounds(number);
            // A chunk inside an event of an earlier chunk has no events.
            if at >= to && !(complete && number + 1 == count) {
                continue;
            }
            let mut current = match read {
                Some(read) if read.start == at && (complete || !read.stop.is_at_end()) => read,
                _ => reread_chunk(text, (available, at..to), origin, progress),
            };
            // Continue after damage until the end of the chunk.
            let stop = loop {
                let next = current.after_damage(text);
                let (batch, stop) = (current.batch, current.stop);
                ready.push(batch);
                match next {
                    Some(next) if next < to => current = reread_chunk(text, (available, next..to), origin, progress),
                    Some(next) => break Stop::Next(next),
                    None => break stop,
                }
            };
            match stop {
                Stop::Next(next) => at = next,
                stop => {
                    end_of_list = Some(stop);
                    break;
                }
            }
        }
        first = end;
        if !wanted {
            return Stop::Cancelled;
        }
        if complete && first >= count {
            break;
        }
    }
    if !ready.iter_mut().all(consume) {
        return Stop::Cancelled;
    }
    end_of_list.unwrap_or(Stop::Cut { inside: false })
}

/// Reads lists of events in a complete text and passes them to `consume` in file order until it returns `false`. Damage
/// inside a list costs the rest of that list.
pub(in crate::trace_events) fn read_lists<'a>(
    text: &'a [u8],
    lists: &[Range<usize>],
    origin: Option<Origin>,
    progress: &Progress,
    mut consume: impl FnMut(&mut Batch<'a>) -> bool + Send,
) {
    for round in lists.chunks(CHUNKS) {
        let read = |list: &Range<usize>| {
            let text = &text[..list.end];
            let mut chunk = chunk(text, list.start, list.end, Batch::with_origin(origin), progress);
            let broken = match chunk.stop {
                Stop::Broken(error) => Some(error.offset),
                Stop::Cut { .. } => Some(chunk.stopped_at),
                Stop::Next(_) | Stop::Closed(_) | Stop::Cancelled => None,
            };
            if let Some(offset) = broken {
                chunk.batch.warnings.add(WarningKind::BrokenJson, || format!("the list of events at byte {offset}"));
            }
            progress.advance(list.len() as u64);
            chunk.batch
        };
        let mut batches: Vec<Batch<'a>> = round.par_iter().with_max_len(1).map(read).collect();
        if progress.is_cancelled() || !batches.iter_mut().all(&mut consume) {
            return;
        }
    }
}

/// Reads a chunk of the available text again from the right offset. Waits for more text if an event is incomplete. The batch of the wrong
/// guess is dropped with its strings.
fn reread_chunk<'a>(
    text: &'a Text,
    (available, part): (&'a [u8], Range<usize>),
    origin: Option<Origin>,
    progress: &Progress,
) -> Chunk<'a> {
    let (mut available, mut complete) =
        (available, text.available_after(0).1 && text.available_after(0).0.len() == available.len());
    loop {
        let chunk = chunk(available, part.start, part.end, Batch::with_origin(origin), progress);
        if complete || !chunk.stop.is_at_end() {
            return chunk;
        }
        (available, complete) = text.available_after((available.len() + 1) * 2);
    }
}

impl Chunk<'_> {
    /// Returns the offset at which reading resumes after damage, and adds a warning; `None` without damage or if
    /// nothing follows.
    fn after_damage(&mut self, text: &Text) -> Option<usize> {
        let offset = match self.stop {
            Stop::Broken(error) => error.offset,
            Stop::Cut { .. } => self.stopped_at,
            Stop::Next(_) | Stop::Closed(_) | Stop::Cancelled => return None,
        };
        // Only complete text can be known to be damaged.
        let (available, _) = text.available_after(0);
        let next = next_event_line(available, self.stopped_at)?;
        if let Stop::Cut { .. } = self.stop {
            // A single object with a phase may be an argument of the last event; several are events that it swallowed.
            next_event_line(available, next)?;
        }
        if let Stop::Cut { inside: false } = self.stop {
            // The last event lacks closing brackets, so it swallowed the list's bracket and all events up to there.
            // Counter events remain, because their arguments were read with them.
            let is_last = |event: &Event| event.offset() == self.stopped_at as u64 && event.ph() != b'C';
            self.batch.events.pop_if(|event| is_last(event))?;
        }
        let place = || format!("byte {offset}; resumed at byte {next}");
        self.batch.warnings.add(WarningKind::BrokenJson, place);
        Some(next)
    }
}

impl Stop {
    /// Returns true if more text could change the result.
    const fn is_at_end(self) -> bool {
        matches!(self, Self::Cut { .. } | Self::Broken(_))
    }
}

/// Reads the events that start at or after `start` and before `end`.
fn chunk<'a>(text: &'a [u8], start: usize, end: usize, mut batch: Batch<'a>, progress: &Progress) -> Chunk<'a> {
    let mut cursor = Cursor::at(text, start);
    let mut predictor = KeyPredictor::default();
    let mut begin = start;
    let stop = loop {
        match cursor.next_element() {
            Ok(true) if cursor.offset() >= end && end < text.len() => break Stop::Next(cursor.offset()),
            Ok(true) => {}
            Ok(false) => break Stop::Closed(cursor.offset()),
            Err(JsonError { problem: Problem::Truncated, .. }) => break Stop::Cut { inside: false },
            Err(error) => {
                begin = error.offset;
                break Stop::Broken(error);
            }
        }
        let offset = cursor.offset();
        begin = offset;
        let read = match cursor.peek() {
            Ok(Kind::Object) => batch.read(&mut predictor, &mut cursor),
            Ok(kind) => cursor.skip_value().and_then(|()| {
                // A number or a word at the end of the text may be truncated; then only the truncation is reported.
                let is_closed = matches!(kind, Kind::String | Kind::Array);
                if !is_closed && cursor.offset() == text.len() {
                    return Err(JsonError { offset, problem: Problem::Truncated });
                }
                batch.warnings.add(WarningKind::WrongType, || format!("an event at byte {offset}"));
                Ok(())
            }),
            Err(error) => Err(error),
        };
        match read {
            Ok(()) => {}
            Err(JsonError { problem: Problem::Truncated, .. }) => break Stop::Cut { inside: true },
            Err(error) => break Stop::Broken(error),
        }
        if batch.events.len().is_multiple_of(CANCEL_INTERVAL) && progress.is_cancelled() {
            break Stop::Cancelled;
        }
    };
    warn_of_escapes(text, start..cursor.offset().min(text.len()), &mut batch.warnings);
    Chunk { start, batch, stop, stopped_at: begin }
}

/// Guesses the offset of the first event that starts in a range: an object with a phase, after a comma or another
/// object. The search visits each byte only a few times; deeply nested objects are then read sequentially.
fn first_event(text: &[u8], from: usize, to: usize) -> Option<usize> {
    let window = &text[..to.saturating_add(LOOKAHEAD).min(text.len())];
    let mut budget = (window.len() - from) * 4;
    let mut at = from;
    loop {
        let brace = at + memchr::memchr(b'{', text.get(at..to)?)?;
        at = brace + 1;
        let before = text[..brace].iter().rev().find(|byte| !byte.is_ascii_whitespace());
        // In JSON Lines, only white space separates two events.
        if !matches!(before, Some(b',' | b'}')) {
            continue;
        }
        let mut cursor = Cursor::at(window, brace);
        if has_phase(&mut cursor) == Ok(true) {
            return Some(brace);
        }
        budget = budget.checked_sub(cursor.offset() - brace)?;
    }
}
