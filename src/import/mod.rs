//! From bytes to a [`Profile`]: sniffs the format by content, reads it, derives the markers.
//!
//! Damage never stops a reader: what can be read is kept and every kind of damage becomes a warning with its first
//! place. [`ImportError`] means that nothing is usable.

mod builtin;
mod chrome;
mod columns;
mod counters;
mod derive;
mod error;
mod gecko;
mod growing;
mod join;
mod mapping;
mod memory;
mod meta;
mod outline;
mod processed;
mod progress;
mod raw;
mod slabs;
mod source;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::prelude::*;

pub use error::ImportError;
pub use mapping::Mapped;
pub use memory::Budget;
pub use progress::{Phase, Progress};
pub use source::DEFAULT_MAX_UNPACKED;

use crate::profile::json::{Cursor, Kind};
use crate::profile::{Ns, Profile, Source, StringTable, WarningKind, Warnings};
use meta::Meta;
use outline::Outline;
use raw::RawThread;
use slabs::Slabs;
use source::{Finished, Opened};

/// The oldest processed version read.
const OLDEST_PROCESSED: u32 = 40;
/// The newest processed version known.
const NEWEST_PROCESSED: u32 = 71;
/// The oldest raw version read.
const OLDEST_RAW: u32 = 20;
/// The newest raw version known.
const NEWEST_RAW: u32 = 36;

/// How to read.
#[derive(Clone, Debug)]
pub struct Options {
    /// Packed input that unpacks to more bytes than this is refused.
    pub max_unpacked: u64,
    /// Bytes of trace events that one thread reads at a time; what comes out does not depend on it.
    pub chunk: usize,
    /// Memory that may be taken.
    pub budget: Budget,
    /// Folder for the text of packed recordings; without it, the text is kept in memory.
    pub spill: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        let spill = Some(std::env::temp_dir());
        Self { max_unpacked: DEFAULT_MAX_UNPACKED, chunk: chrome::CHUNK, budget: Budget::default(), spill }
    }
}

/// How long each step of reading took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timings {
    /// Mapping and unpacking.
    pub read: Duration,
    /// Finding the parts.
    pub scan: Duration,
    /// Reading columns.
    pub parse: Duration,
    /// Raw markers to markers, and joining the threads.
    pub derive: Duration,
}

/// A recording and how long reading it took.
#[derive(Debug)]
pub struct Imported {
    /// The recording.
    pub profile: Profile,
    /// Time by step.
    pub timings: Timings,
}

/// Reads a file.
///
/// # Errors
/// [`ImportError`] when nothing of it is usable, or when cancelled through `progress`.
pub fn open(path: &Path, options: &Options, progress: &Progress) -> Result<Imported, ImportError> {
    let began = Instant::now();
    let mut warnings = Warnings::default();
    let opened = source::open(path, options, progress, &mut warnings)?;
    read_opened(opened, options, began, warnings, progress)
}

/// Reads bytes already in memory, packed or not.
///
/// # Errors
/// As [`open`].
pub fn read(bytes: impl AsRef<[u8]> + Send + Sync + 'static, progress: &Progress) -> Result<Imported, ImportError> {
    read_with(bytes, &Options::default(), progress)
}

/// As [`read`], with options.
///
/// # Errors
/// As [`open`].
pub fn read_with(
    bytes: impl AsRef<[u8]> + Send + Sync + 'static,
    options: &Options,
    progress: &Progress,
) -> Result<Imported, ImportError> {
    let began = Instant::now();
    let mut warnings = Warnings::default();
    let opened = source::of_bytes(Source::new(bytes), None, options, progress, &mut warnings)?;
    read_opened(opened, options, began, warnings, progress)
}

/// Which of the two Firefox formats a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    Raw,
    Processed,
}

