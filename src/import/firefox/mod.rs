//! Firefox profiles: raw (what Firefox writes), processed (what the Firefox Profiler saves), and processed in a JSLB
//! container.
//!
//! `outline` walks the text once on one core and finds the threads. Meanwhile the other cores read the threads that were
//! found (`gecko`, `processed`) into columns (`raw_thread`, `sampled`). `derive` makes markers of raw markers, and `join` gives
//! names, types and categories recording-wide ids. `stacks` does that for functions, frames and stacks.

mod allocations;
mod builtin_schemas;
mod categories;
mod columns;
mod counters;
mod cut_thread;
mod damage;
mod derive;
mod finish;
mod gecko;
mod join;
mod marker_stack;
mod meta;
mod missing;
mod number_columns;
mod outline;
mod pages;
mod processed;
mod raw_thread;
mod sampled;
mod slabs;
mod stacks;
mod type_names;

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use foldhash::HashMap;
use rayon::prelude::*;

pub use derive::UNKNOWN_NAME;

use super::error::ImportError;
use super::foreign::unknown_object;
use super::importer::{Clue, ImportContext, Importer, Sniff};
use super::io::text::Text;
use super::progress::{Phase, Progress};
use super::sniff::json_start;
use crate::profile::json::Cursor;
use crate::profile::{Ns, Page, Profile, Source, WarningKind, Warnings};
use counters::RawCounter;
use meta::Meta;
use outline::{OnPart, Outline, Part, Walk};
use processed::Shared;
use raw_thread::RawThread;
use slabs::Slabs;
use stacks::ProcessTables;

/// The oldest and the newest supported version of processed profiles.
const PROCESSED_VERSIONS: [u32; 2] = [40, 71];
/// The oldest and the newest supported version of raw profiles.
const RAW_VERSIONS: [u32; 2] = [20, 36];

/// Memory that deriving and indexing a marker takes at most, besides what has been read.
const BYTES_PER_MARKER: u64 = 120;
/// The same for a sample, and for a stack or frame.
const BYTES_PER_SAMPLE: u64 = 24;
const BYTES_PER_STACK: u64 = 48;

/// The importer of Firefox profiles.
pub(super) struct Firefox;

/// The two Firefox formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    Raw,
    Processed,
}

/// A profile as read, before markers are derived.
pub(super) struct Parsed {
    parts: Parts,
    /// Identifier and name of the format.
    format: [&'static str; 2],
    version: u32,
}

/// What the parts of a profile contain.
struct Parts {
    threads: Vec<RawThread>,
    /// The root's first, then one per child process.
    metas: Vec<Meta>,
    counters: Vec<RawCounter>,
    pages: Vec<Page>,
    shared: Shared,
    /// Of a processed profile: names of libraries, as offsets of strings.
    libraries: Vec<u64>,
    /// Of a raw profile: libraries and scripts of each process, by meta.
    processes: Vec<ProcessTables>,
}

impl Parts {
    /// Memory that deriving and joining takes at most, besides what has been read.
    fn memory(&self) -> u64 {
        let of_thread = |thread: &RawThread| {
            let [samples, stacks] = thread.sampled.as_ref().map_or([0; 2], |sampled| sampled.size());
            thread.markers.len() as u64 * BYTES_PER_MARKER
                + samples as u64 * BYTES_PER_SAMPLE
                + stacks as u64 * BYTES_PER_STACK
        };
        let shared = self.shared.stacks.stack_count() + self.shared.stacks.frame_count();
        self.threads.iter().map(of_thread).sum::<u64>() + shared as u64 * BYTES_PER_STACK
    }
}

impl Importer for Firefox {
    const NAME: &'static str = "Firefox Profiler profiles";

    type Parsed = Parsed;

    fn sniff(clue: &Clue<'_>) -> Sniff {
        let is_profile = match clue {
            Clue::Start(bytes) => bytes.starts_with(&slabs::MAGIC),
            Clue::Array => false,
            Clue::Member(key, _) => matches!(*key, b"meta" | b"libs" | b"threads" | b"shared" | b"processes"),
        };
        is_profile.into()
    }

