//! Opens files: maps them and starts decompression. Compressed text is read while it is decompressed if possible (see
//! `spool`); otherwise it is decompressed into memory first.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use super::mapping::MappedFile;
use super::spool::SpoolEnd;
use super::stream::{self, Stream};
use super::text::Text;
use super::unpack;
use crate::error::ImportError;
use crate::options::Options;
use crate::progress::{Phase, Progress};
use flowline_profile::{Source, WarningKind, Warnings};

/// Returns the error for the start of a stream that cannot be a recording.
pub(crate) type Refuse = fn(&[u8]) -> Option<ImportError>;

/// An opened file and its text.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) text: Text,
    /// Length of the file in bytes.
    pub(crate) file_bytes: u64,
    /// The map of the file; `None` for other inputs.
    pub(crate) mapped: Option<MappedFile>,
    /// The bytes of the file, possibly compressed.
    packed: Source,
}

/// The complete text, after [`Opened::finish`].
pub(crate) enum Finished {
    /// The text, which starts with the text read so far.
    Complete(Source),
    /// The text, decompressed again into memory. The text read so far is invalid.
    Restarted(Source),
}

impl Opened {
    /// Waits for the complete text.
    ///
    /// # Errors
    /// When the decompression fails.
    pub(crate) fn finish(
        &mut self,
        options: &Options,
        progress: &Progress,
        warnings: &mut Warnings,
    ) -> Result<Finished, ImportError> {
        let spooled = match &self.text {
            Text::Complete(source) | Text::Partial { source, .. } => return Ok(Finished::Complete(source.clone())),
            Text::Spooled(spooled) => Arc::clone(spooled),
        };
        let (end, text) = spooled.finish(progress);
        match end {
            SpoolEnd::Complete(damage) => {
                if let Some(damage) = damage {
                    warnings.add(WarningKind::Truncated, || damage);
                }
                Ok(Finished::Complete(text.into_source()))
            }
            SpoolEnd::Failed(error) => Err(error),
            // The disk is full: fall back to memory, if there is enough.
            SpoolEnd::DiskFull(error) => {
                drop(text);
                options.budget.check(self.file_bytes.saturating_mul(8)).map_err(|_| ImportError::NoRoom(error))?;
                let source = unpack::unpack(self.packed.clone(), options, progress, warnings)?;
                self.text = Text::Complete(source.clone());
                Ok(Finished::Restarted(source))
            }
        }
    }
}

/// Opens a file.
pub(crate) fn open(
    path: &Path,
    options: &Options,
    progress: &Progress,
    warnings: &mut Warnings,
    refuse: Refuse,
) -> Result<Opened, ImportError> {
    let io = |error| ImportError::Io { path: path.to_owned(), error };
    // Checked before opening, because opening a pipe without a writer blocks.
    let metadata = std::fs::metadata(path).map_err(io)?;
    if metadata.is_dir() {
        return Err(io(std::io::Error::from(std::io::ErrorKind::IsADirectory)));
    }
    if !metadata.is_file() {
        return open_stream(Stream::Path(path), options, progress, warnings, refuse);
    }
    if metadata.len() == 0 {
        return Err(ImportError::Empty);
    }
    let mapped = File::open(path).and_then(|file| MappedFile::recording(&file)).map_err(io)?;
    from_bytes(mapped.to_source(), Some(mapped), options, progress, warnings)
}

/// Reads standard input.
pub(crate) fn open_input(
    options: &Options,
    progress: &Progress,
    warnings: &mut Warnings,
    refuse: Refuse,
) -> Result<Opened, ImportError> {
    open_stream(Stream::Input, options, progress, warnings, refuse)
}

/// Reads a stream to its end.
fn open_stream(
    stream: Stream<'_>,
    options: &Options,
    progress: &Progress,
    warnings: &mut Warnings,
    refuse: Refuse,
) -> Result<Opened, ImportError> {
    let bytes = stream::read(stream, options, progress, refuse)?;
    from_bytes(Source::new(bytes), None, options, progress, warnings)
}

/// Opens the first `bytes` bytes of a file's text. Only gzip is decompressed.
pub(crate) fn open_partial(path: &Path, bytes: usize) -> Result<Opened, ImportError> {
    let io = |error| ImportError::Io { path: path.to_owned(), error };
    let mapped = File::open(path).and_then(|file| MappedFile::recording(&file)).map_err(io)?;
    let packed = mapped.to_source();
    let source = match unpack::gunzip_prefix(mapped.as_ref(), bytes) {
        Some(text) => Source::new(text),
        None => packed.clone(),
    };
    let length = source.bytes().len().min(bytes);
    let file_bytes = packed.bytes().len() as u64;
    Ok(Opened { text: Text::Partial { source, length }, file_bytes, mapped: Some(mapped), packed })
}

/// Opens bytes, compressed or not.
pub(crate) fn from_bytes(
    packed: Source,
    mapped: Option<MappedFile>,
    options: &Options,
    progress: &Progress,
    warnings: &mut Warnings,
) -> Result<Opened, ImportError> {
    let file_bytes = packed.bytes().len() as u64;
    let text = match unpack::spawn(&packed, options) {
        Some(spooled) => {
            progress.begin(Phase::Read, file_bytes);
            Text::Spooled(spooled)
        }
        None => Text::Complete(unpack::unpack(packed.clone(), options, progress, warnings)?),
    };
    Ok(Opened { text, file_bytes, mapped, packed })
}
