//! Errors from imports that yield no recording.

use std::path::PathBuf;

/// Error from an import that yields no recording. Messages contain the location and advice.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The file cannot be read.
    #[error("{}: {error}", path.display())]
    Io {
        /// Path of the file.
        path: PathBuf,
        /// Error from the operating system.
        error: std::io::Error,
    },
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// The bytes are not a recording.
    #[error("this is {what}, not a recording; Flowline reads {formats}, also compressed (.gz, .zip)")]
    NotARecording {
        /// Kind of data.
        what: &'static str,
        /// Names of the formats that Flowline reads.
        formats: String,
    },
    /// A recording or packed file in an unsupported format.
    #[error("this is {what}, which Flowline cannot open: {advice}")]
    Unsupported {
        /// The kind of file.
        what: &'static str,
        /// Advice for the user.
        advice: &'static str,
    },
    /// JSON in an unknown format.
    #[error("the JSON is not a known recording format: {0}")]
    UnknownJson(String),
    /// The version is too old.
    #[error(
        "this {what} has version {found}, but Flowline supports version {oldest} and later; to convert it, open it in \
         the Firefox Profiler (profiler.firefox.com) and save it again"
    )]
    TooOld {
        /// The kind of profile.
        what: &'static str,
        /// The version found.
        found: u32,
        /// The oldest version read.
        oldest: u32,
    },
    /// The packed data is damaged from its beginning.
    #[error("the {format} data is damaged: {error}")]
    Unpack {
        /// Container format.
        format: &'static str,
        /// Error from the decoder.
        error: String,
    },
    /// The recording in a zip archive is compressed with an unsupported method.
    #[error(
        "{name} in the zip archive is compressed with {method}, which Flowline does not support; extract it first \
         (7z x FILE) and open it"
    )]
    UnsupportedMethod {
        /// Name of the recording in the archive.
        name: String,
        /// Compression method.
        method: &'static str,
    },
    /// The packed data exceeds the decompression limit, as zip bombs do.
    #[error(
        "{} MB of packed data unpack to more than {} MB, which is suspicious; pass --max-unpacked BYTES to allow it",
        packed.div_ceil(1_000_000), unpacked / 1_000_000
    )]
    Suspicious {
        /// Bytes of packed data read so far.
        packed: u64,
        /// Bytes unpacked from them.
        unpacked: u64,
    },
    /// The unpacked data would be too large.
    #[error("the text exceeds the limit of {limit} bytes; pass --max-unpacked BYTES to raise it")]
    TooLarge {
        /// The limit in force.
        limit: u64,
    },
    /// The recording does not fit into memory.
    #[error(
        "not enough memory: {} MB more needed, {} MB available; close other programs or raise the limit with \
         --max-memory", needed >> 20, free >> 20
    )]
    OutOfMemory {
        /// Bytes needed, estimated from what has been read.
        needed: u64,
        /// Bytes available.
        free: u64,
    },
    /// Neither disk nor memory has space for the unpacked text.
    #[error("not enough space for the unpacked text on disk or in memory: {0}")]
    NoRoom(std::io::Error),
    /// The import was canceled.
    #[error("loading was canceled")]
    Cancelled,
}
