//! Opening recordings: the options that all commands share, progress, messages, and the check at the end.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;

use super::args::Arguments;
use super::cache;
use super::memory_limit::MemoryLimit;
use super::output::ProgressLine;
use crate::app::{InputFile, InputFiles, OutputGuard, read_notes};
use flowline_cache::Cache;
use flowline_import::{Budget, Options, Progress};
use flowline_index::Index;
use flowline_index::modifications::Modifications;
use flowline_load::{Loaded, Origin, UserRules};
use flowline_profile::notes::Note;
use flowline_terminal as terminal;

/// Options for opening recordings.
#[derive(Debug)]
pub(super) struct Opening {
    /// Notes file that replaces the recording's own notes.
    pub(super) notes: Option<PathBuf>,
    pub(super) import: Options,
    pub(super) cache: Cache,
    pub(super) rules: UserRules,
    /// Input files other than recordings.
    pub(super) inputs: InputFiles,
}

impl Opening {
    /// Reads the options and the files that they name.
    ///
    /// # Errors
    /// If a file cannot be read, or if there is no valid cache limit.
    pub(super) fn from_arguments(arguments: &Arguments) -> anyhow::Result<Self> {
        let defaults = Options::default();
        let import = Options {
            max_unpacked: arguments.max_unpacked.unwrap_or(defaults.max_unpacked),
            // An explicit size limit replaces the limit on growth.
            max_expansion: if arguments.max_unpacked.is_some() { None } else { defaults.max_expansion },
            max_window: arguments.max_window.unwrap_or(defaults.max_window),
            budget: Budget { limit: arguments.max_memory },
            ..defaults
        };
        let file = arguments.flow_rules.as_deref();
        let place = || file.map_or_else(String::new, |file| file.display().to_string());
        let cache = cache::from_arguments(arguments)?;
        let notes = arguments.notes.clone();
        if let Some(file) = notes.as_deref().filter(|_| arguments.command.is_some()) {
            // Not every command reads them, but none should ignore a wrong name.
            std::fs::metadata(file).with_context(|| file.display().to_string())?;
        }
        let rules = UserRules::read(file).with_context(place)?;
        let mut inputs = InputFiles::default();
        if let Some(file) = &rules.file {
            inputs = inputs.with(InputFile::FlowRules, file);
        }
        if let Some(file) = &notes {
            inputs = inputs.with(InputFile::Notes, file);
        }
        Ok(Self { notes, import, cache, rules, inputs })
    }
}

/// Loads a recording, with a progress bar on a terminal.
pub(super) fn open(origin: &Origin, opening: &Opening) -> anyhow::Result<Loaded> {
    for message in &opening.rules.messages {
        terminal::error_line(&format!("flowline: {message}"));
    }
    let _limit = MemoryLimit::apply(opening.import.budget);
    let progress = Arc::new(Progress::default());
    let bar = ProgressLine::start(&origin.name(), &progress);
    let result = flowline_load::open(origin, opening.import.clone(), &opening.cache, &opening.rules, &progress);
    bar.finish();
    result.map_err(|error| anyhow::Error::msg(origin.explain(&error)))
}

/// Returns the notes of a recording: those of `--notes`, otherwise its own. Problems are reported on standard error.
pub(super) fn notes_of(index: &Index, opening: &Opening) -> anyhow::Result<Vec<Note>> {
    let (notes, problems) = match &opening.notes {
        Some(file) => {
            let read = read_notes(file, index, None);
            let read = read.map_err(|problem| anyhow::anyhow!("{}: {problem}", file.display()))?;
            (read.notes, read.problems)
        }
        None => {
            let read = Modifications::read(index);
            let problems = read.problems();
            (read.notes, problems)
        }
    };
    problems.iter().for_each(|problem| terminal::error_line(&format!("flowline: {problem}")));
    Ok(notes)
}

/// Finishes a command that has read a recording: its output is valid only if the recording has not changed. Also stores
/// the index; a failure to store it is only reported.
///
/// # Errors
/// If the recording has changed since it was opened.
pub(super) fn finish(loaded: &Loaded) -> anyhow::Result<()> {
    OutputGuard::default().reading(&loaded.index.profile().source).check_sources()?;
    if let Err(error) = loaded.keep() {
        terminal::error_line(&format!("flowline: cannot store the index: {error}"));
    }
    Ok(())
}

/// Returns the origin for a file argument; `-` is standard input, and `example` is the bundled recording unless a file
/// has that name.
pub(super) fn origin_for(file: &std::path::Path) -> Origin {
    if file == std::path::Path::new("example") && !file.exists() {
        Origin::Example
    } else {
        Origin::from_argument(file.to_owned())
    }
}
