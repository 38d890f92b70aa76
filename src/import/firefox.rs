//! Firefox profiles: the outline is walked on one core while the others read the threads that it has found already.

use std::cell::Cell;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use foldhash::HashMap;
use rayon::prelude::*;

use super::counters::RawCounter;
use super::meta::{self, Meta};
use super::outline::{OnThread, Outline, Walk};
use super::progress::{Phase, Progress};
use super::raw::RawThread;
use super::slabs::{self, Slabs};
use super::source::{self, Text};
use super::{ImportError, Options, Timings, gecko, join, processed};
use crate::profile::json::{Cursor, Kind};
use crate::profile::{Ns, Profile, Source, StringTable, WarningKind, Warnings};

/// The oldest processed version read.
const OLDEST_PROCESSED: u32 = 40;
/// The newest processed version known.
const NEWEST_PROCESSED: u32 = 71;
/// The oldest raw version read.
const OLDEST_RAW: u32 = 20;
/// The newest raw version known.
const NEWEST_RAW: u32 = 36;

/// Which of the two Firefox formats a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    Raw,
    Processed,
}

/// A profile as read, before anything is derived.
pub(super) struct Read {
    threads: Vec<RawThread>,
    metas: Vec<Meta>,
    counters: Vec<RawCounter>,
    shared: Arc<StringTable>,
    format: &'static str,
    version: u32,
    pub(super) warnings: Warnings,
}

/// Reads all parts of a profile. Text that is still arriving is read as far as it goes.
pub(super) fn read(
    text: &Text,
    options: &Options,
    mut warnings: Warnings,
    timings: &mut Timings,
    progress: &Progress,
) -> Result<Read, ImportError> {
    let step = Instant::now();
    let (mut bytes, mut complete) = text.upto(1 << 16);
    if bytes.starts_with(&slabs::MAGIC) {
        (bytes, complete) = text.upto(usize::MAX);
    }
    let slabs = if bytes.starts_with(&slabs::MAGIC) { Slabs::parse(bytes, &mut warnings)? } else { Slabs::default() };
    let mut root = match slabs.root() {
        Some(root) => root,
        None => match plain_root(bytes) {
            Err(_) if !complete => plain_root(text.upto(usize::MAX).0)?,
            root => root?,
        },
    };
    progress.begin(Phase::Scan, if complete { bytes.len() as u64 } else { 0 });
    let early = Early::default();
    let outline = rayon::in_place_scope(|scope| {
        let found = on_thread(|meta, thread| {
            // Which format it is, its meta says; the threads come behind it.
            let Some(dialect) = early.dialect(meta) else { return };
            let (early, slabs) = (&early.threads, &slabs);
            let read = move |_: &rayon::Scope<'_>| {
                let read = read_thread(dialect, thread, slabs, progress);
                early.lock().unwrap_or_else(PoisonError::into_inner).insert(thread.offset(), read);
            };
            scope.spawn(read);
        });
        // Slabs are looked into by readers of a whole file only.
        let found = slabs.root().is_none().then_some(&found as OnThread<'_, '_>);
        Outline::read(&mut root, &Walk { text, slabs: &slabs, progress, found }, &mut warnings)
    });
    let meta = meta::read(outline.meta, &mut warnings);
    let (dialect, version) = recognise(&outline, &meta, &mut warnings)?;
    timings.scan = step.elapsed();

    let step = Instant::now();
    let early =
        if early.dialect.get() == Some(Some(dialect)) { early.threads.into_inner() } else { Ok(HashMap::default()) };
    let early = early.unwrap_or_else(PoisonError::into_inner);
    let (threads, metas, counters, shared) =
        read_parts(&outline, meta, dialect, &slabs, early, progress, &mut warnings);
    if progress.is_cancelled() {
        return Err(ImportError::Cancelled);
    }
    timings.parse = step.elapsed();
    // What markers are derived into, and their rows.
    let rows: u64 = threads.iter().map(|thread| thread.markers.len() as u64).sum();
    options.budget.check(rows * BYTES_A_MARKER)?;
    let format = match (dialect, slabs.root().is_some()) {
        (Dialect::Raw, _) => "firefox-raw",
        (Dialect::Processed, false) => "firefox-processed",
        (Dialect::Processed, true) => "firefox-processed-jslb",
    };
    Ok(Read { threads, metas, counters, shared, format, version, warnings })
}

