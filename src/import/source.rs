//! From a path to text: files are mapped, gzip and zip are inflated; sniffed by content, never by name.
//!
//! Packed text is read while it arrives (see `growing`); where that is not possible it is inflated into memory first.

use std::fs::File;
use std::io::{Cursor, Read};
use std::path::Path;
use std::sync::Arc;

use super::Options;
use super::error::ImportError;
use super::growing::{End, Growing};
use super::mapping::Mapped;
use super::progress::{Phase, Progress};
use crate::profile::{Source, WarningKind, Warnings, json};

/// Inflated data beyond this many bytes is refused unless the caller raises the limit.
pub const DEFAULT_MAX_UNPACKED: u64 = 12 << 30;

/// Text that is there, or arriving.
#[derive(Debug)]
pub(super) enum Text {
    Whole(Source),
    Growing(Arc<Growing>),
}

/// Text, and what is known of the file it comes from.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) text: Text,
    pub(super) file_bytes: u64,
    /// The file, if it is mapped.
    pub(super) mapped: Option<Mapped>,
    /// The bytes of the file.
    packed: Source,
}

impl Text {
    /// Waits until more than `offset` bytes are there, or all. Gives what is there, and whether that is all.
    pub(super) fn upto(&self, offset: usize) -> (&[u8], bool) {
        match self {
            Self::Whole(source) => (source.bytes(), true),
            Self::Growing(growing) => growing.upto(offset),
        }
    }

    /// Tries a step; where the text ends in it but more is to come, waits for that and tries again.
    pub(super) fn patient<'a, T>(
        &'a self,
        cursor: &mut json::Cursor<'a>,
        step: impl Fn(&mut json::Cursor<'a>) -> Result<T, json::JsonError>,
    ) -> Result<T, json::JsonError> {
        loop {
            let before = *cursor;
            let known = before.text().len();
            match step(cursor) {
                Err(_) if self.upto(known).0.len() > known => {
                    *cursor = json::Cursor::at(self.upto((known + 1) * 2).0, before.offset());
                }
                result => return result,
            }
        }
    }
}

impl Drop for Text {
    fn drop(&mut self) {
        if let Self::Growing(growing) = self {
            growing.abandon();
        }
    }
}

impl Opened {
    /// Waits for all of the text.
    ///
    /// # Errors
    /// When it cannot be unpacked.
    pub(super) fn finish(
        &mut self,
        options: &Options,
        progress: &Progress,
        warnings: &mut Warnings,
    ) -> Result<Finished, ImportError> {
        let growing = match &self.text {
            Text::Whole(source) => return Ok(Finished::Same(source.clone())),
            Text::Growing(growing) => Arc::clone(growing),
        };
        let (end, text) = growing.finish(progress);
        match end {
            End::Whole(damage) => {
                if let Some(damage) = damage {
                    warnings.add(WarningKind::Truncated, || damage);
                }
                Ok(Finished::Same(Source::new(text)))
            }
            End::Failed(error) => Err(error),
            // The disk is full: then in memory, if there is enough of it.
            End::NoRoom(error) => {
                drop(text);
                options.budget.check(self.file_bytes.saturating_mul(8)).map_err(|_| ImportError::NoRoom(error))?;
                let source = unpack(self.packed.clone(), options, progress, warnings)?;
                self.text = Text::Whole(source.clone());
                Ok(Finished::Anew(source))
            }
        }
    }
}

/// The whole text at last.
pub(super) enum Finished {
    /// What was looked at so far is its beginning.
    Same(Source),
    /// What was looked at so far is to be forgotten.
    Anew(Source),
}

/// Opens a file.
pub(super) fn open(
    path: &Path,
    options: &Options,
    progress: &Progress,
    warnings: &mut Warnings,
) -> Result<Opened, ImportError> {
    let io = |error| ImportError::Io { path: path.to_owned(), error };
    let file = File::open(path).map_err(io)?;
    let meta = file.metadata().map_err(io)?;
    if meta.is_dir() {
        return Err(io(std::io::Error::from(std::io::ErrorKind::IsADirectory)));
    }
    let (packed, mapped) = if meta.is_file() {
        if meta.len() == 0 {
            return Err(ImportError::Empty);
        }
        let mapped = Mapped::new(&file).map_err(io)?;
        (Source::new(mapped.clone()), Some(mapped))
    } else {
        let mut bytes = Vec::new();
        Read::take(&file, options.max_unpacked).read_to_end(&mut bytes).map_err(io)?;
        (Source::new(bytes), None)
    };
    of_bytes(packed, mapped, options, progress, warnings)
}

