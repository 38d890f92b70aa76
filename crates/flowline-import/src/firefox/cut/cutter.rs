//! Writes profile objects, without the rows that are not in the part.

use std::io::Write;

use super::rows::{self, KeptRows, KeptThread};
use super::{sample_selection, tables};
use crate::cut::{CutError, CutScope};
use crate::error::ImportError;
use crate::firefox::dialect::Dialect;
use crate::firefox::document::meta;
use crate::firefox::document::outline::MAX_PROCESS_DEPTH;
use crate::firefox::document::slabs::Slabs;
use crate::firefox::importer::Firefox;
use crate::importer::{ImportContext, Importer};
use crate::io::text::Text;
use crate::json_copy::{JsonCopy, Stop};
use crate::options::Options;
use crate::progress::{Phase, Progress};
use crate::text_start::json_start;
use crate::timings::Timings;
use flowline_json::{Cursor, Kind, RawString};
use flowline_profile::{Ns, Profile, Source, SourceKind, Warnings};

/// Writes a part of a profile.
///
/// # Errors
/// If the text cannot be read again or the output cannot be written.
pub(crate) fn cut(scope: &CutScope<'_>, out: &mut dyn Write, progress: &Progress) -> Result<(), CutError> {
    match scope.profile.meta.kind {
        SourceKind::FirefoxJslb => cut_container(scope, out, progress),
        _ => cut_text(scope, out, progress),
    }
}

/// Writes a part of a profile in the binary container JSLB, as JSON. The whole JSON text is in memory meanwhile, unlike
/// that of other profiles.
///
/// # Errors
/// Same as [`cut`]; also if the container is so damaged that its JSON has different markers.
fn cut_container(scope: &CutScope<'_>, out: &mut dyn Write, progress: &Progress) -> Result<(), CutError> {
    let text = Slabs::parse(scope.profile.source.bytes(), &mut Warnings::default())?.to_json();
    let plain = read_json(text, progress)?;
    let counts = |profile: &Profile| profile.threads.iter().map(|thread| thread.markers.len()).collect::<Vec<_>>();
    if counts(&plain) != counts(scope.profile) {
        return Err(CutError::DamagedContainer);
    }
    let (threads, markers) = (scope.threads.clone(), scope.markers.clone());
    cut_text(&CutScope { profile: &plain, threads, markers, ..*scope }, out, progress)
}

/// Reads the JSON text of a container.
fn read_json(text: Vec<u8>, progress: &Progress) -> Result<Profile, ImportError> {
    let source = Source::new(text);
    let (options, timings) = (Options::default(), Timings::default());
    let mut context = ImportContext { options: &options, progress, warnings: Warnings::default(), timings };
    let parsed = Firefox::read(&Text::Complete(source.clone()), &mut context)?;
    Firefox::finish(parsed, &source, &mut context)
}

/// Writes a part of a profile in JSON.
///
/// # Errors
/// Same as [`cut`].
fn cut_text(scope: &CutScope<'_>, out: &mut dyn Write, progress: &Progress) -> Result<(), CutError> {
    let kept = rows::kept_rows(scope, progress)?;
    let text = scope.profile.source.bytes();
    progress.begin(Phase::Write, text.len() as u64);
    let mut start = json_start(text);
    let cutter = Cutter { scope, kept, root_start: start_time(start), progress };
    let copied = cutter.profile(&mut JsonCopy::new(text, out), &mut start, Ns(0), 0);
    match copied {
        Err(Stop::Io(error)) => return Err(error.into()),
        Err(Stop::Damage) | Ok(()) => {}
    }
    out.write_all(b"\n")?;
    Ok(())
}

/// Start time of the process of a profile object, in milliseconds since 1970.
fn start_time(mut profile: Cursor<'_>) -> Option<f64> {
    profile.enter_object().ok()?;
    while let Ok(Some(key)) = profile.next_key() {
        if key.bytes == b"meta" {
            return meta::read(Some(profile), &mut Warnings::default()).start_epoch_ms;
        }
        profile.skip_value().ok()?;
    }
    None
}

/// Writes profile objects.
struct Cutter<'c> {
    scope: &'c CutScope<'c>,
    kept: KeptRows,
    /// Start time of the root's process, in milliseconds since 1970.
    root_start: Option<f64>,
    progress: &'c Progress,
}

