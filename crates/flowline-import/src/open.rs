//! Opens and imports files, standard input and bytes.

use std::path::Path;

use crate::error::ImportError;
use crate::format_detection::detect_format;
use crate::importer::ImportContext;
use crate::io::mapping::MappedFile;
use crate::io::source::{self, Opened};
use crate::options::Options;
use crate::progress::Progress;
use crate::timings::Timings;
use crate::unsupported_formats::unsupported_start;
use flowline_profile::{Profile, Source, Stopwatch, WarningKind, Warnings};

/// A recording and the duration of its import.
#[derive(Debug)]
pub struct Imported {
    /// The recording.
    pub profile: Profile,
    /// Duration of each step.
    pub timings: Timings,
}

/// Reads a file.
///
/// # Errors
/// Returns an [`ImportError`] if nothing is usable or if `progress` was canceled.
pub fn open(path: &Path, options: &Options, progress: &Progress) -> Result<Imported, ImportError> {
    let began = Stopwatch::start();
    let mut warnings = Warnings::default();
    progress.watch_memory(options.budget);
    let opened = source::open(path, options, progress, &mut warnings, unsupported_start);
    let opened = opened.map_err(|error| explained(error, progress))?;
    read_opened(opened, options, began, warnings, progress)
}

/// Reads standard input to its end.
///
/// # Errors
/// Same as [`open`].
pub fn open_input(options: &Options, progress: &Progress) -> Result<Imported, ImportError> {
    let began = Stopwatch::start();
    let mut warnings = Warnings::default();
    progress.watch_memory(options.budget);
    let opened = source::open_input(options, progress, &mut warnings, unsupported_start);
    let opened = opened.map_err(|error| explained(error, progress))?;
    read_opened(opened, options, began, warnings, progress)
}

/// Reads the first `bytes` bytes of a file's text, plain or gzip-compressed. The markers before that point are also
/// read for a thread that extends beyond it (see `firefox::cut_thread`).
///
/// # Errors
/// Same as [`open`].
pub fn open_partial(
    path: &Path,
    bytes: usize,
    options: &Options,
    progress: &Progress,
) -> Result<Imported, ImportError> {
    let began = Stopwatch::start();
    let opened = source::open_partial(path, bytes)?;
    read_opened(opened, options, began, Warnings::default(), progress)
}

/// Reads bytes in memory, packed or not.
///
/// # Errors
/// Same as [`open`].
pub fn read(bytes: impl AsRef<[u8]> + Send + Sync + 'static, progress: &Progress) -> Result<Imported, ImportError> {
    read_with(bytes, &Options::default(), progress)
}

/// Like [`read`], with options.
///
/// # Errors
/// Same as [`open`].
pub fn read_with(
    bytes: impl AsRef<[u8]> + Send + Sync + 'static,
    options: &Options,
    progress: &Progress,
) -> Result<Imported, ImportError> {
    let began = Stopwatch::start();
    let mut warnings = Warnings::default();
    let opened = source::from_bytes(Source::new(bytes), None, options, progress, &mut warnings)?;
    read_opened(opened, options, began, warnings, progress)
}

/// The reason why a load was stopped, which readers only know as canceled.
fn explained(error: ImportError, progress: &Progress) -> ImportError {
    if matches!(error, ImportError::Cancelled) { progress.stop_error() } else { error }
}

fn read_opened(
    mut opened: Opened,
    options: &Options,
    began: Stopwatch,
    warnings: Warnings,
    progress: &Progress,
) -> Result<Imported, ImportError> {
    let timings = Timings { read: began.elapsed(), ..Timings::default() };
    progress.watch_memory(options.budget);
    let mut context = ImportContext { options, progress, warnings, timings };
    let step = Stopwatch::start();
    let format = detect_format(&opened.text)?;
    context.timings.scan = step.elapsed();
    let imported = (format.import)(&mut opened, &mut context);
    let mut profile = imported.map_err(|error| explained(error, progress))?;
    profile.warnings = context.warnings;
    profile.meta.file_bytes = opened.file_bytes;
    if opened.mapped.as_ref().is_some_and(MappedFile::is_truncated) {
        let what = || "the file shrank while it was being read; the text after its new end is lost".into();
        profile.warnings.add(WarningKind::Truncated, what);
    } else if opened.mapped.as_ref().is_some_and(MappedFile::has_changed) {
        profile.warnings.add(WarningKind::Changed, || "the file was modified while it was being read".into());
    }
    Ok(Imported { profile, timings: context.timings })
}
