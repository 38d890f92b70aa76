//! The check that every writer of output files shares: the target is not a file that is being read, and the recordings
//! behind the output have not changed since they were opened.
//!
//! Recordings are memory-mapped, so changing the file changes the bytes that a writer copies. They are checked before
//! anything is written, before each buffer reaches the file, and before the file gets its name. The output is therefore
//! correct as far as the system detects changes, even on a pipe, where written bytes cannot be retracted.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::atomic_write::atomic_write;
use super::input_files::InputFiles;
use flowline_profile::Source;

/// Number of bytes between two checks of the recordings.
const BUFFER: usize = 1 << 18;

/// The files that an output must not replace, and the recordings that it is derived from.
#[derive(Clone, Debug, Default)]
pub struct OutputGuard {
    inputs: InputFiles,
    sources: Vec<Source>,
}

impl OutputGuard {
    /// Creates a guard for the files that are being read.
    #[must_use]
    pub const fn new(inputs: InputFiles) -> Self {
        Self { inputs, sources: Vec::new() }
    }

    /// Adds a recording that the output is derived from.
    #[must_use]
    pub fn reading(mut self, source: &Source) -> Self {
        self.sources.push(source.clone());
        self
    }

    /// Checks that the target is not a file that is being read.
    ///
    /// # Errors
    /// If it is one.
    pub fn check_path(&self, target: &Path) -> io::Result<()> {
        self.inputs.check_path(target)
    }

    /// Checks that an open file, such as standard output, is not a file that is being read.
    ///
    /// # Errors
    /// If it is one.
    pub fn check_open(&self, file: &File) -> io::Result<()> {
        self.inputs.check_open(file)
    }

    /// Checks that the recordings have not changed since they were opened.
    ///
    /// # Errors
    /// If one has changed.
    pub fn check_sources(&self) -> io::Result<()> {
        if self.sources.iter().any(Source::check_changed) {
            return Err(io::Error::other("the recording has changed since it was opened; open it again"));
        }
        Ok(())
    }

    /// Writes a file with [`atomic_write`], with all checks before and after.
    ///
    /// # Errors
    /// Errors of the checks, of `write` and of the file.
    pub fn write_file<T, E: From<io::Error>>(
        &self,
        path: &Path,
        write: impl FnOnce(&mut dyn Write) -> Result<Option<T>, E>,
    ) -> Result<Option<T>, E> {
        self.check_path(path)?;
        self.check_sources()?;
        atomic_write(path, |out| {
            let written = self.write_stream(out, write)?;
            // The target may have become an input meanwhile.
            self.check_path(path)?;
            Ok(written)
        })
    }

    /// Writes to a stream, with all checks of the recordings.
    ///
    /// # Errors
    /// Errors of the checks, of `write` and of the stream.
    pub fn write_stream<T, E: From<io::Error>>(
        &self,
        out: &mut dyn Write,
        write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
    ) -> Result<T, E> {
        self.check_sources()?;
        let mut out = BufWriter::with_capacity(BUFFER, Checked { out, guard: self });
        let written = write(&mut out)?;
        out.flush()?;
        self.check_sources()?;
        Ok(written)
    }
}

/// A writer that forwards bytes only while the recordings are unchanged.
struct Checked<'a> {
    out: &'a mut dyn Write,
    guard: &'a OutputGuard,
}

impl Write for Checked<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.guard.check_sources()?;
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
