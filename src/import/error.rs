//! Why a file cannot be used at all: one clear sentence each, with place and advice.

use std::path::PathBuf;

/// An input of which nothing is usable.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The file cannot be read.
    #[error("{}: {error}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// The bytes are something else.
    #[error(
        "this is {0}, not a recording; Flowline reads Firefox Profiler profiles and Chrome trace events (JSON, .gz, .zip, JSLB)"
    )]
    NotARecording(&'static str),
    /// JSON, but of no known format.
    #[error("the JSON holds no recording: {0}")]
    UnknownJson(String),
    /// A version too old.
    #[error(
        "this is a {what} of version {found}; versions {oldest} and up are read: open it in the Firefox Profiler \
         (profiler.firefox.com) and save it again, which converts it"
    )]
    TooOld {
        /// Which kind of profile.
        what: &'static str,
        /// The version found.
        found: u32,
        /// The oldest version read.
        oldest: u32,
    },
    /// The packed data is damaged from its very beginning.
    #[error("the {format} data is damaged: {error}")]
    Unpack {
        /// Container format.
        format: &'static str,
        /// What the decoder said.
        error: String,
    },
    /// The unpacked data would be too large.
    #[error("the file unpacks to more than {limit} bytes; raise the limit with --max-unpacked if that is intended")]
    TooLarge {
        /// The limit in force.
        limit: u64,
    },
    /// What the recording is made into would not fit.
    #[error(
        "the recording needs {} MB of memory more and {} MB can be had; close other programs, or say with --max-memory \
         that more may be taken", needed >> 20, free >> 20
    )]
    OutOfMemory {
        /// Bytes needed, estimated from what has been read.
        needed: u64,
        /// Bytes that can be had.
        free: u64,
    },
    /// There is no room for the unpacked text, neither on the disk nor in memory.
    #[error("there is no room for the unpacked text: {0}")]
    NoRoom(std::io::Error),
    /// Someone asked to stop.
    #[error("loading was cancelled")]
    Cancelled,
}
