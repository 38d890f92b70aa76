//! Decompresses gzip, zstd and zip, detected by magic number, and converts UTF-16.

use std::fs::File;
use std::io::{Cursor, Read};
use std::sync::Arc;

use super::gzip::GzipReader;
use super::spool::{SpoolEnd, SpooledText};
use super::utf16;
use super::zstd::{self, ZstdDecoder};
use crate::error::ImportError;
use crate::options::Options;
use crate::perfetto;
use crate::progress::{Phase, Progress};
use flowline_profile::{Source, WarningKind, Warnings};

/// Decompressed text smaller than this may have grown by any factor.
const MIN_SUSPICIOUS: u64 = 256 << 20;

/// Checks the size of decompressed text against the limits. `packed` is the number of compressed bytes that produced
/// it.
fn check_size(packed: u64, unpacked: u64, options: &Options) -> Result<(), ImportError> {
    if unpacked > options.max_unpacked {
        return Err(ImportError::TooLarge { limit: options.max_unpacked });
    }
    // The memory budget also covers decompressed text spilled to disk.
    if let Some(free) = options.budget.limit.filter(|limit| unpacked > *limit) {
        return Err(ImportError::OutOfMemory { needed: unpacked, free });
    }
    let most = options
        .max_expansion
        .map_or(u64::MAX, |expansion_ratio| packed.saturating_mul(expansion_ratio).max(MIN_SUSPICIOUS));
    if unpacked > most { Err(ImportError::Suspicious { packed, unpacked }) } else { Ok(()) }
}

/// A compressed container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Container {
    Gzip,
    Zstd,
    Zip,
}

/// Returns the container that starts with these bytes.
fn container_of(bytes: &[u8]) -> Option<Container> {
    const GZIP: [u8; 2] = [0x1f, 0x8b];
    const ZIP: [u8; 4] = *b"PK\x03\x04";
    if bytes.starts_with(&GZIP) {
        Some(Container::Gzip)
    } else if bytes.starts_with(&zstd::MAGIC) {
        Some(Container::Zstd)
    } else if bytes.starts_with(&ZIP) {
        Some(Container::Zip)
    } else {
        None
    }
}

/// Returns true if the bytes start with the magic number of gzip, zstd or zip.
#[must_use]
pub fn is_packed(bytes: &[u8]) -> bool {
    container_of(bytes).is_some()
}

/// Returns true if a file starts with the magic number of gzip, zstd or zip; false if it cannot be read.
#[must_use]
pub fn is_compressed_file(mut file: &File) -> bool {
    let mut head = Vec::new();
    let read = std::io::Seek::rewind(&mut file).and_then(|()| file.take(4).read_to_end(&mut head));
    read.is_ok() && is_packed(&head)
}

/// Decompresses the first `bytes` bytes of gzipped text, or the text before damage; `None` if the input is not gzip.
pub(super) fn gunzip_prefix(packed: &[u8], bytes: usize) -> Option<Vec<u8>> {
    if container_of(packed) != Some(Container::Gzip) {
        return None;
    }
    let mut text = Vec::new();
    let _damage = GzipReader::new(packed).take(bytes as u64).read_to_end(&mut text);
    Some(text)
}

/// Input smaller than this is decompressed up front, because a thread would not pay off.
const MIN_SPOOLED: usize = 1 << 20;

/// Number of decompressed bytes for format detection.
const HEAD: usize = 1 << 16;

/// Starts a thread that decompresses gzip; `None` if the input is not gzip or must be converted up front.
pub(super) fn spawn(packed: &Source, options: &Options) -> Option<Arc<SpooledText>> {
    let folder = options.spill.as_deref()?;
    if packed.bytes().len() < MIN_SPOOLED {
        return None;
    }
    let is_gzip = container_of(packed.bytes()) == Some(Container::Gzip);
    let inner = if is_gzip { gunzip_prefix(packed.bytes(), HEAD)? } else { Vec::new() };
    // Nested containers and UTF-16 are converted up front.
    if !is_gzip || inner.len() < 4 || is_packed(&inner) || utf16::is_utf16(&inner) {
        return None;
    }
    let spooled = SpooledText::new(folder, options.max_unpacked).ok()?;
    let (target, packed, options) = (Arc::clone(&spooled), packed.clone(), options.clone());
    let unpack = move || {
        target.end(inflate_into(&target, packed.bytes(), &options));
    };
    std::thread::Builder::new().name("unpack".into()).spawn(unpack).ok()?;
    Some(spooled)
}