fn read_opened(
    mut opened: Opened,
    options: &Options,
    began: Instant,
    mut warnings: Warnings,
    progress: &Progress,
) -> Result<Imported, ImportError> {
    let mut timings = Timings { read: began.elapsed(), ..Timings::default() };
    let step = Instant::now();
    if chrome::is_arriving(&opened.text) {
        timings.scan = step.elapsed();
        let begun = warnings.clone();
        let mut read = chrome::read(&opened.text, options, begun, &mut timings, progress)?;
        let source = match opened.finish(options, progress, &mut read.warnings)? {
            Finished::Same(source) => source,
            Finished::Anew(source) => {
                read = chrome::read(&opened.text, options, warnings, &mut timings, progress)?;
                source
            }
        };
        let mut profile = chrome::derive(read, &source, options, &mut timings, progress)?;
        profile.meta.json_bytes = source.bytes().len() as u64;
        return finished(profile, &opened, timings);
    }
    let (Finished::Same(source) | Finished::Anew(source)) = opened.finish(options, progress, &mut warnings)?;
    timings.read = began.elapsed();
    let profile = read_profile(&source, options, &mut timings, warnings, progress)?;
    finished(profile, &opened, timings)
}

/// The last look: was the file shortened meanwhile?
fn finished(mut profile: Profile, opened: &Opened, timings: Timings) -> Result<Imported, ImportError> {
    profile.meta.file_bytes = opened.file_bytes;
    if opened.mapped.as_ref().is_some_and(Mapped::is_cut) {
        let what = || "the file became shorter while it was read; what stood behind its new end is lost".into();
        profile.warnings.add(WarningKind::Truncated, what);
    }
    Ok(Imported { profile, timings })
}

/// Reads a Firefox profile.
fn read_profile(
    source: &Source,
    options: &Options,
    timings: &mut Timings,
    mut warnings: Warnings,
    progress: &Progress,
) -> Result<Profile, ImportError> {
    let step = Instant::now();
    let bytes = source.bytes();
    if bytes.is_empty() {
        return Err(ImportError::Empty);
    }
    let slabs = if bytes.starts_with(&slabs::MAGIC) { Slabs::parse(bytes, &mut warnings)? } else { Slabs::default() };
    let mut root = match slabs.root() {
        Some(root) => root,
        None => plain_root(bytes)?,
    };
    progress.begin(Phase::Scan, bytes.len() as u64);
    let outline = Outline::read(&mut root, &slabs, progress, &mut warnings);
    let meta = meta::read(outline.meta, &mut warnings);
    let (dialect, version) = recognise(&outline, &meta, &mut warnings)?;
    timings.scan = step.elapsed();

    let step = Instant::now();
    let (threads, metas, counters, shared) = read_parts(&outline, meta, dialect, &slabs, progress, &mut warnings);
    if progress.is_cancelled() {
        return Err(ImportError::Cancelled);
    }
    timings.parse = step.elapsed();
    // What markers are derived into, and their rows.
    let rows: u64 = threads.iter().map(|thread| thread.markers.len() as u64).sum();
    options.budget.check(rows * BYTES_A_MARKER)?;

    let step = Instant::now();
    let parts = join::Parts { threads, metas, counters, shared, warnings };
    let mut profile = join::join(parts, source.clone(), progress);
    profile.meta.format = match (dialect, slabs.root().is_some()) {
        (Dialect::Raw, _) => "firefox-raw",
        (Dialect::Processed, false) => "firefox-processed",
        (Dialect::Processed, true) => "firefox-processed-jslb",
    };
    profile.meta.version = version;
    profile.meta.json_bytes = source.bytes().len() as u64;
    if progress.is_cancelled() {
        return Err(ImportError::Cancelled);
    }
    timings.derive = step.elapsed();
    Ok(profile)
}

/// Memory that deriving and indexing a marker takes, at most, beside what was read.
const BYTES_A_MARKER: u64 = 120;

/// A cursor at the JSON value, after checking that this can be JSON at all.
fn plain_root(bytes: &[u8]) -> Result<Cursor<'_>, ImportError> {
    if let Some(what) = source::known_foreign(bytes) {
        return Err(ImportError::NotARecording(what));
    }
    let start = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mut cursor = Cursor::at(bytes, start);
    match cursor.peek() {
        Ok(Kind::Object | Kind::Array) => Ok(cursor),
        Ok(_) => Err(ImportError::NotARecording("text")),
        Err(_) if bytes.iter().all(u8::is_ascii_whitespace) => Err(ImportError::Empty),
        Err(_) => Err(ImportError::NotARecording("no JSON text")),
    }
}

