//! The interface to a query engine, usually a child process.

use std::io::{BufRead, Write};
use std::path::Path;

/// The reason why there is no engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineFailure {
    /// A sentence about what happened.
    pub message: String,
    /// Advice for the user; may be empty.
    pub advice: String,
}

impl EngineFailure {
    /// A failure without advice.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), advice: String::new() }
    }
}

/// A running engine.
pub trait EngineProcess: Send {
    /// Ends it at once.
    fn kill(&mut self);

    /// Waits for its end, which is near because its output has ended. Returns how it ended, as the end of a sentence:
    /// "exit status 1".
    fn wait(&mut self) -> String;
}

/// The two ends of the protocol, and the process behind them.
pub struct EngineConnection {
    /// Replies, one on each line.
    pub reader: Box<dyn BufRead + Send>,
    /// Requests, one on each line.
    pub writer: Box<dyn Write + Send>,
    /// The process.
    pub process: Box<dyn EngineProcess>,
}

/// Starts engines.
pub trait QueryEngine: Send + Sync {
    /// Starts an engine for a recording; an empty path is the bundled example. This must be fast: the engine reports
    /// later that it is ready.
    ///
    /// # Errors
    /// If there is no engine, or it cannot be started.
    fn start(&self, recording: &Path) -> Result<EngineConnection, EngineFailure>;
}
