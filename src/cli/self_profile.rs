//! `--self-profile OUT`: records the program's own work while a command or the window runs.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;

use super::args::{Arguments, Command};
use crate::app::{InputFile, InputFiles, OutputGuard, SelfProfile};

/// Runs a command. With `--self-profile`, also records it and writes the trace when it has ended, even after an error.
///
/// # Errors
/// Errors of the command, or if the trace cannot be written.
pub(super) fn record(
    arguments: Arguments,
    run: impl FnOnce(Arguments) -> anyhow::Result<ExitCode>,
) -> anyhow::Result<ExitCode> {
    let Some(path) = arguments.self_profile.clone() else { return run(arguments) };
    anyhow::ensure!(
        path != Path::new("-"),
        "--self-profile writes a file; standard output is that of the command (./- is a file named -)"
    );
    let guard = OutputGuard::new(inputs(&arguments));
    guard.check_path(&path).with_context(|| path.display().to_string())?;
    let recording = SelfProfile::start().context("--self-profile: another recorder is active")?;
    let status = run(arguments);
    let written: anyhow::Result<Option<()>> = guard.write_file(&path, |out| Ok(Some(recording.write(out)?)));
    written.with_context(|| path.display().to_string())?;
    status
}

/// The files that the trace must not replace: everything that the command names as input.
fn inputs(arguments: &Arguments) -> InputFiles {
    let mut inputs = InputFiles::default();
    let recordings: [Option<&Path>; 2] = [arguments.file.as_deref(), arguments.compare.compare.as_deref()];
    for recording in recordings.into_iter().flatten().chain(arguments.command.iter().flat_map(recordings_of)) {
        inputs = inputs.with(InputFile::Recording, recording);
    }
    let others: [(InputFile, &Option<PathBuf>); 2] =
        [(InputFile::Notes, &arguments.notes), (InputFile::FlowRules, &arguments.flow_rules)];
    for (kind, file) in others {
        if let Some(file) = file {
            inputs = inputs.with(kind, file);
        }
    }
    if let Some(Command::Insights(options)) = &arguments.command
        && let Some(file) = &options.budget
    {
        inputs = inputs.with(InputFile::Budget, file);
    }
    inputs
}

/// The recordings that a command reads.
fn recordings_of(command: &Command) -> Vec<&Path> {
    match command {
        Command::Render(options) => {
            std::iter::once(options.file.as_path()).chain(options.compare.compare.as_deref()).collect()
        }
        Command::Info(options) => vec![&options.file],
        Command::Dump(options) => vec![&options.file],
        Command::Stats(options) => vec![&options.file],
        Command::Insights(options) => vec![&options.file],
        Command::Compare(options) => vec![&options.a, &options.b],
        Command::Export(options) => vec![&options.file],
        Command::Cut(options) => vec![&options.file],
        Command::Annotate(options) => vec![&options.file],
        Command::Bench(options) => vec![&options.file],
        Command::Sql(_) | Command::ExportTables(_) | Command::Fleet(_) => Vec::new(),
        Command::Synth(_) | Command::Cache(_) | Command::Man | Command::Completions(_) => Vec::new(),
    }
}
