//! The outline of a profile: where its parts start. One walk over the whole text that decodes nothing.
//!
//! Threads are then read in parallel from the places found. A text that breaks off still yields every part that had
//! begun: the part itself meets the damage again and keeps what stands before it.

use super::progress::Progress;
use super::raw::warn_broken;
use super::slabs::Slabs;
use super::source::Text;
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

/// What gets to hear of each thread as soon as its end is known: the root's meta, as far as it was met, and the thread.
pub(super) type OnThread<'f, 'a> = &'f dyn Fn(Option<Cursor<'a>>, Cursor<'a>);

/// What the walk goes over, and who is told.
pub(super) struct Walk<'w, 'a> {
    pub(super) text: &'a Text,
    pub(super) slabs: &'w Slabs<'a>,
    pub(super) progress: &'w Progress,
    pub(super) found: Option<OnThread<'w, 'a>>,
}

/// What the walk of one profile object knows of those around it.
struct Around<'r, 'a> {
    /// Processes around it.
    depth: usize,
    /// Room for so many more threads.
    room: &'r mut usize,
    /// The root's meta, if this is not the root.
    root_meta: Option<Cursor<'a>>,
}

impl<'a> Walk<'_, 'a> {
    /// As [`Text::patient`]; slabs are looked at when all is there.
    fn patient<T>(
        &self,
        cursor: &mut Cursor<'a>,
        step: impl Fn(&mut Cursor<'a>) -> Result<T, JsonError>,
    ) -> Result<T, JsonError> {
        if self.found.is_some() { self.text.patient(cursor, step) } else { step(cursor) }
    }
}

impl<'a> Outline<'a> {
    /// Walks the object at `cursor`. The outline holds everything found before damage, which is warned of.
    pub(super) fn read(cursor: &mut Cursor<'a>, walk: &Walk<'_, 'a>, warnings: &mut Warnings) -> Self {
        let mut outline = Self::default();
        let mut room = MAX_THREADS;
        if let Err(error) = outline.walk(cursor, walk, Around { depth: 0, room: &mut room, root_meta: None }) {
            warn_broken(warnings, error, || "while finding the threads".into());
        }
        if walk.slabs.root().is_none() {
            outline.complete(walk.text.upto(0).0);
        }
        if room == 0 {
            warnings.add(WarningKind::MissingPart, || format!("threads beyond the first {MAX_THREADS}"));
        }
        outline
    }

    /// Walks one profile object.
    fn walk(
        &mut self,
        cursor: &mut Cursor<'a>,
        walk: &Walk<'_, 'a>,
        mut around: Around<'_, 'a>,
    ) -> Result<(), JsonError> {
        let slabs = walk.slabs;
        cursor.enter_object()?;
        while let Some(key) = walk.patient(cursor, |cursor| {
            let Some(key) = cursor.next_key()? else { return Ok(None) };
            cursor.peek()?;
            Ok(Some(key))
        })? {
            if self.keys.len() < 32 {
                self.keys.push(key.decode());
            }
            match key.bytes {
                b"meta" => {
                    let begins = slabs.follow(&mut { *cursor })?.unwrap_or(*cursor);
                    walk.patient(cursor, Cursor::skip_value)?;
                    // Text that arrived meanwhile belongs to it.
                    let text = if slabs.root().is_none() { cursor.text() } else { begins.text() };
                    self.meta = Some(Cursor::at(text, begins.offset()));
                    continue;
                }
                b"shared" => self.shared = Some(*cursor),
                b"counters" => self.counters = Some(*cursor),
                b"threads" if cursor.peek()? == Kind::Array || around.depth > 0 || slabs_follow(cursor, slabs)? => {
                    let meta = around.root_meta.or(self.meta);
                    soft(self.walk_threads(cursor, walk, around.room, meta))?;
                    continue;
                }
                b"processes" if cursor.peek()? == Kind::Array && around.depth < MAX_PROCESS_DEPTH => {
                    self.walk_processes(cursor, walk, &mut around)?;
                    continue;
                }
                _ => {}
            }
            walk.patient(cursor, Cursor::skip_value)?;
            walk.progress.set(cursor.offset() as u64);
        }
        Ok(())
    }

    fn walk_processes(
        &mut self,
        cursor: &mut Cursor<'a>,
        walk: &Walk<'_, 'a>,
        around: &mut Around<'_, 'a>,
    ) -> Result<(), JsonError> {
        cursor.enter_array()?;
        while walk.patient(cursor, Cursor::next_element)? {
            let mut child = Self::default();
            let root_meta = around.root_meta.or(self.meta);
            let inside = Around { depth: around.depth + 1, room: around.room, root_meta };
            let result = child.walk(cursor, walk, inside);
            if child.thread_count() > 0 || child.counters.is_some() {
                self.processes.push(child);
            }
            soft(result)?;
        }
        Ok(())
    }

    fn walk_threads(
        &mut self,
        cursor: &mut Cursor<'a>,
        walk: &Walk<'_, 'a>,
        room: &mut usize,
        meta: Option<Cursor<'a>>,
    ) -> Result<(), JsonError> {
        let (slabs, progress) = (walk.slabs, walk.progress);
        let Some(found) = walk.found else {
            return super::columns::each(cursor, slabs, |cursor| {
                let mut inside = *cursor;
                if inside.peek()? == Kind::Object && *room > 0 {
                    *room -= 1;
                    self.threads.push(slabs.follow(&mut inside)?.unwrap_or(*cursor));
                }
                cursor.skip_value()?;
                progress.set(cursor.offset() as u64);
                Ok(())
            });
        };
        cursor.enter_array()?;
        while walk.patient(cursor, Cursor::next_element)? {
            let is_thread = walk.patient(cursor, Cursor::peek)? == Kind::Object && *room > 0;
            let start = cursor.offset();
            let result = walk.patient(cursor, Cursor::skip_value);
            if is_thread {
                *room -= 1;
                let thread = Cursor::at(cursor.text(), start);
                self.threads.push(thread);
                if result.is_ok() {
                    found(meta, thread);
                }
            }
            result?;
            progress.set(cursor.offset() as u64);
        }
        Ok(())
    }

    /// Lets the parts look at all of the text: some were found when less of it was there.
    fn complete(&mut self, text: &'a [u8]) {
        let parts = [&mut self.meta, &mut self.shared, &mut self.counters];
        for part in parts.into_iter().flatten().chain(&mut self.threads) {
            *part = Cursor::at(text, part.offset());
        }
        for process in &mut self.processes {
            process.complete(text);
        }
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
