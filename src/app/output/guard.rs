//! The one check of every writer of output files: the target is no file that is being read, and the recordings that the
//! output is made of have not changed since they were opened.
//!
//! Recordings are mapped, so a change of the file changes the bytes that a writer copies. They are checked before anything is
//! written, before each buffer reaches the file, and before the file gets its name. So what leaves the program is right as far
//! as the system tells changes apart, also on a pipe, which cannot be taken back.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::atomic_write::atomic_write;
use super::input_files::InputFiles;
use flowline_profile::Source;

/// Bytes between two checks of the recordings.
const BUFFER: usize = 1 << 18;

/// The files that an output must not replace, and the recordings it is made from.
#[derive(Clone, Debug, Default)]
pub struct OutputGuard {
    inputs: InputFiles,
    sources: Vec<Source>,
}

impl OutputGuard {
    /// A guard of the files that are being read.
    #[must_use]
    pub const fn new(inputs: InputFiles) -> Self {
        Self { inputs, sources: Vec::new() }
    }

    /// The same guard for an output that is made of a recording.
    #[must_use]
    pub fn reading(mut self, source: &Source) -> Self {
        self.sources.push(source.clone());
        self
    }

    /// Checks that the target is no file that is being read.
    ///
    /// # Errors
    /// When it is one.
    pub fn check_path(&self, target: &Path) -> io::Result<()> {
        self.inputs.check_path(target)
    }

    /// Checks that an open file, such as standard output, is no file that is being read.
    ///
    /// # Errors
    /// When it is one.
    pub fn check_open(&self, file: &File) -> io::Result<()> {
        self.inputs.check_open(file)
    }

    /// Checks that the recordings are as they were when they were opened.
    ///
    /// # Errors
    /// When one has changed.
    pub fn check_sources(&self) -> io::Result<()> {
        if self.sources.iter().any(Source::check_changed) {
            return Err(io::Error::other("the recording has changed since it was opened; open it again"));
        }
        Ok(())
    }

    /// Writes a file as [`atomic_write`] does, after and before all checks.
    ///
    /// # Errors
    /// Those of the checks, of `write` and of the file.
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

    /// Writes to a stream with all checks of the recordings.
    ///
    /// # Errors
    /// Those of the checks, of `write` and of the stream.
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

/// Lets bytes pass as long as the recordings they were made of are unchanged.
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