/// Says of a closure that it takes cursors of one text.
const fn on_thread<'a, F: Fn(Option<Cursor<'a>>, Cursor<'a>)>(found: F) -> F {
    found
}

/// Makes a profile of what was read from `source`.
pub(super) fn derive(
    read: Read,
    source: &Source,
    timings: &mut Timings,
    progress: &Progress,
) -> Result<Profile, ImportError> {
    let step = Instant::now();
    let Read { threads, metas, counters, shared, format, version, warnings } = read;
    let parts = join::Parts { threads, metas, counters, shared, warnings };
    let mut profile = join::join(parts, source.clone(), progress);
    profile.meta.format = format;
    profile.meta.version = version;
    if progress.is_cancelled() {
        return Err(ImportError::Cancelled);
    }
    timings.derive = step.elapsed();
    Ok(profile)
}

/// Memory that deriving and indexing a marker takes, at most, beside what was read.
const BYTES_A_MARKER: u64 = 120;

/// Threads that are read while the outline is still walked.
#[derive(Default)]
struct Early {
    /// The format, once the root's meta was seen; `None` inside if it does not say.
    dialect: Cell<Option<Option<Dialect>>>,
    /// By offset.
    threads: Mutex<HashMap<usize, RawThread>>,
}

impl Early {
    fn dialect(&self, meta: Option<Cursor<'_>>) -> Option<Dialect> {
        if let Some(known) = self.dialect.get() {
            return known;
        }
        // Its warnings come when it is read for good.
        let meta = meta::read(Some(meta?), &mut Warnings::default());
        let dialect = match (meta.processed_version, meta.version) {
            (Some(_), _) => Some(Dialect::Processed),
            (None, Some(_)) => Some(Dialect::Raw),
            (None, None) => None,
        };
        self.dialect.set(Some(dialect));
        dialect
    }
}

fn read_thread<'a>(dialect: Dialect, cursor: Cursor<'a>, slabs: &Slabs<'a>, progress: &Progress) -> RawThread {
    match dialect {
        _ if progress.is_cancelled() => RawThread::default(),
        Dialect::Raw => gecko::read_thread(cursor, slabs, RawThread::default(), progress),
        Dialect::Processed => processed::read_thread(cursor, slabs, RawThread::default(), progress),
    }
}

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

type Parts = (Vec<RawThread>, Vec<Meta>, Vec<RawCounter>, Arc<StringTable>);

/// Reads all threads in parallel, and the metas and counters of all processes.
fn read_parts<'a>(
    outline: &Outline<'a>,
    meta: Meta,
    dialect: Dialect,
    slabs: &Slabs<'a>,
    early: HashMap<usize, RawThread>,
    progress: &Progress,
    warnings: &mut Warnings,
) -> Parts {
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
    let early = Mutex::new(early);
    let read = |&(cursor, shift, category_map): &(Cursor<'a>, Ns, usize)| {
        let known = early.lock().unwrap_or_else(PoisonError::into_inner).remove(&cursor.offset());
        let mut thread = known.unwrap_or_else(|| read_thread(dialect, cursor, slabs, progress));
        progress.advance(1);
        (thread.shift, thread.category_map) = (shift, category_map);
        thread
    };
    let threads = jobs.par_iter().with_max_len(1).map(read).collect();
    let shared = match (dialect, outline.shared) {
        (Dialect::Processed, Some(cursor)) => processed::read_shared_strings(cursor, slabs, warnings),
        _ => Arc::default(),
    };
    (threads, metas, counters, shared)
}
