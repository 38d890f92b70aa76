//! From a path to bytes of text: files are mapped, gzip and zip are inflated; sniffed by content, never by name.

use std::fs::File;
use std::io::{Cursor, Read};
use std::path::Path;

use super::error::ImportError;
use super::progress::{Phase, Progress};
use crate::profile::{Source, WarningKind, Warnings};

/// Inflated data beyond this many bytes is refused unless the caller raises the limit.
pub const DEFAULT_MAX_UNPACKED: u64 = 12 << 30;

/// Text ready to be read, and how large the file was.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) source: Source,
    pub(super) file_bytes: u64,
}

/// Maps a file; the only `unsafe` of the project.
///
/// # Errors
/// Those of the system.
///
/// The mapping is read-only and private. Should another process shorten the file while it is mapped, reading past its
/// new end raises SIGBUS; recordings are written once, so this is accepted, as every mapping reader does.
#[expect(unsafe_code, reason = "mapping a file is unsafe because others may change it")]
pub fn map(file: &File) -> std::io::Result<memmap2::Mmap> {
    // SAFETY: the mapping is only ever read as plain bytes; no reference outlives the `Mmap` that owns it.
    unsafe { memmap2::Mmap::map(file) }
}

/// Opens a file and unpacks it if it is packed.
pub(super) fn open(
    path: &Path,
    max_unpacked: u64,
    progress: &Progress,
    warnings: &mut Warnings,
) -> Result<Opened, ImportError> {
    let io = |error| ImportError::Io { path: path.to_owned(), error };
    let file = File::open(path).map_err(io)?;
    let meta = file.metadata().map_err(io)?;
    if meta.is_dir() {
        return Err(io(std::io::Error::from(std::io::ErrorKind::IsADirectory)));
    }
    let source = if meta.is_file() {
        if meta.len() == 0 {
            return Err(ImportError::Empty);
        }
        Source::new(map(&file).map_err(io)?)
    } else {
        let mut bytes = Vec::new();
        Read::take(&file, max_unpacked).read_to_end(&mut bytes).map_err(io)?;
        Source::new(bytes)
    };
    let file_bytes = source.bytes().len() as u64;
    let source = unpack(source, max_unpacked, progress, warnings)?;
    Ok(Opened { source, file_bytes })
}

/// Unpacks gzip and zip, also one inside the other.
pub(super) fn unpack(
    mut source: Source,
    max_unpacked: u64,
    progress: &Progress,
    warnings: &mut Warnings,
) -> Result<Source, ImportError> {
    for _ in 0..3 {
        let bytes = source.bytes();
        if bytes.is_empty() {
            return Err(ImportError::Empty);
        } else if bytes.starts_with(&[0x1f, 0x8b]) {
            source = Source::new(gunzip(bytes, max_unpacked, progress, warnings)?);
        } else if bytes.starts_with(b"PK\x03\x04") {
            source = Source::new(unzip(bytes, max_unpacked, progress, warnings)?);
        } else {
            break;
        }
    }
    Ok(source)
}

/// Inflates gzip. What a damaged or cut stream gave before the damage is kept, with a warning.
fn gunzip(bytes: &[u8], limit: u64, progress: &Progress, warnings: &mut Warnings) -> Result<Vec<u8>, ImportError> {
    progress.begin(Phase::Read, bytes.len() as u64);
    let mut decoder = flate2::bufread::MultiGzDecoder::new(Cursor::new(bytes));
    let mut text = Vec::with_capacity(bytes.len().saturating_mul(6).min(1 << 30));
    let result = inflate(&mut decoder, &mut text, limit, progress, |decoder| decoder.get_ref().position());
    finish_inflate(result, &text, "gzip", decoder.get_ref().position(), limit, progress, warnings)?;
    text.shrink_to_fit();
    Ok(text)
}

/// Inflates the zip's largest JSON member (recordings are saved alone, or beside small notes).
fn unzip(bytes: &[u8], limit: u64, progress: &Progress, warnings: &mut Warnings) -> Result<Vec<u8>, ImportError> {
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
    let result = inflate(&mut entry, &mut text, limit, progress, |_| 0);
    finish_inflate(result, &text, "zip", 0, limit, progress, warnings)?;
    Ok(text)
}

/// Reads to the end in blocks; gives back the first error.
fn inflate<R: Read>(
    reader: &mut R,
    text: &mut Vec<u8>,
    limit: u64,
    progress: &Progress,
    position: impl Fn(&R) -> u64,
) -> std::io::Result<()> {
    const BLOCK: u64 = 4 << 20;
    loop {
        if progress.is_cancelled() || text.len() as u64 > limit {
            return Ok(());
        }
        let read = reader.by_ref().take(BLOCK).read_to_end(text)?;
        progress.set(position(reader).max(if position(reader) == 0 { text.len() as u64 } else { 0 }));
        if read == 0 {
            return Ok(());
        }
    }
}

fn finish_inflate(
    result: std::io::Result<()>,
    text: &[u8],
    format: &'static str,
    position: u64,
    limit: u64,
    progress: &Progress,
    warnings: &mut Warnings,
) -> Result<(), ImportError> {
    if progress.is_cancelled() {
        return Err(ImportError::Cancelled);
    }
    if text.len() as u64 > limit {
        return Err(ImportError::TooLarge { limit });
    }
    if let Err(error) = result {
        if text.is_empty() {
            return Err(ImportError::Unpack { format, error: error.to_string() });
        }
        warnings.add(WarningKind::Truncated, || {
            format!("{format} stream, byte {position} of the file ({error}); {} bytes unpacked", text.len())
        });
    }
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