    fn read(text: &Text, context: &mut ImportContext<'_>) -> Result<Parsed, ImportError> {
        let step = Instant::now();
        let (progress, warnings) = (context.progress, &mut context.warnings);
        let (mut bytes, mut is_complete) = text.available_after(1 << 16);
        let is_container = bytes.starts_with(&slabs::MAGIC);
        if is_container {
            (bytes, is_complete) = text.available_after(usize::MAX);
        }
        let slabs = if is_container { Slabs::parse(bytes, warnings)? } else { Slabs::default() };
        let mut root = slabs.root().unwrap_or_else(|| json_start(bytes));
        progress.begin(Phase::Scan, if is_complete { bytes.len() as u64 } else { 0 });
        let read_ahead = ReadAhead::default();
        let outline = rayon::in_place_scope(|scope| {
            let found = on_part(|meta, part| {
                // The meta of the root tells the dialect; threads come after it.
                let Some(dialect) = read_ahead.dialect(meta) else { return };
                let (read_ahead, slabs) = (&read_ahead.parts, &slabs);
                let read = move |_: &rayon::Scope<'_>| match part {
                    Part::Thread(thread) => {
                        let read = read_thread(dialect, thread, slabs, None, progress);
                        lock(&read_ahead.threads).insert(thread.offset(), read);
                    }
                    Part::Shared(shared) if dialect == Dialect::Processed => {
                        let mut warnings = Warnings::default();
                        let read = processed::read_shared(shared, slabs, &mut warnings);
                        *lock(&read_ahead.shared) = Some((shared.offset(), read, warnings));
                    }
                    Part::Shared(_) => {}
                };
                scope.spawn(read);
            });
            // Slabs are only available in complete text.
            let found = slabs.root().is_none().then_some(&found as OnPart<'_, '_>);
            Outline::read(&mut root, &Walk { text, slabs: &slabs, progress, found }, warnings)
        });
        let meta = meta::read(outline.meta, warnings);
        let (dialect, version) = recognize_version(&outline, &meta, warnings)?;
        context.timings.scan += step.elapsed();

        let step = Instant::now();
        let known = read_ahead.into_parts(dialect);
        let reader = PartsReader { dialect, slabs: &slabs, beyond_part: beyond_part(text), progress };
        let parts = reader.read(&outline, meta, known, warnings);
        if progress.is_cancelled() {
            return Err(ImportError::Cancelled);
        }
        context.timings.parse = step.elapsed();
        context.options.budget.check(parts.memory())?;
        let format = match (dialect, is_container) {
            (Dialect::Raw, _) => ["firefox-raw", "Firefox (raw)"],
            (Dialect::Processed, false) => ["firefox-processed", "Firefox Profiler"],
            (Dialect::Processed, true) => ["firefox-processed-jslb", "Firefox Profiler (JSLB)"],
        };
        Ok(Parsed { parts, format, version })
    }

    fn finish(parsed: Parsed, source: &Source, context: &mut ImportContext<'_>) -> Result<Profile, ImportError> {
        let step = Instant::now();
        let Parsed { parts, format: [format, format_label], version } = parsed;
        let mut profile = join::join(parts, source.clone(), &mut context.warnings, context.progress);
        profile.meta.format = format;
        profile.meta.format_label = format_label;
        profile.meta.version = version;
        if context.progress.is_cancelled() {
            return Err(ImportError::Cancelled);
        }
        context.timings.derive = step.elapsed();
        Ok(profile)
    }
}

/// Tells the compiler that a closure takes two cursors of one text.
const fn on_part<'a, F: Fn(Option<Cursor<'a>>, Part<'a>)>(found: F) -> F {
    found
}

/// Of a partial text, the text including what follows the part, and the length of the part.
fn beyond_part(text: &Text) -> Option<cut_thread::Whole<'_>> {
    let part = text.available_after(0).0.len();
    text.beyond_part().map(|text| cut_thread::Whole { text, part })
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Parts that are read while the outline is still being walked.
#[derive(Default)]
struct ReadAhead {
    /// Set once the root's meta is known; `None` inside if it does not tell the dialect.
    dialect: Cell<Option<Option<Dialect>>>,
    parts: KnownParts,
}