/// Decompresses gzip into text that is read at the same time.
fn inflate_into(target: &SpooledText, packed: &[u8], options: &Options) -> SpoolEnd {
    let mut decoder = GzipReader::new(packed);
    let mut block = vec![0; 1 << 18];
    let mut total = 0_u64;
    loop {
        let read = match decoder.read(&mut block) {
            Ok(0) => return SpoolEnd::Complete(None),
            Ok(read) => read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) if total == 0 => {
                return SpoolEnd::Failed(ImportError::Unpack { format: "gzip", error: error.to_string() });
            }
            Err(error) => return SpoolEnd::Complete(Some(damage("gzip", decoder.position(), &error, total))),
        };
        total += read as u64;
        if let Err(refused) = check_size(decoder.position(), total, options) {
            return SpoolEnd::Failed(refused);
        }
        match target.push(&block[..read]) {
            Ok(true) => {}
            Ok(false) => return SpoolEnd::Failed(ImportError::Cancelled),
            Err(error) => return SpoolEnd::DiskFull(error),
        }
    }
}

fn damage(format: &str, position: u64, error: &std::io::Error, unpacked: u64) -> String {
    format!("{format} stream at byte {position} of the file ({error}); {unpacked} bytes decompressed")
}

/// Decompresses gzip, zstd and zip into memory, also nested ones, and decodes UTF-16.
pub(super) fn unpack(
    mut source: Source,
    options: &Options,
    progress: &Progress,
    warnings: &mut Warnings,
) -> Result<Source, ImportError> {
    for _ in 0..3 {
        let bytes = source.bytes();
        if bytes.is_empty() {
            return Err(ImportError::Empty);
        }
        source = Source::new(match container_of(bytes) {
            Some(Container::Gzip) => gunzip(bytes, options, progress, warnings)?,
            Some(Container::Zstd) => unzstd(bytes, options, progress, warnings)?,
            Some(Container::Zip) => unzip(bytes, options, progress, warnings)?,
            None => break,
        });
    }
    if perfetto::is_trace(source.bytes()) {
        return Ok(source);
    }
    if let Some(decoded) = utf16::decode(source.bytes(), options, progress) {
        source = Source::new(decoded?);
    }
    Ok(source)
}

/// Decompresses gzip. Text before damage is kept, with a warning.
fn gunzip(
    bytes: &[u8],
    options: &Options,
    progress: &Progress,
    warnings: &mut Warnings,
) -> Result<Vec<u8>, ImportError> {
    progress.begin(Phase::Read, bytes.len() as u64);
    let mut decoder = GzipReader::new(bytes);
    let mut text = Vec::with_capacity(bytes.len().saturating_mul(6).min(1 << 30));
    let result = inflate(&mut decoder, &mut text, options, progress, |decoder, _| [decoder.position(); 2]);
    finish_inflate(result?, &text, "gzip", decoder.position(), warnings)?;
    text.shrink_to_fit();
    Ok(text)
}

/// Decompresses zstd. Text before damage is kept, with a warning.
fn unzstd(
    bytes: &[u8],
    options: &Options,
    progress: &Progress,
    warnings: &mut Warnings,
) -> Result<Vec<u8>, ImportError> {
    progress.begin(Phase::Read, bytes.len() as u64);
    let mut decoder = ZstdDecoder::new(Cursor::new(bytes), options.max_window);
    let mut text = Vec::new();
    let result = inflate(&mut decoder, &mut text, options, progress, |decoder, _| [decoder.get_ref().position(); 2]);
    finish_inflate(result?, &text, "zstd", decoder.get_ref().position(), warnings)?;
    text.shrink_to_fit();
    Ok(text)
}

/// A file in a zip archive.
struct Candidate {
    is_recording: bool,
    size: u64,
    index: usize,
    name: String,
}

/// Returns true if the name is that of a recording.
fn names_recording(name: &str) -> bool {
    let endings = [".json", ".cpuprofile", ".heapprofile", ".jslb", ".speedscope", ".folded", ".collapsed"];
    endings.iter().chain(&perfetto::ENDINGS).any(|ending| name.contains(ending))
}

/// Returns true for hidden files, and for those that macOS adds to archives.
fn is_hidden(name: &str) -> bool {
    name.split('/').any(|part| part.starts_with('.') || part == "__MACOSX")
}

/// Maximum number of names in a warning.
const NAMED: usize = 10;

/// Reports the files that may be recordings, too. If no name is that of a recording, these are all files.
fn warn_of_others(candidates: &[Candidate], best: &Candidate, warnings: &mut Warnings) {
    let is_other =
        |other: &&Candidate| other.index != best.index && (other.is_recording || !best.is_recording) && other.size > 0;
    let others: Vec<&str> = candidates.iter().filter(is_other).map(|other| other.name.as_str()).collect();
    warnings.add_many(WarningKind::OtherRecordings, others.len() as u64, || {
        let more = others.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{} is open; not {}{more}", best.name, others[..others.len().min(NAMED)].join(", "))
    });
}