impl Cutter<'_> {
    /// Writes the profile of a process; `shift` converts times from its clock to the recording's clock.
    fn profile<'a>(
        &self,
        copy: &mut JsonCopy<'a, '_>,
        cursor: &mut Cursor<'a>,
        shift: Ns,
        depth: usize,
    ) -> Result<(), Stop> {
        copy.object(None, cursor, |copy, key, cursor| match (key.bytes, cursor.peek()?) {
            (b"threads", Kind::Array) => copy.guarded(cursor, |copy, cursor| {
                copy.array(Some(key), cursor, |copy, _, cursor| self.thread(copy, cursor))
            }),
            (b"counters", Kind::Array) => copy.guarded(cursor, |copy, cursor| {
                copy.array(Some(key), cursor, |copy, _, cursor| {
                    copy.guarded(cursor, |copy, cursor| self.counter(copy, cursor, shift))
                })
            }),
            (b"processes", Kind::Array) if depth < MAX_PROCESS_DEPTH => copy.guarded(cursor, |copy, cursor| {
                copy.array(Some(key), cursor, |copy, _, cursor| {
                    let own = start_time(*cursor).zip(self.root_start);
                    let shift = own.and_then(|(own, root)| Ns::from_ms(own - root)).unwrap_or_default();
                    copy.guarded(cursor, |copy, cursor| self.profile(copy, cursor, shift, depth + 1))
                })
            }),
            _ => copy.value(Some(key), cursor),
        })
    }

    fn thread<'a>(&self, copy: &mut JsonCopy<'a, '_>, cursor: &mut Cursor<'a>) -> Result<(), Stop> {
        cursor.peek()?;
        self.progress.set(cursor.offset() as u64);
        let Some(kept) = self.kept.threads.get(&cursor.offset()) else { return copy.value(None, cursor) };
        copy.guarded(cursor, |copy, cursor| {
            copy.object(None, cursor, |copy, key, cursor| self.thread_member(copy, key, cursor, kept))
        })
    }

    fn thread_member<'a>(
        &self,
        copy: &mut JsonCopy<'a, '_>,
        key: &RawString<'a>,
        cursor: &mut Cursor<'a>,
        kept: &KeptThread,
    ) -> Result<(), Stop> {
        let choose = |times: &[Ns]| {
            let scope = kept.is_in_scope.then_some(self.scope.range);
            sample_selection::of_samples(times, kept.shift, scope)
        };
        match (key.bytes, self.kept.dialect) {
            (b"markers", Dialect::Raw) => tables::raw_rows(copy, key, cursor, &kept.rows),
            (b"markers", Dialect::Processed) => tables::columns(copy, key, cursor, &kept.rows),
            (b"samples", Dialect::Raw) => tables::raw_samples(copy, key, cursor, choose),
            (b"samples" | b"jsAllocations" | b"nativeAllocations", Dialect::Processed) => {
                tables::samples(copy, key, cursor, choose)
            }
            _ => copy.value(Some(key), cursor),
        }
    }

    fn counter<'a>(&self, copy: &mut JsonCopy<'a, '_>, cursor: &mut Cursor<'a>, shift: Ns) -> Result<(), Stop> {
        let choose = |times: &[Ns]| sample_selection::of_counter(times, shift, self.scope.range);
        let samples =
            |copy: &mut JsonCopy<'a, '_>, key: &RawString<'a>, cursor: &mut Cursor<'a>| match self.kept.dialect {
                Dialect::Raw => tables::raw_counts(copy, key, cursor, choose),
                Dialect::Processed => tables::counts(copy, key, cursor, choose),
            };
        copy.object(None, cursor, |copy, key, cursor| match key.bytes {
            b"samples" => samples(copy, key, cursor),
            // Older versions have a list of sample tables.
            b"sampleGroups" | b"sample_groups" => copy.array(Some(key), cursor, |copy, _, cursor| {
                copy.object(None, cursor, |copy, key, cursor| match key.bytes {
                    b"samples" => samples(copy, key, cursor),
                    _ => copy.value(Some(key), cursor),
                })
            }),
            _ => copy.value(Some(key), cursor),
        })
    }
}
