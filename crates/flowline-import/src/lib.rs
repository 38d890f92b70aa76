//! Turns bytes into a [`Profile`]: detects the format by content, reads the text, and derives markers.
//!
//! A format is a folder or a file with an `Importer` and a line in `FORMATS`. `io` opens, unpacks and maps files; the
//! importers only see text, possibly while it is still being unpacked.
//!
//! Damage never stops an importer: it keeps everything readable and reports each kind of damage as a warning with the
//! first location. [`ImportError`] means that nothing is usable.

mod annotate;
mod chrome;
mod collapsed;
mod cpuprofile;
pub mod cut;
mod error;
mod firefox;
mod format_detection;
mod importer;
mod io;
mod json_copy;
mod perf_script;
mod perfetto;
mod progress;
mod sampled;
mod scalar;
mod speedscope;
mod unsupported_formats;
mod v8;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub use annotate::write_annotated;
pub use error::ImportError;
pub use firefox::UNKNOWN_NAME;
pub use io::file_stamp::FileStamp;
pub use io::mapping::MappedFile;
pub use io::memory::{Budget, peak_memory};
pub use io::proc::executable_metadata;
pub use io::unpack::{DEFAULT_MAX_GROWTH, DEFAULT_MAX_UNPACKED, is_compressed_file, is_packed};
pub use progress::{Phase, Progress};

use flowline_profile::{Profile, Source, SourceKind, WarningKind, Warnings};
use importer::{Format, ImportContext};
use io::source::{self, Opened};

/// The known formats. The first one that matches a text reads it (see [`detect`]).
const FORMATS: [Format; 6] = [
    Format::new::<firefox::Firefox>(),
    Format::new::<chrome::Chrome>(),
    Format::new::<cpuprofile::V8Profile>(),
    Format::new::<speedscope::Speedscope>(),
    Format::new::<perf_script::PerfScript>(),
    Format::new::<collapsed::Collapsed>(),
];

/// The names of all formats, for messages.
fn format_names() -> String {
    let mut names = FORMATS.map(|format| format.name).to_vec();
    // Perfetto traces are converted to trace events before format detection, so they have no entry in `FORMATS`.
    names.insert(2, perfetto::NAME);
    let (last, others) = names.split_last().unwrap_or((&"", &[]));
    format!("{} and {last}", others.join(", "))
}

/// Import options.
#[derive(Clone, Debug)]
pub struct Options {
    /// Maximum size of the unpacked input in bytes; larger input is rejected.
    pub max_unpacked: u64,
    /// Decompression limit: large packed input that unpacks to more than this many times its size is rejected (see
    /// [`ImportError::Suspicious`]); `None` disables the limit.
    pub max_expansion: Option<u64>,
    /// Parallel chunk size of trace events, in bytes; the result does not depend on it.
    pub chunk: usize,
    /// The memory limit.
    pub budget: Budget,
    /// Folder for the unpacked text of packed recordings; `None` keeps the text in memory.
    pub spill: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        let spill = Some(std::env::temp_dir());
        let max_expansion = Some(DEFAULT_MAX_GROWTH);
        Self {
            max_unpacked: DEFAULT_MAX_UNPACKED,
            max_expansion,
            chunk: chrome::CHUNK,
            budget: Budget::default(),
            spill,
        }
    }
}

/// Duration of each step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timings {
    /// Mapping and unpacking.
    pub read: Duration,
    /// Detecting the format and finding threads.
    pub scan: Duration,
    /// Reading columns or events.
    pub parse: Duration,
    /// Deriving markers and joining threads.
    pub derive: Duration,
}

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
    let began = Instant::now();
    let mut warnings = Warnings::default();
    let opened = source::open(path, options, progress, &mut warnings)?;
    read_opened(opened, options, began, warnings, progress)
}

/// Reads standard input to its end.
///
/// # Errors
/// Same as [`open`].
pub fn open_input(options: &Options, progress: &Progress) -> Result<Imported, ImportError> {
    let began = Instant::now();
    let mut warnings = Warnings::default();
    let opened = source::open_input(options, progress, &mut warnings)?;
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
    let began = Instant::now();
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
    let began = Instant::now();
    let mut warnings = Warnings::default();
    let opened = source::from_bytes(Source::new(bytes), None, options, progress, &mut warnings)?;
    read_opened(opened, options, began, warnings, progress)
}

/// Writes a part of a recording in the recording's format; `progress` counts bytes of the whole text.
///
/// # Errors
/// Returns a [`cut::CutError`]; `out` then contains the beginning of the part.
pub fn write_part(
    scope: &cut::CutScope<'_>,
    out: &mut dyn std::io::Write,
    progress: &Progress,
) -> Result<(), cut::CutError> {
    cut::check_format(scope.profile)?;
    match scope.profile.meta.kind {
        SourceKind::ChromeTrace | SourceKind::PerfettoTrace => chrome::cut(scope, out, progress)?,
        SourceKind::FirefoxJslb => firefox::cut_container(scope, out, progress)?,
        _ => firefox::cut(scope, out, progress)?,
    }
    out.flush()?;
    Ok(())
}

fn read_opened(
    mut opened: Opened,
    options: &Options,
    began: Instant,
    warnings: Warnings,
    progress: &Progress,
) -> Result<Imported, ImportError> {
    let timings = Timings { read: began.elapsed(), ..Timings::default() };
    let mut context = ImportContext { options, progress, warnings, timings };
    let step = Instant::now();
    let format = format_detection::detect_format(&opened.text, &FORMATS)?;
    context.timings.scan = step.elapsed();
    let mut profile = (format.import)(&mut opened, &mut context)?;
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
