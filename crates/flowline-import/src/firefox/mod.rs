//! Firefox profiles: raw (written by Firefox), processed (saved by the Firefox Profiler), and processed in a JSLB
//! container.
//!
//! `outline` walks the text once on one core and finds the threads. Meanwhile the other cores read the threads found so
//! far (`gecko`, `processed`) into columns (`raw_thread`, `sampled`). `derive` derives markers from raw markers, and
//! `join` assigns recording-wide ids to names, types and categories. `stacks` does the same for functions, frames and
//! stacks.

mod allocations;
mod builtin_schemas;
mod categories;
mod columns;
mod counters;
mod cut;
mod damage;
mod derive;
mod finish;
mod gecko;
mod graphs;
mod join;
mod marker_stack;
mod meta;
mod number_columns;
mod outline;
mod pages;
mod partial_thread;
mod parts;
mod processed;
mod raw_thread;
mod sampled;
mod sentinels;
mod slabs;
mod stacks;
mod type_names;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

pub(super) use cut::cut;
pub use derive::UNKNOWN_NAME;

use super::error::ImportError;
use super::importer::{Detection, FormatProbe, ImportContext, Importer};
use super::io::text::Text;
use super::progress::{Phase, Progress};
use super::text_start::json_start;
use super::unsupported_formats::unknown_object;
use flowline_json::Cursor;
use flowline_profile::{Profile, Source, SourceKind, WarningKind, Warnings};
use meta::Meta;
use outline::{OnPart, Outline, OutlinePart, Walk};
use parts::{PartQueue, Parts, PartsReader, ReadAhead, lock};
use raw_thread::RawThread;
use slabs::Slabs;

/// The oldest and the newest supported version of processed profiles.
const PROCESSED_VERSIONS: [u32; 2] = [40, 71];
/// The oldest and the newest supported version of raw profiles.
const RAW_VERSIONS: [u32; 2] = [20, 36];

/// Number of threads between two memory checks, and the maximum memory of a thread without its markers and samples, in
/// bytes.
const CHECKED_THREADS: u64 = 4096;
const BYTES_READ: u64 = 2048;

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
    kind: SourceKind,
    version: u32,
}

impl Importer for Firefox {
    type Parsed = Parsed;

    fn detect(clue: &FormatProbe<'_>) -> Detection {
        let is_profile = match clue {
            FormatProbe::Start(bytes) => bytes.starts_with(&slabs::MAGIC),
            FormatProbe::Array => false,
            FormatProbe::Member(key, _) => matches!(*key, b"meta" | b"libs" | b"threads" | b"shared" | b"processes"),
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
        let waiting = PartQueue::default();
        let (threads, refused) = (AtomicU64::new(0), Mutex::new(None));
        let budget = context.options.budget;
        let outline = rayon::in_place_scope(|scope| {
            let found = on_part(|meta, part| {
                // The meta of the root determines the dialect; threads come after it.
                let Some(dialect) = read_ahead.dialect(meta) else { return };
                // Threads take memory even if they have few markers.
                if (threads.fetch_add(1, Ordering::Relaxed) + 1).is_multiple_of(CHECKED_THREADS)
                    && let Err(error) = budget.check(CHECKED_THREADS * BYTES_READ)
                {
                    *lock(&refused) = Some(error);
                    progress.cancel();
                }
                let (read_ahead, slabs, waiting) = (&read_ahead.parts, &slabs, &waiting);
                waiting.push(part);
                // Each job reads the largest part that is waiting when the job starts.
                scope.spawn(move |_| match waiting.pop() {
                    Some(OutlinePart::Thread(thread, end)) => {
                        let read = read_thread(dialect, (thread, Some(end)), slabs, None, progress);
                        lock(&read_ahead.threads).insert(thread.offset(), read);
                    }
                    Some(OutlinePart::Shared(shared)) if dialect == Dialect::Processed => {
                        let mut warnings = Warnings::default();
                        let read = processed::read_shared(shared, slabs, &mut warnings);
                        *lock(&read_ahead.shared) = Some((shared.offset(), read, warnings));
                    }
                    Some(OutlinePart::Shared(_)) | None => {}
                });
            });
            // Slabs are only available in complete text.
            let found = slabs.root().is_none().then_some(&found as OnPart<'_, '_>);
            Outline::read(&mut root, &Walk { text, slabs: &slabs, progress, found }, warnings)
        });
        if let Some(refused) = lock(&refused).take() {
            return Err(refused);
        }
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
        let kind = match (dialect, is_container) {
            (Dialect::Raw, _) => SourceKind::FirefoxRaw,
            (Dialect::Processed, false) => SourceKind::FirefoxProcessed,
            (Dialect::Processed, true) => SourceKind::FirefoxJslb,
        };
        Ok(Parsed { parts, kind, version })
    }

    fn finish(parsed: Parsed, source: &Source, context: &mut ImportContext<'_>) -> Result<Profile, ImportError> {
        let step = Instant::now();
        let Parsed { parts, kind, version } = parsed;
        let mut profile = join::join(parts, source.clone(), &mut context.warnings, context.progress);
        profile.meta.kind = kind;
        profile.meta.version = version;
        if context.progress.is_cancelled() {
            return Err(ImportError::Cancelled);
        }
        context.timings.derive = step.elapsed();
        Ok(profile)
    }
}

/// Lets the compiler infer that a closure takes two cursors of one text.
const fn on_part<'a, F: Fn(Option<Cursor<'a>>, OutlinePart<'a>)>(found: F) -> F {
    found
}

/// In a partial load, the text including everything beyond the loaded part, and the length of that part.
fn beyond_part(text: &Text) -> Option<partial_thread::Whole<'_>> {
    let part = text.available_after(0).0.len();
    text.beyond_part().map(|text| partial_thread::Whole { text, part })
}

/// Reads one thread object, which ends at `end` if known. Damage ends it early with a warning. In a partial load, a
/// thread that continues beyond the loaded part is completed.
fn read_thread<'a>(
    dialect: Dialect,
    (cursor, end): (Cursor<'a>, Option<usize>),
    slabs: &Slabs<'a>,
    whole: Option<&partial_thread::Whole<'a>>,
    progress: &Progress,
) -> RawThread {
    let mut thread = RawThread { end, ..RawThread::default() };
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
    thread.offset = start;
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
            // The file has threads but no usable meta, so its shape determines the dialect.
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
