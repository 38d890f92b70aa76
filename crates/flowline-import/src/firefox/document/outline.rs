//! The outline of a profile: the offsets of its parts, found in one walk over the whole text without decoding.
//!
//! Threads are then read in parallel. Truncated text still yields every part that begins in it: reading the part
//! encounters the damage again and keeps everything before it.

use super::damage::warn_damage;
use super::slabs::Slabs;
use crate::io::text::Text;
use crate::json_rest::warn_of_rest;
use crate::progress::Progress;
use flowline_json::{Cursor, JsonError, Kind, Problem};
use flowline_profile::{WarningKind, Warnings};

/// Nested processes deeper than this are not followed (Firefox nests one level).
pub(in crate::firefox) const MAX_PROCESS_DEPTH: usize = 16;

/// Maximum number of threads; further threads are omitted with a warning. An empty thread takes three bytes in a file
/// but several hundred in memory.
const MAX_THREADS: usize = 1 << 18;

/// Cursors at the parts of one profile object.
#[derive(Debug, Default)]
pub(in crate::firefox) struct Outline<'a> {
    pub(in crate::firefox) meta: Option<Cursor<'a>>,
    pub(in crate::firefox) shared: Option<Cursor<'a>>,
    pub(in crate::firefox) counters: Option<Cursor<'a>>,
    pub(in crate::firefox) pages: Option<Cursor<'a>>,
    pub(in crate::firefox) libs: Option<Cursor<'a>>,
    pub(in crate::firefox) sources: Option<Cursor<'a>>,
    pub(in crate::firefox) threads: Vec<Cursor<'a>>,
    pub(in crate::firefox) processes: Vec<Outline<'a>>,
    /// The first keys of the object, for error messages.
    pub(in crate::firefox) keys: Vec<String>,
}

