//! Progress and cancellation of a load, shared between the loading thread and the user interface.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

use crate::error::ImportError;
use crate::io::memory::{Budget, HeapWatch};
use flowline_profile::heap;

/// A phase of a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Phase {
    /// Reading and unpacking; counts input bytes.
    Read = 0,
    /// Finding threads; counts bytes of text.
    Scan = 1,
    /// Reading columns; counts threads.
    Parse = 2,
    /// Deriving markers from raw markers; counts threads.
    Derive = 3,
    /// Rows, pyramids, activity; counts threads.
    Index = 4,
    /// Waiting for a writer or for data on a named pipe; counts nothing.
    AwaitWriter = 5,
    /// Waiting for data on standard input; counts nothing.
    AwaitInput = 6,
    /// Writing a part of a recording; counts bytes of the whole text.
    Write = 7,
    /// Flows; counts nothing.
    Flows = 8,
}

impl Phase {
    /// Name shown to users.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "Reading",
            Self::Scan => "Finding threads",
            Self::Parse => "Reading markers",
            Self::Derive => "Pairing markers",
            Self::Index => "Building rows",
            Self::AwaitWriter => "Waiting for data from the pipe",
            Self::AwaitInput => "Waiting for standard input",
            Self::Write => "Writing",
            Self::Flows => "Finding flows",
        }
    }

    /// True if the load is waiting for another program.
    #[must_use]
    pub const fn is_waiting(self) -> bool {
        matches!(self, Self::AwaitWriter | Self::AwaitInput)
    }

    const fn from_u8(value: u8) -> Self {
        match value {
            0 => Self::Read,
            1 => Self::Scan,
            2 => Self::Parse,
            3 => Self::Derive,
            4 => Self::Index,
            5 => Self::AwaitWriter,
            7 => Self::Write,
            8 => Self::Flows,
            _ => Self::AwaitInput,
        }
    }
}

/// Progress of a load, readable from any thread.
#[derive(Debug, Default)]
pub struct Progress {
    phase: AtomicU8,
    done: AtomicU64,
    total: AtomicU64,
    cancelled: AtomicBool,
    heap: HeapWatch,
}

impl Progress {
    /// Starts a phase of `total` steps (bytes or threads; 0: unknown).
    pub fn begin(&self, phase: Phase, total: u64) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
        self.phase.store(phase as u8, Ordering::Relaxed);
    }

    /// Adds finished steps.
    pub fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Ordering::Relaxed);
    }

    /// Sets the finished steps.
    pub fn set(&self, done: u64) {
        self.done.store(done, Ordering::Relaxed);
    }

    /// The phase, the finished steps and the total steps (0: unknown).
    #[must_use]
    pub fn get(&self) -> (Phase, u64, u64) {
        let phase = Phase::from_u8(self.phase.load(Ordering::Relaxed));
        (phase, self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }

    /// Requests cancellation of the load.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// True if the load must stop: cancellation was requested, or the memory that it may use is used up.
    #[must_use]
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || self.heap.is_exceeded()
    }

    /// Stops the load when the program uses more memory than the budget allows.
    pub(crate) fn watch_memory(&self, budget: Budget) {
        self.heap.begin(budget);
    }

    /// Checks that a load whose memory is watched may use `bytes` additional bytes.
    ///
    /// # Errors
    /// [`ImportError::OutOfMemory`] if not.
    pub fn check_memory(&self, bytes: u64) -> Result<(), ImportError> {
        self.heap.budget().check(bytes)
    }

    /// The error of a load that has stopped because of [`Progress::is_cancelled`].
    #[must_use]
    pub fn stop_error(&self) -> ImportError {
        if self.heap.is_exceeded() {
            ImportError::OutOfMemory { needed: heap::STEP, free: 0 }
        } else {
            ImportError::Cancelled
        }
    }
}