/// Parts that have been read.
#[derive(Default)]
struct KnownParts {
    /// By offset.
    threads: Mutex<HashMap<usize, RawThread>>,
    /// What threads share: its offset, itself, and the warnings.
    shared: Mutex<Option<(usize, Shared, Warnings)>>,
}

impl ReadAhead {
    fn dialect(&self, meta: Option<Cursor<'_>>) -> Option<Dialect> {
        if let Some(known) = self.dialect.get() {
            return known;
        }
        // The meta is read again later; that reading collects the warnings.
        let meta = meta::read(Some(meta?), &mut Warnings::default());
        let dialect = match (meta.processed_version, meta.version) {
            (Some(_), _) => Some(Dialect::Processed),
            (None, Some(_)) => Some(Dialect::Raw),
            (None, None) => None,
        };
        self.dialect.set(Some(dialect));
        dialect
    }

    /// The parts, if they were read in this dialect.
    fn into_parts(self, dialect: Dialect) -> KnownParts {
        if self.dialect.get() == Some(Some(dialect)) { self.parts } else { KnownParts::default() }
    }
}

/// Reads one thread object. Damage ends it early with a warning; a thread that only continues beyond the part of a partial
/// text is completed.
fn read_thread<'a>(
    dialect: Dialect,
    cursor: Cursor<'a>,
    slabs: &Slabs<'a>,
    whole: Option<&cut_thread::Whole<'a>>,
    progress: &Progress,
) -> RawThread {
    let mut thread = RawThread::default();
    let start = cursor.offset();
    let result = match dialect {
        _ if progress.is_cancelled() => Ok(()),
        Dialect::Raw => gecko::read_thread(cursor, slabs, &mut thread, progress),
        Dialect::Processed => processed::read_thread(cursor, slabs, &mut thread, progress),
    };
    let mut text = cursor.text();
    if let Err(error) = result {
        thread.note_damage(error);
        if let Some(whole) = whole {
            whole.complete(dialect, start, &mut thread, progress);
            text = whole.text;
        }
    }
    finish::finish(thread, dialect, text)
}

fn recognize_version(
    outline: &Outline<'_>,
    meta: &Meta,
    warnings: &mut Warnings,
) -> Result<(Dialect, u32), ImportError> {
    let (dialect, what, found, [oldest, newest]) = match (meta.processed_version, meta.version) {
        (Some(found), _) => (Dialect::Processed, "processed Firefox profile", found, PROCESSED_VERSIONS),
        (None, Some(found)) => (Dialect::Raw, "raw Gecko profile", found, RAW_VERSIONS),
        (None, None) if outline.thread_count() > 0 => {
            // Threads without a usable meta: the shape of the file decides.
            warnings.add(WarningKind::MissingPart, || "meta.version".into());
            let dialect = if outline.looks_raw() { Dialect::Raw } else { Dialect::Processed };
            return Ok((dialect, 0));
        }
        (None, None) => return Err(unknown_object(&outline.keys)),
    };
    if found < oldest {
        return Err(ImportError::TooOld { what, found, oldest });
    }
    if found > newest {
        warnings.add(WarningKind::NewerVersion, || format!("version {found} of a {what}; known up to {newest}"));
    }
    Ok((dialect, found))
}

/// Reads all parts of a profile.
struct PartsReader<'r, 'a> {
    dialect: Dialect,
    slabs: &'r Slabs<'a>,
    beyond_part: Option<cut_thread::Whole<'a>>,
    progress: &'r Progress,
}

/// A thread to read: cursor, clock offset and index of its process's meta.
type ThreadJob<'a> = (Cursor<'a>, Ns, usize);

