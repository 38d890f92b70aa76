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
mod firefox;
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
use std::time::{Duration, Instant};

pub use derive::UNKNOWN_NAME;
pub use error::ImportError;
pub use mapping::Mapped;
pub use memory::Budget;
pub use progress::{Phase, Progress};
pub use source::{DEFAULT_MAX_UNPACKED, is_packed};

use crate::profile::{Profile, Source, WarningKind, Warnings};
use source::{Finished, Opened};

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

/// Reads the beginning of a file: so many bytes of its text, plain or packed by gzip.
///
/// # Errors
/// As [`open`].
pub fn open_beginning(
    path: &Path,
    bytes: usize,
    options: &Options,
    progress: &Progress,
) -> Result<Imported, ImportError> {
    let began = Instant::now();
    let opened = source::beginning(path, bytes)?;
    read_opened(opened, options, began, Warnings::default(), progress)
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

fn read_opened(
    mut opened: Opened,
    options: &Options,
    began: Instant,
    warnings: Warnings,
    progress: &Progress,
) -> Result<Imported, ImportError> {
    let mut timings = Timings { read: began.elapsed(), ..Timings::default() };
    let step = Instant::now();
    if opened.text.upto(0).0.is_empty() {
        return Err(ImportError::Empty);
    }
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
    let begun = warnings.clone();
    let mut read = firefox::read(&opened.text, options, begun, &mut timings, progress)?;
    let source = match opened.finish(options, progress, &mut read.warnings)? {
        Finished::Same(source) => source,
        Finished::Anew(source) => {
            read = firefox::read(&opened.text, options, warnings, &mut timings, progress)?;
            source
        }
    };
    let mut profile = firefox::derive(read, &source, &mut timings, progress)?;
    profile.meta.json_bytes = source.bytes().len() as u64;
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
