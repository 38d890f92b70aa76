//! The importer of Firefox profiles: reads the threads while the outline finds them, and joins them.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::dialect::Dialect;
use super::document::meta::{self, Meta};
use super::document::outline::{OnPart, Outline, OutlinePart, Walk};
use super::document::parts::{PartQueue, Parts, PartsReader, ReadAhead, lock};
use super::document::slabs::{self, Slabs};
use super::joined::join;
use super::threads::processed;
use super::threads::read_thread::{beyond_part, read_thread};
use crate::error::ImportError;
use crate::importer::{Detection, FormatProbe, ImportContext, Importer};
use crate::io::text::Text;
use crate::progress::Phase;
use crate::text_start::json_start;
use crate::unsupported_formats::unknown_object;
use flowline_json::Cursor;
use flowline_profile::{Capabilities, Profile, Source, SourceKind, Stopwatch, WarningKind, Warnings};

/// The oldest and the newest supported version of processed profiles.
const PROCESSED_VERSIONS: [u32; 2] = [40, 71];
/// The oldest and the newest supported version of raw profiles.
const RAW_VERSIONS: [u32; 2] = [20, 36];

/// Number of threads between two memory checks, and the maximum memory of a thread without its markers and samples, in
/// bytes.
const CHECKED_THREADS: u64 = 4096;
const BYTES_READ: u64 = 2048;

/// The importer of Firefox profiles.
pub(crate) struct Firefox;

/// A profile as read, before markers are derived.
pub(crate) struct Parsed {
    pub(super) parts: Parts,
    kind: SourceKind,
    version: u32,
}

impl Importer for Firefox {
    type Parsed = Parsed;

    fn detect(probe: &FormatProbe<'_>) -> Detection {
        let is_profile = match probe {
            FormatProbe::Start(bytes) => bytes.starts_with(&slabs::MAGIC),
            FormatProbe::Array => false,
            FormatProbe::Member(key, _) => matches!(*key, b"meta" | b"libs" | b"threads" | b"shared" | b"processes"),
        };
        is_profile.into()
    }

    fn read(text: &Text, context: &mut ImportContext<'_>) -> Result<Parsed, ImportError> {
        let step = Stopwatch::start();
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

        let step = Stopwatch::start();
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
        let step = Stopwatch::start();
        let Parsed { parts, kind, version } = parsed;
        let mut profile = join::join(parts, source.clone(), &mut context.warnings, context.progress);
        profile.meta.kind = kind;
        profile.meta.capabilities = Capabilities::FIREFOX;
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