impl<'a> PartsReader<'_, 'a> {
    /// Reads all threads in parallel, and the metas and counters of all processes. `known` are the parts that were read
    /// already.
    fn read(&self, outline: &Outline<'a>, meta: Meta, known: KnownParts, warnings: &mut Warnings) -> Parts {
        let root_start = meta.start_epoch_ms;
        let mut libraries = Vec::new();
        let mut processes = vec![self.process_tables(outline, warnings)];
        if let (Some(mut cursor), Dialect::Processed) = (outline.libs, self.dialect) {
            let result = stacks::read_libraries(&mut cursor, self.slabs, &mut libraries);
            if let Err(error) = outline::ignore_wrong_type(result) {
                damage::warn_damage(warnings, error, || "in libs".into());
            }
        }
        let mut metas = vec![meta];
        let mut jobs: Vec<ThreadJob<'a>> = outline.threads.iter().map(|&cursor| (cursor, Ns(0), 0)).collect();
        let mut counters = match (outline.counters, self.dialect) {
            (Some(cursor), Dialect::Raw) => gecko::read_counters(cursor, 0, Ns(0), warnings),
            (Some(cursor), Dialect::Processed) => processed::read_counters(cursor, self.slabs, warnings),
            (None, _) => Vec::new(),
        };
        let mut pages = Vec::new();
        pages::read(outline.pages, self.slabs, &mut pages, warnings);
        let mut pending: Vec<&Outline<'a>> = outline.processes.iter().rev().collect();
        while let Some(process) = pending.pop() {
            let child = meta::read(process.meta, warnings);
            // The start times are floats; the Firefox Profiler uses their difference, too.
            let shift = child.start_epoch_ms.zip(root_start).and_then(|(own, root)| Ns::from_ms(own - root));
            let index = metas.len();
            jobs.extend(process.threads.iter().map(|&cursor| (cursor, shift.unwrap_or_default(), index)));
            if let Some(cursor) = process.counters {
                counters.extend(gecko::read_counters(cursor, index, shift.unwrap_or_default(), warnings));
            }
            pages::read(process.pages, self.slabs, &mut pages, warnings);
            processes.push(self.process_tables(process, warnings));
            metas.push(child);
            pending.extend(process.processes.iter().rev());
        }
        self.progress.begin(Phase::Parse, jobs.len() as u64);
        let KnownParts { threads, shared } = known;
        let (threads, shared) = rayon::join(
            || self.read_threads(&jobs, threads),
            || self.read_shared(outline, shared.into_inner().unwrap_or_else(PoisonError::into_inner)),
        );
        let (shared, found) = shared;
        warnings.merge(found);
        Parts { threads, metas, counters, pages: pages::sorted(pages), shared, libraries, processes }
    }

    /// What functions of a raw profile's process refer to.
    fn process_tables(&self, outline: &Outline<'a>, warnings: &mut Warnings) -> ProcessTables {
        match self.dialect {
            Dialect::Raw => ProcessTables::read(outline.libs, outline.sources, warnings),
            Dialect::Processed => ProcessTables::default(),
        }
    }

    /// What threads share, unless it is `known`.
    fn read_shared(&self, outline: &Outline<'a>, known: Option<(usize, Shared, Warnings)>) -> (Shared, Warnings) {
        let mut warnings = Warnings::default();
        let Some(cursor) = outline.shared.filter(|_| self.dialect == Dialect::Processed) else {
            return (Shared::default(), warnings);
        };
        match known.filter(|(offset, ..)| *offset == cursor.offset()) {
            Some((_, shared, warnings)) => (shared, warnings),
            None => (processed::read_shared(cursor, self.slabs, &mut warnings), warnings),
        }
    }

    fn read_threads(&self, jobs: &[ThreadJob<'a>], known: Mutex<HashMap<usize, RawThread>>) -> Vec<RawThread> {
        let read = |&(cursor, shift, meta_index): &ThreadJob<'a>| {
            let known = lock(&known).remove(&cursor.offset());
            let read = || read_thread(self.dialect, cursor, self.slabs, self.beyond_part.as_ref(), self.progress);
            let mut thread = known.unwrap_or_else(read);
            self.progress.advance(1);
            (thread.shift, thread.meta_index) = (shift, meta_index);
            thread
        };
        jobs.par_iter().with_max_len(1).map(read).collect()
    }
}