fn recognise(outline: &Outline<'_>, meta: &Meta, warnings: &mut Warnings) -> Result<(Dialect, u32), ImportError> {
    let (dialect, what, found, oldest, newest) = match (meta.processed_version, meta.version) {
        (Some(found), _) => {
            (Dialect::Processed, "processed Firefox profile", found, OLDEST_PROCESSED, NEWEST_PROCESSED)
        }
        (None, Some(found)) => (Dialect::Raw, "raw Gecko profile", found, OLDEST_RAW, NEWEST_RAW),
        (None, None) if outline.thread_count() > 0 => {
            // Threads without a usable meta: the shape of the file decides.
            warnings.add(WarningKind::MissingPart, || "meta.version".into());
            let dialect = if outline.looks_raw() { Dialect::Raw } else { Dialect::Processed };
            return Ok((dialect, 0));
        }
        (None, None) => {
            let keys = outline.keys.iter().take(6).map(|key| format!("\"{key}\"")).collect::<Vec<_>>().join(", ");
            let found = if keys.is_empty() { "the object has no keys".into() } else { format!("its keys are {keys}") };
            return Err(ImportError::UnknownJson(found));
        }
    };
    if found < oldest {
        return Err(ImportError::TooOld { what, found, oldest });
    }
    if found > newest {
        warnings.add(WarningKind::NewerVersion, || format!("version {found} of a {what}; known up to {newest}"));
    }
    Ok((dialect, found))
}

type Read = (Vec<RawThread>, Vec<Meta>, Vec<counters::RawCounter>, Arc<StringTable>);

/// Reads all threads in parallel, and the metas and counters of all processes.
fn read_parts<'a>(
    outline: &Outline<'a>,
    meta: Meta,
    dialect: Dialect,
    slabs: &Slabs<'a>,
    progress: &Progress,
    warnings: &mut Warnings,
) -> Read {
    let root_start = meta.start_epoch_ms;
    let mut metas = vec![meta];
    let mut jobs: Vec<(Cursor<'a>, Ns, usize)> = outline.threads.iter().map(|&cursor| (cursor, Ns(0), 0)).collect();
    let mut counters = match (outline.counters, dialect) {
        (Some(cursor), Dialect::Raw) => gecko::read_counters(cursor, 0, Ns(0), warnings),
        (Some(cursor), Dialect::Processed) => processed::read_counters(cursor, slabs, warnings),
        (None, _) => Vec::new(),
    };
    let mut pending: Vec<&Outline<'a>> = outline.processes.iter().rev().collect();
    while let Some(process) = pending.pop() {
        let child = meta::read(process.meta, warnings);
        // The clocks are floats in the file; their difference is what the recorder's own tools use.
        let shift = child.start_epoch_ms.zip(root_start).and_then(|(own, root)| Ns::from_ms(own - root));
        let index = metas.len();
        jobs.extend(process.threads.iter().map(|&cursor| (cursor, shift.unwrap_or_default(), index)));
        if let Some(cursor) = process.counters {
            counters.extend(gecko::read_counters(cursor, index, shift.unwrap_or_default(), warnings));
        }
        metas.push(child);
        pending.extend(process.processes.iter().rev());
    }
    progress.begin(Phase::Parse, jobs.len() as u64);
    let read = |&(cursor, shift, category_map): &(Cursor<'a>, Ns, usize)| {
        let thread = RawThread::new(shift, category_map);
        let thread = match dialect {
            _ if progress.is_cancelled() => thread,
            Dialect::Raw => gecko::read_thread(cursor, slabs, thread, progress),
            Dialect::Processed => processed::read_thread(cursor, slabs, thread, progress),
        };
        progress.advance(1);
        thread
    };
    let threads = jobs.par_iter().with_max_len(1).map(read).collect();
    let shared = match (dialect, outline.shared) {
        (Dialect::Processed, Some(cursor)) => processed::read_shared_strings(cursor, slabs, warnings),
        _ => Arc::default(),
    };
    (threads, metas, counters, shared)
}
