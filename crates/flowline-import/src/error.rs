//! Why nothing of a file is usable.

use std::path::PathBuf;

/// Why nothing of an input is usable. Messages contain the place and advice.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The file cannot be read.
    #[error("{}: {error}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// The bytes are no recording.
    #[error("this is {0}, not a recording; Flowline reads {formats} (JSON, .gz, .zip, JSLB)", formats = super::format_names())]
    NotARecording(&'static str),
    /// A recording or a packed file of a kind that is not read.
    #[error("this is {what}, which Flowline does not read: {advice}")]
    Foreign {
        /// The kind of file.
        what: &'static str,
        /// What its owner can do.
        advice: &'static str,
    },
    /// JSON, but of no known format.
    #[error("the JSON holds no recording: {0}")]
    UnknownJson(String),
    /// The version is too old.
    #[error(
        "this is a {what} of version {found}; versions {oldest} and up are read: open it in the Firefox Profiler \
         (profiler.firefox.com) and save it again, which converts it"
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
        /// The error of the decoder.
        error: String,
    },
    /// The packed data grows suspiciously, as no recording does.
    #[error(
        "{} MB of packed data unpack to more than {} MB, as no usual recording does; if that is intended, say with \
         --max-unpacked BYTES how much it may be", packed.div_ceil(1_000_000), unpacked / 1_000_000
    )]
    Suspicious {
        /// Bytes of packed data read so far.
        packed: u64,
        /// Bytes that came of them.
        unpacked: u64,
    },
    /// The unpacked data would be too large.
    #[error("it holds more than {limit} bytes of text; raise the limit with --max-unpacked if that is intended")]
    TooLarge {
        /// The limit in force.
        limit: u64,
    },
    /// The recording does not fit into memory.
    #[error(
        "the recording needs {} MB of memory more and {} MB can be had; close other programs, or say with --max-memory \
         that more may be taken", needed >> 20, free >> 20
    )]
    OutOfMemory {
        /// Bytes needed, estimated from what has been read.
        needed: u64,
        /// Bytes available.
        free: u64,
    },
    /// Neither the disk nor the memory has room for the unpacked text.
    #[error("there is no room for the unpacked text: {0}")]
    NoRoom(std::io::Error),
    /// The import was cancelled.
    #[error("loading was cancelled")]
    Cancelled,
}