/// A part that can be read while the walk continues.
#[derive(Clone, Copy, Debug)]
pub(in crate::firefox) enum OutlinePart<'a> {
    /// A thread, and the offset after it.
    Thread(Cursor<'a>, usize),
    /// The tables that threads share.
    Shared(Cursor<'a>),
}

/// Called for each part as soon as its end is known, with the root's meta if it came before.
pub(in crate::firefox) type OnPart<'f, 'a> = &'f dyn Fn(Option<Cursor<'a>>, OutlinePart<'a>);

/// The text to walk over, and the callback.
pub(in crate::firefox) struct Walk<'w, 'a> {
    pub(in crate::firefox) text: &'a Text,
    pub(in crate::firefox) slabs: &'w Slabs<'a>,
    pub(in crate::firefox) progress: &'w Progress,
    pub(in crate::firefox) found: Option<OnPart<'w, 'a>>,
}

/// Nesting of a profile object.
struct Nesting<'r, 'a> {
    /// Number of enclosing processes.
    depth: usize,
    /// Number of threads that may still be added.
    threads_left: &'r mut usize,
    /// The root's meta, if this is not the root.
    root_meta: Option<Cursor<'a>>,
}

impl<'a> Walk<'_, 'a> {
    /// Like [`Text::retry_when_grown`]; slabs are only read from complete text.
    fn retry_when_grown<T>(
        &self,
        cursor: &mut Cursor<'a>,
        step: impl Fn(&mut Cursor<'a>) -> Result<T, JsonError>,
    ) -> Result<T, JsonError> {
        if self.found.is_some() { self.text.retry_when_grown(cursor, step) } else { step(cursor) }
    }
}

impl<'a> Outline<'a> {
    /// Walks the object at `cursor`. Damage adds a warning; the outline contains everything before it.
    pub(in crate::firefox) fn read(cursor: &mut Cursor<'a>, walk: &Walk<'_, 'a>, warnings: &mut Warnings) -> Self {
        let mut outline = Self::default();
        let mut threads_left = MAX_THREADS;
        let nesting = Nesting { depth: 0, threads_left: &mut threads_left, root_meta: None };
        match outline.walk(cursor, walk, nesting) {
            Err(error) => warn_damage(warnings, error, || "while scanning for threads".into()),
            Ok(()) if walk.slabs.root().is_none() && walk.text.beyond_part().is_none() => {
                warn_of_rest(walk.text.available_after(usize::MAX).0, cursor.offset(), warnings);
            }
            Ok(()) => {}
        }
        if walk.slabs.root().is_none() {
            outline.extend_to(walk.text.available_after(0).0);
        }
        if threads_left == 0 {
            warnings.add(WarningKind::MissingPart, || format!("threads beyond the first {MAX_THREADS}"));
        }
        outline
    }

    /// Walks one profile object.
    fn walk(
        &mut self,
        cursor: &mut Cursor<'a>,
        walk: &Walk<'_, 'a>,
        mut nesting: Nesting<'_, 'a>,
    ) -> Result<(), JsonError> {
        let slabs = walk.slabs;
        cursor.enter_object()?;
        while let Some(key) = walk.retry_when_grown(cursor, |cursor| {
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
                    walk.retry_when_grown(cursor, Cursor::skip_value)?;
                    // Its text may have grown meanwhile.
                    let text = if slabs.root().is_none() { cursor.text() } else { begins.text() };
                    self.meta = Some(Cursor::at(text, begins.offset()));
                    continue;
                }
                b"shared" => {
                    cursor.peek()?;
                    let start = cursor.offset();
                    self.shared = Some(*cursor);
                    walk.retry_when_grown(cursor, Cursor::skip_value)?;
                    walk.progress.set(cursor.offset() as u64);
                    // Its text may have grown meanwhile.
                    if let (Some(found), 0) = (walk.found, nesting.depth) {
                        let shared = Cursor::at(cursor.text(), start);
                        self.shared = Some(shared);
                        found(self.meta, OutlinePart::Shared(shared));
                    }
                    continue;
                }
                b"counters" => self.counters = Some(*cursor),
                b"pages" => self.pages = Some(*cursor),
                b"libs" => self.libs = Some(*cursor),
                b"sources" => self.sources = Some(*cursor),
                b"threads" if cursor.peek()? == Kind::Array || nesting.depth > 0 || is_slab(cursor, slabs)? => {
                    let meta = nesting.root_meta.or(self.meta);
                    ignore_wrong_type(self.walk_threads(cursor, walk, nesting.threads_left, meta))?;
                    continue;
                }
                b"processes" if cursor.peek()? == Kind::Array && nesting.depth < MAX_PROCESS_DEPTH => {
                    self.walk_processes(cursor, walk, &mut nesting)?;
                    continue;
                }
                _ => {}
            }
            walk.retry_when_grown(cursor, Cursor::skip_value)?;
            walk.progress.set(cursor.offset() as u64);
        }
        Ok(())
    }

    fn walk_processes(
        &mut self,
        cursor: &mut Cursor<'a>,
        walk: &Walk<'_, 'a>,
        nesting: &mut Nesting<'_, 'a>,
    ) -> Result<(), JsonError> {
        cursor.enter_array()?;
        while walk.retry_when_grown(cursor, Cursor::next_element)? {
            let mut child = Self::default();
            let root_meta = nesting.root_meta.or(self.meta);
            let inside = Nesting { depth: nesting.depth + 1, threads_left: nesting.threads_left, root_meta };
            let result = child.walk(cursor, walk, inside);
            if child.thread_count() > 0 || child.counters.is_some() {
                self.processes.push(child);
            }
            ignore_wrong_type(result)?;
        }
        Ok(())
    }

    fn walk_threads(
        &mut self,
        cursor: &mut Cursor<'a>,
        walk: &Walk<'_, 'a>,
        threads_left: &mut usize,
        meta: Option<Cursor<'a>>,
    ) -> Result<(), JsonError> {
        let (slabs, progress) = (walk.slabs, walk.progress);
        let Some(found) = walk.found else {
            return crate::firefox::threads::columns::for_each_element(cursor, slabs, |cursor| {
                let mut inside = *cursor;
                if inside.peek()? == Kind::Object && *threads_left > 0 {
                    *threads_left -= 1;
                    self.threads.push(slabs.follow(&mut inside)?.unwrap_or(*cursor));
                }
                cursor.skip_value()?;
                progress.set(cursor.offset() as u64);
                Ok(())
            });
        };
        cursor.enter_array()?;
        while walk.retry_when_grown(cursor, Cursor::next_element)? {
            let is_thread = walk.retry_when_grown(cursor, Cursor::peek)? == Kind::Object && *threads_left > 0;
            let start = cursor.offset();
            let result = walk.retry_when_grown(cursor, Cursor::skip_value);
            if is_thread {
                *threads_left -= 1;
                let thread = Cursor::at(cursor.text(), start);
                self.threads.push(thread);
                if result.is_ok() {
                    found(meta, OutlinePart::Thread(thread, cursor.offset()));
                }
            }
            result?;
            progress.set(cursor.offset() as u64);
        }
        Ok(())
    }

    /// Extends all cursors to the complete text: some were created when less of it was available.
    fn extend_to(&mut self, text: &'a [u8]) {
        let Self { meta, shared, counters, pages, libs, sources, .. } = self;
        let parts = [meta, shared, counters, pages, libs, sources];
        for part in parts.into_iter().flatten().chain(&mut self.threads) {
            *part = Cursor::at(text, part.offset());
        }
        for process in &mut self.processes {
            process.extend_to(text);
        }
    }

    /// True if the first thread's markers are tuples, which only raw profiles have. Used for files without a usable
    /// meta.
    pub(in crate::firefox) fn looks_raw(&self) -> bool {
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
    pub(in crate::firefox) fn thread_count(&self) -> usize {
        self.threads.len() + self.processes.iter().map(Self::thread_count).sum::<usize>()
    }
}

fn is_slab<'a>(cursor: &Cursor<'a>, slabs: &Slabs<'a>) -> Result<bool, JsonError> {
    Ok(slabs.follow(&mut { *cursor })?.is_some())
}

/// Treats a part of the wrong type as missing.
pub(in crate::firefox) fn ignore_wrong_type(result: Result<(), JsonError>) -> Result<(), JsonError> {
    match result {
        Err(JsonError { problem: Problem::WrongType(_), .. }) => Ok(()),
        other => other,
    }
}