/// Decompresses the largest JSON file or trace of a zip archive. Programs save a recording alone or next to small
/// files.
fn unzip(
    bytes: &[u8],
    options: &Options,
    progress: &Progress,
    warnings: &mut Warnings,
) -> Result<Vec<u8>, ImportError> {
    let damaged = |error: zip::result::ZipError| ImportError::Unpack { format: "zip", error: error.to_string() };
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
    let mut candidates: Vec<Candidate> = Vec::new();
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(damaged)?;
        let name = entry.name().map(std::borrow::Cow::into_owned).unwrap_or_default();
        if entry.is_file() && !is_hidden(&name) {
            candidates.push(Candidate { is_recording: names_recording(&name), size: entry.size(), index, name });
        }
    }
    let Some(best) =
        candidates.iter().max_by_key(|candidate| (candidate.is_recording, candidate.size, candidate.index))
    else {
        return Err(ImportError::Unpack { format: "zip", error: "the archive contains no file".into() });
    };
    warn_of_others(&candidates, best, warnings);
    let (size, index) = (best.size, best.index);
    progress.begin(Phase::Read, size);
    let mut entry = archive.by_index(index).map_err(damaged)?;
    if let Some(method) = unsupported_method(entry.compression()) {
        return Err(ImportError::UnsupportedMethod { name: best.name.clone(), method });
    }
    let mut text = Vec::new();
    // The position inside the entry is unknown.
    let packed = entry.compressed_size();
    let result = inflate(&mut entry, &mut text, options, progress, |_, text| [packed, text]);
    finish_inflate(result?, &text, "zip", 0, warnings)?;
    Ok(text)
}

/// Returns the name of a compression method of zip archives; `None` if it is supported.
fn unsupported_method(method: zip::CompressionMethod) -> Option<&'static str> {
    use zip::CompressionMethod as Method;
    const NAMES: [(Method, &str); 6] = [
        (Method::DEFLATE64, "Deflate64"),
        (Method::BZIP2, "bzip2"),
        (Method::LZMA, "LZMA"),
        (Method::ZSTD, "zstd"),
        (Method::XZ, "XZ"),
        (Method::AES, "AES encryption"),
    ];
    if matches!(method, Method::Stored | Method::Deflated) {
        return None;
    }
    let known = NAMES.iter().find(|(known, _)| *known == method);
    Some(known.map_or("a method that is rarely used", |(_, name)| name))
}

/// Reads to the end in blocks and returns the first damage. Text beyond the size limits or the memory limit is an
/// error. `read_so_far` takes the number of text bytes and returns the compressed bytes read for them, and the
/// progress.
fn inflate<R: Read>(
    reader: &mut R,
    text: &mut Vec<u8>,
    options: &Options,
    progress: &Progress,
    read_so_far: impl Fn(&R, u64) -> [u64; 2],
) -> Result<std::io::Result<()>, ImportError> {
    const BLOCK: usize = 4 << 20;
    loop {
        if progress.is_cancelled() {
            return Err(ImportError::Cancelled);
        }
        let unpacked = text.len() as u64;
        let [packed, done] = read_so_far(reader, unpacked);
        progress.set(done);
        check_size(packed, unpacked, options)?;
        if text.capacity() - text.len() < BLOCK {
            // Half as much again: twice the text would take much more than is needed.
            let more = (text.len() / 2).max(2 * BLOCK);
            options.budget.check(more as u64)?;
            text.reserve_exact(more);
        }
        let read = match reader.by_ref().take(BLOCK as u64).read_to_end(text) {
            Ok(read) => read,
            Err(error) => return Ok(Err(error)),
        };
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    /// Returns an archive of one stored file whose headers state another compression method.
    fn zip_with_method(method: u16) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        writer.start_file("a.json", stored).expect("in memory");
        writer.write_all(b"[]").expect("in memory");
        let mut bytes = writer.finish().expect("in memory").into_inner();
        let central = memchr::memmem::find(&bytes, b"PK\x01\x02").expect("a central directory");
        for at in [8, central + 10] {
            bytes[at..at + 2].copy_from_slice(&method.to_le_bytes());
        }
        bytes
    }

    #[test]
    fn the_error_for_an_unsupported_method_in_a_zip_names_it() {
        for (method, name) in [(12, "bzip2"), (93, "zstd"), (9, "Deflate64"), (1, "a method that is rarely used")] {
            let source = Source::new(zip_with_method(method));
            let result = unpack(source, &Options::default(), &Progress::default(), &mut Warnings::default());
            let error = result.err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.contains(&format!("a.json in the zip archive is compressed with {name}")), "{error}");
        }
    }
}
