//! Reads a list of events in parallel, exactly as one reader would from front to back.
//!
//! The text is cut into chunks. Where the first event of a chunk begins is a guess, because a chunk may begin inside a
//! string or deep in arguments. But nothing rests on the guess: the chunk before knows where its last event ends, and
//! only if that is where the next chunk began is its result taken; otherwise that chunk is read again from the right
//! place. So every byte is read at most twice, and what comes out does not depend on where the text was cut.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::batch::Batch;
use crate::import::Progress;
use crate::import::source::Text;
use crate::profile::WarningKind;
use crate::profile::json::{Cursor, Guesses, JsonError, Kind, Problem};

/// The batches in a lock; a thread that panicked inside it left nothing half done.
fn lock<'m, 'a>(batches: &'m Mutex<Vec<Batch<'a>>>) -> MutexGuard<'m, Vec<Batch<'a>>> {
    batches.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Events between two looks at whether somebody cancelled.
const PATIENCE: usize = 1 << 12;

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
    /// Somebody cancelled.
    Cancelled,
}

struct Chunk<'a> {
    /// Where its first event was taken to begin.
    start: usize,
    batch: Batch<'a>,
    stop: Stop,
}

/// Reads all events of the list whose first element may stand at `start`, in chunks of `size` bytes, and gives them away
/// in file order until `consume` says no; says how the list ended. Text that is still arriving is read as far as it goes.
pub(super) fn read<'a>(
    text: &'a Text,
    start: usize,
    size: usize,
    progress: &Progress,
    mut consume: impl FnMut(&mut Batch<'a>) -> bool + Send,
) -> Stop {
    let size = size.max(1);
    // A list that ends early (short list, long rest of the file) must not make every chunk of the rest be read, so
    // chunks are read by the handful.
    let at_once = rayon::current_num_threads() * 4;
    // Batches are used again and again: their tables have most texts already.
    let spare = Mutex::new(Vec::new());
    let take = || lock(&spare).pop().unwrap_or_default();
    let mut ready: Vec<Batch<'a>> = Vec::new();
    let mut at = start;
    let mut first = 0;
    let mut end_of_list = None;
    while end_of_list.is_none() {
        // An event that begins in a chunk ends somewhat behind it.
        let (arrived, complete) = text.upto(start + (first + at_once) * size + CLAMP_MARGIN);
        let count = (arrived.len() - start).div_ceil(size).max(1);
        let end = if complete { count.min(first + at_once) } else { first + at_once };
        let bounds = |chunk: usize| (start + chunk * size, (start + (chunk + 1) * size).min(arrived.len()));
        let parse = || -> Vec<Option<Chunk<'a>>> {
            let read = |number| {
                let (from, to) = bounds(number);
                let begin = if number == 0 { Some(start) } else { first_event(arrived, from, to) };
                let chunk = begin.map(|begin| chunk(arrived, begin, to, take(), progress));
                progress.advance((to - from) as u64);
                chunk
            };
            (first..end).into_par_iter().with_max_len(1).map(read).collect()
        };
        // What was read before is sorted away meanwhile.
        let mut before = std::mem::take(&mut ready);
        let mut wanted = true;
        let sort_away = || {
            for batch in &mut before {
                wanted = wanted && consume(batch);
                batch.clear();
            }
        };
        let ((), chunks) = rayon::join(sort_away, parse);
        lock(&spare).append(&mut before);
        for (number, read) in (first..end).zip(chunks) {
            let (_, to) = bounds(number);
            // A chunk that ends inside an event of an earlier one holds nothing of its own.
            if at >= to && !(complete && number + 1 == count) {
                continue;
            }
            let Chunk { batch, stop, .. } = match read {
                Some(read) if read.start == at && (complete || !read.stop.is_at_end()) => read,
                _ => patient_chunk(text, arrived, at, to, progress),
            };
            ready.push(batch);
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

/// Reads a chunk (again) from the right place; waits for more text where an event runs out of it. What was read from a
/// wrong place must not leave a trace, so its batch is not used again.
fn patient_chunk<'a>(text: &'a Text, arrived: &'a [u8], start: usize, end: usize, progress: &Progress) -> Chunk<'a> {
    let (mut arrived, mut complete) = (arrived, text.upto(0).1 && text.upto(0).0.len() == arrived.len());
    loop {
        let chunk = chunk(arrived, start, end, Batch::default(), progress);
        if complete || !chunk.stop.is_at_end() {
            return chunk;
        }
        (arrived, complete) = text.upto((arrived.len() + 1) * 2);
    }
}

impl Stop {
    /// Whether more text might have changed it.
    const fn is_at_end(self) -> bool {
        matches!(self, Self::Cut { .. } | Self::Broken(_))
    }
}

/// Reads events from `start` on as long as they begin before `end`.
fn chunk<'a>(text: &'a [u8], start: usize, end: usize, mut batch: Batch<'a>, progress: &Progress) -> Chunk<'a> {
    let mut cursor = Cursor::at(text, start);
    let mut guesses = Guesses::default();
    let stop = loop {
        match cursor.next_element() {
            Ok(true) if cursor.offset() >= end && end < text.len() => break Stop::Next(cursor.offset()),
            Ok(true) => {}
            Ok(false) => break Stop::Closed(cursor.offset()),
            Err(JsonError { problem: Problem::Truncated, .. }) => break Stop::Cut { inside: false },
            Err(error) => break Stop::Broken(error),
        }
        let offset = cursor.offset();
        let read = match cursor.peek() {
            Ok(Kind::Object) => batch.read(&mut guesses, &mut cursor),
            Ok(kind) => cursor.skip_value().and_then(|()| {
                // Where the text breaks off inside an element, that alone is said of it: a number or a word that
                // reaches to the end of the text may go on.
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
        if batch.events.len().is_multiple_of(PATIENCE) && progress.is_cancelled() {
            break Stop::Cancelled;
        }
    };
    Chunk { start, batch, stop }
}

/// How far beyond its chunk an event's phase is looked for.
const CLAMP_MARGIN: usize = 1 << 16;

/// A likely place for the first event that begins in a range: an object that has a phase, after a comma. Looks at each
/// byte a few times at most: whoever nests objects deeply is read from front to back.
fn first_event(text: &[u8], from: usize, to: usize) -> Option<usize> {
    let window = &text[..to.saturating_add(CLAMP_MARGIN).min(text.len())];
    let mut patience = (window.len() - from) * 4;
    let mut at = from;
    loop {
        let brace = at + memchr::memchr(b'{', text.get(at..to)?)?;
        at = brace + 1;
        let before = text[..brace].iter().rev().find(|byte| !byte.is_ascii_whitespace());
        if before != Some(&b',') {
            continue;
        }
        let mut cursor = Cursor::at(window, brace);
        if has_phase(&mut cursor) == Ok(true) {
            return Some(brace);
        }
        patience = patience.checked_sub(cursor.offset() - brace)?;
    }
}

fn has_phase(cursor: &mut Cursor<'_>) -> Result<bool, JsonError> {
    cursor.enter_object()?;
    while let Some(key) = cursor.next_key()? {
        if key.bytes == b"ph" {
            return Ok(cursor.peek()? == Kind::String);
        }
        cursor.skip_value()?;
    }
    Ok(false)
}