/// Whether a file begins as packed ones do.
#[must_use]
pub fn is_packed(path: &Path) -> bool {
    let mut head = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && (head.starts_with(&GZIP) || head == ZIP)
}

/// The beginning of a mapped file.
#[derive(Debug)]
struct Beginning(Mapped, usize);

impl AsRef<[u8]> for Beginning {
    fn as_ref(&self) -> &[u8] {
        &self.0.as_ref()[..self.1]
    }
}

/// The first bytes of a file's text; text packed otherwise than by gzip gives nothing.
pub(super) fn beginning(path: &Path, bytes: usize) -> Result<Opened, ImportError> {
    let io = |error| ImportError::Io { path: path.to_owned(), error };
    let mapped = File::open(path).and_then(|file| Mapped::new(&file)).map_err(io)?;
    let length = mapped.as_ref().len();
    let source = if mapped.as_ref().starts_with(&GZIP) {
        let mut text = Vec::new();
        let decoder = flate2::bufread::MultiGzDecoder::new(mapped.as_ref());
        // What came before damage counts.
        let _damaged = decoder.take(bytes as u64).read_to_end(&mut text);
        Source::new(text)
    } else {
        Source::new(Beginning(mapped.clone(), bytes.min(length)))
    };
    Ok(Opened { text: Text::Whole(source.clone()), file_bytes: length as u64, mapped: Some(mapped), packed: source })
}

/// Text of bytes, packed or not.
pub(super) fn of_bytes(
    packed: Source,
    mapped: Option<Mapped>,
    options: &Options,
    progress: &Progress,
    warnings: &mut Warnings,
) -> Result<Opened, ImportError> {
    let file_bytes = packed.bytes().len() as u64;
    let text = match begin_unpacking(&packed, options) {
        Some(growing) => {
            progress.begin(Phase::Read, file_bytes);
            Text::Growing(growing)
        }
        None => Text::Whole(unpack(packed.clone(), options, progress, warnings)?),
    };
    Ok(Opened { text, file_bytes, mapped, packed })
}

/// Packed input smaller than this is inflated first: it takes no time.
const SMALL: usize = 1 << 20;

/// Starts a thread that inflates gzip; `None` where the text is to be inflated first.
fn begin_unpacking(packed: &Source, options: &Options) -> Option<Arc<Growing>> {
    let folder = options.spill.as_deref()?;
    if !packed.bytes().starts_with(&GZIP) || packed.bytes().len() < SMALL {
        return None;
    }
    // Gzip inside gzip, and zip, are inflated first.
    let mut head = [0; 4];
    let inner = flate2::bufread::MultiGzDecoder::new(packed.bytes()).read_exact(&mut head);
    if inner.is_err() || head.starts_with(&GZIP) || head == ZIP {
        return None;
    }
    let growing = Growing::new(folder, options.max_unpacked).ok()?;
    let (target, packed, limit) = (Arc::clone(&growing), packed.clone(), options.max_unpacked);
    let unpack = move || target.end(inflate_into(&target, packed.bytes(), limit));
    std::thread::Builder::new().name("unpack".into()).spawn(unpack).ok()?;
    Some(growing)
}

const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZIP: [u8; 4] = *b"PK\x03\x04";

/// Inflates gzip into a text that is read meanwhile.
fn inflate_into(target: &Growing, packed: &[u8], limit: u64) -> End {
    let mut decoder = flate2::bufread::MultiGzDecoder::new(Cursor::new(packed));
    let mut block = vec![0; 1 << 18];
    let mut total = 0_u64;
    loop {
        let read = match decoder.read(&mut block) {
            Ok(0) => return End::Whole(None),
            Ok(read) => read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) if total == 0 => {
                return End::Failed(ImportError::Unpack { format: "gzip", error: error.to_string() });
            }
            Err(error) => return End::Whole(Some(damage("gzip", decoder.get_ref().position(), &error, total))),
        };
        total += read as u64;
        if total > limit {
            return End::Failed(ImportError::TooLarge { limit });
        }
        match target.push(&block[..read]) {
            Ok(true) => {}
            Ok(false) => return End::Failed(ImportError::Cancelled),
            Err(error) => return End::NoRoom(error),
        }
    }
}

fn damage(format: &str, position: u64, error: &std::io::Error, unpacked: u64) -> String {
    format!("{format} stream, byte {position} of the file ({error}); {unpacked} bytes unpacked")
}

