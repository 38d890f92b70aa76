//! Import options.

use std::path::PathBuf;

use crate::io::memory::Budget;

/// Default limit of decompressed text, in bytes. Larger text is refused unless the caller raises the limit.
pub const DEFAULT_MAX_UNPACKED: u64 = 12 << 30;

/// Default limit of growth. Compressed input that grows by a larger factor is refused unless the caller allows it.
pub const DEFAULT_MAX_GROWTH: u64 = 200;

/// Default limit of the window of a frame of zstd in bytes: that of the program `zstd`.
pub const DEFAULT_MAX_WINDOW: u64 = 128 << 20;

/// Default of [`Options::chunk`]: large enough to keep a core busy, small enough to keep all of them busy.
pub(crate) const CHUNK: usize = 1 << 21;

/// Import options.
#[derive(Clone, Debug)]
pub struct Options {
    /// Maximum size of the unpacked input in bytes; larger input is rejected.
    pub max_unpacked: u64,
    /// Decompression limit: large packed input that unpacks to more than this many times its size is rejected (see
    /// [`super::ImportError::Suspicious`]); `None` disables the limit.
    pub max_expansion: Option<u64>,
    /// Maximum window of a frame of zstd in bytes; input with larger ones is rejected before memory is reserved for them.
    pub max_window: u64,
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
            max_window: DEFAULT_MAX_WINDOW,
            chunk: CHUNK,
            budget: Budget::default(),
            spill,
        }
    }
}
