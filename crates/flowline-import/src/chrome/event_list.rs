//! Reads a list of events in parallel, with the same result as a sequential reader.
//!
//! The text is split into chunks. The start of the first event of a chunk is a guess, because a chunk may begin inside a
//! string or deep in arguments. The guess is verified: the previous chunk knows where its last event ends, and only if the
//! next chunk began there is its result used; otherwise that chunk is read again from the right offset. So every byte is
//! read at most twice, and the result does not depend on the chunks.
//!
//! After a damaged event, reading goes on with the next line that begins with an event, if there is one.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::batch::Batch;
use super::event::Event;
use crate::io::text::Text;
use crate::progress::Progress;
use flowline_json::{Cursor, JsonError, KeyPredictor, Kind, Problem};
use flowline_profile::WarningKind;
use flowline_profile::trace_events::{LOOKAHEAD, has_phase, next_event_line};

/// Locks the spare batches; they are valid even after a panic.
fn lock<'m, 'a>(batches: &'m Mutex<Vec<Batch<'a>>>) -> MutexGuard<'m, Vec<Batch<'a>>> {
    batches.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Chunks read at once, at most, unless there are many threads.
const CHUNKS: usize = 64;

/// Events between two checks for cancellation.
const CANCEL_INTERVAL: usize = 1 << 12;

/// How the reading of a chunk ended.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stop {
    /// The next event begins here, at or after the chunk's end.
    Next(usize),
    /// The list's closing bracket was read; the text goes on here.
    Closed(usize),
    /// The text ends: between two events, or in the middle of one.
    Cut { inside: bool },
    /// The text is damaged.
    Broken(JsonError),
    /// The import was cancelled.
    Cancelled,
}

struct Chunk<'a> {
    /// Assumed offset of its first event.
    start: usize,
    batch: Batch<'a>,
    stop: Stop,
    /// Where the event begins at which it stopped, or where the damage is.
    stopped_at: usize,
}

/// Reads all events of the list whose elements begin at `start`, in chunks of `size` bytes, and passes them to `consume` in
/// file order until it returns `false`. Returns how the list ended. Text that is still being unpacked is read as it grows.
pub(super) fn read<'a>(
    text: &'a Text,
    start: usize,
    size: usize,
    progress: &Progress,
    mut consume: impl FnMut(&mut Batch<'a>) -> bool + Send,
) -> Stop {
    let size = size.max(1);
    // Only some chunks are read at once: the list may end early, and the rest of the file is not part of it. Threads wait for
    // each other after that, so a few chunks each are too few.
    let at_least = rayon::current_num_threads() * 4;
    let at_most = (at_least * 4).min(CHUNKS).max(at_least);
    // Batches are reused: their tables contain most strings already.
    let spare = Mutex::new(Vec::new());
    let take = || lock(&spare).pop().unwrap_or_default();
    let mut ready: Vec<Batch<'a>> = Vec::new();
    let mut at = start;
    let mut first = 0;
    let mut end_of_list = None;
    while end_of_list.is_none() {
        // The last event of a chunk ends after it.
        let (available, complete) = text.available_after(start + (first + at_least) * size + LOOKAHEAD);
        let count = (available.len() - start).div_ceil(size).max(1);
        let end = if complete { count } else { (available.len() - start - LOOKAHEAD) / size };
        // What is read at once is in memory twice, so it is a small part of the text.
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
            // In the order of the text, which may have to come from the disk.
            let mut chunks: Vec<_> = (first..end).par_bridge().map(read).collect();
            chunks.sort_unstable_by_key(|(number, _)| *number);
            chunks
        };
        // The previous chunks are consumed meanwhile.
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
            // A chunk that lies inside an event of an earlier chunk has no events.
            if at >= to && !(complete && number + 1 == count) {
                continue;
            }
            let mut current = match read {
                Some(read) if read.start == at && (complete || !read.stop.is_at_end()) => read,
                _ => reread_chunk(text, available, at, to, progress),
            };
            // The rest of a chunk after damage, until its end.
            let stop = loop {
                let next = current.after_damage(text);
                let (batch, stop) = (current.batch, current.stop);
                ready.push(batch);
                match next {
                    Some(next) if next < to => current = reread_chunk(text, available, next, to, progress),
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

/// Reads a chunk again from the right offset, and waits for more text if an event is not complete. The batch of the wrong
/// reading is dropped, with its strings.
fn reread_chunk<'a>(text: &'a Text, available: &'a [u8], start: usize, end: usize, progress: &Progress) -> Chunk<'a> {
    let (mut available, mut complete) =
        (available, text.available_after(0).1 && text.available_after(0).0.len() == available.len());
    loop {
        let chunk = chunk(available, start, end, Batch::default(), progress);
        if complete || !chunk.stop.is_at_end() {
            return chunk;
        }
        (available, complete) = text.available_after((available.len() + 1) * 2);
    }
}

impl Chunk<'_> {
    /// Where reading goes on after damage, which becomes a warning; `None` without damage, or if nothing follows.
    fn after_damage(&mut self, text: &Text) -> Option<usize> {
        let offset = match self.stop {
            Stop::Broken(error) => error.offset,
            Stop::Cut { .. } => self.stopped_at,
            Stop::Next(_) | Stop::Closed(_) | Stop::Cancelled => return None,
        };
        // Damage is only known once the text is complete.
        let (available, _) = text.available_after(0);
        let next = next_event_line(available, self.stopped_at)?;
        if let Stop::Cut { .. } = self.stop {
            // One object with a phase may be an argument of the last event; several are events that it has taken.
            next_event_line(available, next)?;
        }
        if let Stop::Cut { inside: false } = self.stop {
            // The last event misses brackets, so it has taken those of the list, and all events up to there. Counters stay:
            // their arguments are read with them.
            let is_last = |event: &Event| event.offset() == self.stopped_at as u64 && event.ph() != b'C';
            self.batch.events.pop_if(|event| is_last(event))?;
        }
        let place = || format!("byte {offset}; read on at byte {next}");
        self.batch.warnings.add(WarningKind::BrokenJson, place);
        Some(next)
    }
}

impl Stop {
    /// Whether more text could change the result.
    const fn is_at_end(self) -> bool {
        matches!(self, Self::Cut { .. } | Self::Broken(_))
    }
}

/// Reads events from `start` on as long as they begin before `end`.
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
    Chunk { start, batch, stop, stopped_at: begin }
}

/// The likely offset of the first event that begins in a range: an object with a phase, after a comma or another object. The search is bounded
/// to a few looks at each byte; deeply nested objects are then read sequentially.
fn first_event(text: &[u8], from: usize, to: usize) -> Option<usize> {
    let window = &text[..to.saturating_add(LOOKAHEAD).min(text.len())];
    let mut budget = (window.len() - from) * 4;
    let mut at = from;
    loop {
        let brace = at + memchr::memchr(b'{', text.get(at..to)?)?;
        at = brace + 1;
        let before = text[..brace].iter().rev().find(|byte| !byte.is_ascii_whitespace());
        // In JSON Lines, nothing but white space stands between two events.
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