/// Unpacks gzip and zip into memory, also one inside the other.
fn unpack(
    mut source: Source,
    options: &Options,
    progress: &Progress,
    warnings: &mut Warnings,
) -> Result<Source, ImportError> {
    for _ in 0..3 {
        let bytes = source.bytes();
        if bytes.is_empty() {
            return Err(ImportError::Empty);
        } else if bytes.starts_with(&GZIP) {
            source = Source::new(gunzip(bytes, options, progress, warnings)?);
        } else if bytes.starts_with(&ZIP) {
            source = Source::new(unzip(bytes, options, progress, warnings)?);
        } else {
            break;
        }
    }
    Ok(source)
}

/// Inflates gzip. What a damaged or cut stream gave before the damage is kept, with a warning.
fn gunzip(
    bytes: &[u8],
    options: &Options,
    progress: &Progress,
    warnings: &mut Warnings,
) -> Result<Vec<u8>, ImportError> {
    progress.begin(Phase::Read, bytes.len() as u64);
    let mut decoder = flate2::bufread::MultiGzDecoder::new(Cursor::new(bytes));
    let mut text = Vec::with_capacity(bytes.len().saturating_mul(6).min(1 << 30));
    let result = inflate(&mut decoder, &mut text, options, progress, |decoder| decoder.get_ref().position());
    finish_inflate(result?, &text, "gzip", decoder.get_ref().position(), warnings)?;
    text.shrink_to_fit();
    Ok(text)
}

/// Inflates the zip's largest JSON member (recordings are saved alone, or beside small notes).
fn unzip(
    bytes: &[u8],
    options: &Options,
    progress: &Progress,
    warnings: &mut Warnings,
) -> Result<Vec<u8>, ImportError> {
    let damaged = |error: zip::result::ZipError| ImportError::Unpack { format: "zip", error: error.to_string() };
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
    let mut best: Option<(bool, u64, usize)> = None;
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(damaged)?;
        let json = entry.name().is_ok_and(|name| name.contains(".json"));
        let candidate = (json, entry.size(), index);
        if entry.is_file() && best.is_none_or(|best| candidate > best) {
            best = Some(candidate);
        }
    }
    let Some((_, size, index)) = best else {
        return Err(ImportError::Unpack { format: "zip", error: "it holds no file".into() });
    };
    progress.begin(Phase::Read, size);
    let mut entry = archive.by_index(index).map_err(damaged)?;
    let mut text = Vec::new();
    let result = inflate(&mut entry, &mut text, options, progress, |_| 0);
    finish_inflate(result?, &text, "zip", 0, warnings)?;
    Ok(text)
}

/// Reads to the end in blocks; gives back the first damage. Refuses what is too large for the limit or for the memory.
fn inflate<R: Read>(
    reader: &mut R,
    text: &mut Vec<u8>,
    options: &Options,
    progress: &Progress,
    position: impl Fn(&R) -> u64,
) -> Result<std::io::Result<()>, ImportError> {
    const BLOCK: u64 = 4 << 20;
    let mut checked = 256 << 20;
    loop {
        if progress.is_cancelled() {
            return Err(ImportError::Cancelled);
        }
        if text.len() as u64 > options.max_unpacked {
            return Err(ImportError::TooLarge { limit: options.max_unpacked });
        }
        // A growing list doubles.
        if text.len() > checked {
            options.budget.check(text.len() as u64)?;
            checked = text.len() * 2;
        }
        let read = match reader.by_ref().take(BLOCK).read_to_end(text) {
            Ok(read) => read,
            Err(error) => return Ok(Err(error)),
        };
        progress.set(position(reader).max(if position(reader) == 0 { text.len() as u64 } else { 0 }));
        if read == 0 {
            return Ok(Ok(()));
        }
    }
}

fn finish_inflate(
    result: std::io::Result<()>,
    text: &[u8],
    format: &'static str,
    position: u64,
    warnings: &mut Warnings,
) -> Result<(), ImportError> {
    let Err(error) = result else { return Ok(()) };
    if text.is_empty() {
        return Err(ImportError::Unpack { format, error: error.to_string() });
    }
    warnings.add(WarningKind::Truncated, || damage(format, position, &error, text.len() as u64));
    Ok(())
}

/// Names what the bytes are if they are certainly no recording.
pub(super) fn known_foreign(bytes: &[u8]) -> Option<&'static str> {
    let magics: [(&[u8], &str); 10] = [
        (b"\x89PNG", "a PNG picture"),
        (b"\xff\xd8\xff", "a JPEG picture"),
        (b"GIF8", "a GIF picture"),
        (b"%PDF", "a PDF document"),
        (b"\x7fELF", "a program"),
        (b"\x28\xb5\x2f\xfd", "zstd data"),
        (b"BZh", "bzip2 data"),
        (b"\xfd7zXZ", "xz data"),
        (b"<", "an HTML or XML page"),
        (b"SQLite format 3", "a database"),
    ];
    magics.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, what)| *what)
}
