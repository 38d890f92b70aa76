//! The output of a command: a file, or standard output for `-`. Every command with `--output` writes through this.

use std::io::Write;
use std::path::Path;

use anyhow::{Context as _, ensure};

use crate::app::{InputFile, OutputGuard};
use crate::cli::opening::Opening;
use flowline_profile::Source;
use flowline_terminal as terminal;

/// Content type of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Text; control characters are escaped on a terminal.
    Text,
    /// Bytes that a terminal cannot show.
    Binary,
}

/// The output of a command.
#[derive(Debug)]
pub(crate) struct CommandOutput<'a> {
    path: &'a Path,
    content: Content,
    guard: OutputGuard,
}

impl<'a> CommandOutput<'a> {
    /// Creates the output of a command that reads recordings. Call this before loading them so that an invalid output
    /// is reported at once.
    ///
    /// # Errors
    /// If the output is a file that is being read, or a terminal that cannot show it.
    pub(crate) fn new(
        path: &'a Path,
        content: Content,
        opening: &Opening,
        recordings: &[&Path],
    ) -> anyhow::Result<Self> {
        let mut inputs = opening.inputs.clone();
        for recording in recordings {
            inputs = inputs.with(InputFile::Recording, recording);
        }
        let output = Self { path, content, guard: OutputGuard::new(inputs) };
        if output.is_standard_output() {
            if let Some(file) = terminal::output_file() {
                output.guard.check_open(&file).context("standard output")?;
            }
            let is_readable = content == Content::Text || !terminal::is_terminal();
            ensure!(is_readable, "the output is binary; write to a file, or redirect standard output");
        } else {
            output.guard.check_path(path).with_context(|| path.display().to_string())?;
        }
        Ok(output)
    }

    /// Returns true if the output goes to standard output.
    pub(super) fn is_standard_output(&self) -> bool {
        self.path == Path::new("-")
    }

    /// Adds a recording that the output is derived from.
    pub(crate) fn reading(mut self, source: &Source) -> Self {
        self.guard = self.guard.reading(source);
        self
    }

    /// Writes the output. Files are written atomically.
    ///
    /// # Errors
    /// Errors of `write` and of the file, or if the recording has changed meanwhile.
    pub(crate) fn write<T>(&self, write: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>) -> anyhow::Result<T> {
        if self.is_standard_output() {
            let mut out: Box<dyn Write> = match self.content {
                Content::Text => terminal::bytes_output(),
                Content::Binary => terminal::binary_output(),
            };
            let written = self.guard.write_stream(&mut *out, write)?;
            out.flush()?;
            return Ok(written);
        }
        let written: anyhow::Result<Option<T>> = self.guard.write_file(self.path, |out| write(out).map(Some));
        let written = written.with_context(|| self.path.display().to_string())?;
        written.context("nothing was written")
    }

    /// Same as [`CommandOutput::write`], but compresses files whose name ends in `.gz`.
    ///
    /// # Errors
    /// Errors of [`CommandOutput::write`].
    pub(crate) fn write_packed_by_name<T>(
        &self,
        level: flate2::Compression,
        write: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        if self.path.extension().is_none_or(|extension| extension != "gz") {
            return self.write(write);
        }
        self.write(|out| {
            let mut encoder = flate2::write::GzEncoder::new(out, level);
            let written = write(&mut encoder)?;
            encoder.finish()?;
            Ok(written)
        })
    }
}
