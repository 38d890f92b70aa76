//! The outline of a profile: where its parts start. One walk over the whole text that decodes nothing.
//!
//! Threads are then read in parallel from the places found. A text that breaks off still yields every part that had
//! begun: the part itself meets the damage again and keeps what stands before it.

use super::progress::Progress;
use super::raw::warn_broken;
use super::slabs::Slabs;
use crate::profile::json::{Cursor, JsonError, Kind, Problem};
use crate::profile::{WarningKind, Warnings};

/// Nested processes deeper than this are not followed (Firefox nests one level).
const MAX_PROCESS_DEPTH: usize = 16;

/// Threads beyond this number are left out, with a warning: an empty thread takes three bytes in a file and several
/// hundred in memory.
const MAX_THREADS: usize = 1 << 18;

/// Offsets of the parts of one profile object.
#[derive(Debug, Default)]
pub(super) struct Outline<'a> {
    pub(super) meta: Option<Cursor<'a>>,
    pub(super) shared: Option<Cursor<'a>>,
    pub(super) counters: Option<Cursor<'a>>,
    pub(super) threads: Vec<Cursor<'a>>,
    pub(super) processes: Vec<Outline<'a>>,
    /// Keys of the object, for naming what a foreign file is.
    pub(super) keys: Vec<String>,
}

impl<'a> Outline<'a> {
    /// Walks the object at `cursor`. The outline holds everything found before damage, which is warned of.
    pub(super) fn read(
        cursor: &mut Cursor<'a>,
        slabs: &Slabs<'a>,
        progress: &Progress,
        warnings: &mut Warnings,
    ) -> Self {
        let mut outline = Self::default();
        let mut room = MAX_THREADS;
        if let Err(error) = outline.walk(cursor, slabs, progress, (0, &mut room)) {
            warn_broken(warnings, error, || "while finding the threads".into());
        }
        if room == 0 {
            warnings.add(WarningKind::MissingPart, || format!("threads beyond the first {MAX_THREADS}"));
        }
        outline
    }

    /// Walks one profile object, `depth` processes deep, with room for so many more threads.
    fn walk(
        &mut self,
        cursor: &mut Cursor<'a>,
        slabs: &Slabs<'a>,
        progress: &Progress,
        (depth, room): (usize, &mut usize),
    ) -> Result<(), JsonError> {
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            if self.keys.len() < 32 {
                self.keys.push(key.decode());
            }
            cursor.peek()?;
            match key.bytes {
                b"meta" => self.meta = Some(slabs.follow(&mut { *cursor })?.unwrap_or(*cursor)),
                b"shared" => self.shared = Some(*cursor),
                b"counters" => self.counters = Some(*cursor),
                b"threads" if cursor.peek()? == Kind::Array || depth > 0 || slabs_follow(cursor, slabs)? => {
                    soft(self.walk_threads(cursor, slabs, progress, room))?;
                    continue;
                }
                b"processes" if cursor.peek()? == Kind::Array && depth < MAX_PROCESS_DEPTH => {
                    cursor.enter_array()?;
                    while cursor.next_element()? {
                        let mut child = Self::default();
                        let result = child.walk(cursor, slabs, progress, (depth + 1, room));
                        if child.thread_count() > 0 || child.counters.is_some() {
                            self.processes.push(child);
                        }
                        soft(result)?;
                    }
                    continue;
                }
                _ => {}
            }
            cursor.skip_value()?;
            progress.set(cursor.offset() as u64);
        }
        Ok(())
    }

    fn walk_threads(
        &mut self,
        cursor: &mut Cursor<'a>,
        slabs: &Slabs<'a>,
        progress: &Progress,
        room: &mut usize,
    ) -> Result<(), JsonError> {
        super::columns::each(cursor, slabs, |cursor| {
            let mut inside = *cursor;
            if inside.peek()? == Kind::Object && *room > 0 {
                *room -= 1;
                self.threads.push(slabs.follow(&mut inside)?.unwrap_or(*cursor));
            }
            cursor.skip_value()?;
            progress.set(cursor.offset() as u64);
            Ok(())
        })
    }

    /// Whether the first thread's markers are tuples, as only raw profiles have them; for files whose meta is lost.
    pub(super) fn looks_raw(&self) -> bool {
        let tuples = |mut cursor: Cursor<'a>| -> Result<bool, JsonError> {
            cursor.enter_object()?;
            while let Some(key) = cursor.next_key()? {
                if key.bytes == b"markers" {
                    cursor.enter_object()?;
                    return Ok(cursor.next_key()?.is_some_and(|key| key.bytes == b"schema"));
                }
                cursor.skip_value()?;
            }
            Ok(false)
        };
        let first = self.threads.first().or_else(|| self.processes.iter().find_map(|process| process.threads.first()));
        self.shared.is_none() && first.is_some_and(|thread| tuples(*thread).unwrap_or(false))
    }

    /// Number of threads here and below.
    pub(super) fn thread_count(&self) -> usize {
        self.threads.len() + self.processes.iter().map(Self::thread_count).sum::<usize>()
    }
}

fn slabs_follow<'a>(cursor: &Cursor<'a>, slabs: &Slabs<'a>) -> Result<bool, JsonError> {
    Ok(slabs.follow(&mut { *cursor })?.is_some())
}

/// A part of a wrong type counts as absent.
fn soft(result: Result<(), JsonError>) -> Result<(), JsonError> {
    match result {
        Err(JsonError { problem: Problem::WrongType(_), .. }) => Ok(()),
        other => other,
    }
}
