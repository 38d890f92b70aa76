//! The command line: commands, exit status and messages. README.md, docs/dump.md and docs/statistics.md document them.

mod annotate;
mod args;
mod bench;
mod bench_flows;
mod bench_lanes;
mod bench_samples;
mod bench_statistics;
mod bench_steps;
mod bench_waits;
mod cache;
mod compare;
mod completions;
mod cut;
mod dump;
mod dump_annotations;
mod dump_args;
mod dump_calls;
mod dump_calltree;
mod dump_flows;
mod dump_path;
mod dump_samples;
mod dump_stacks;
mod export;
mod group_text;
mod info;
mod layouts;
mod lookup;
mod man;
mod memory_check;
mod output;
mod path_end;
mod progress_line;
mod render;
mod scope;
mod scope_args;
mod second_args;
mod stats;
mod stats_lists;
mod synth;
mod table_text;
mod terminal;
mod threads;
mod tree_args;
mod values;

use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use clap::{CommandFactory as _, Parser};

use crate::app::{
    CompareWith, InputFile, InputFiles, Loaded, Origin, OutputGuard, Settings, UserRules, WindowOptions,
    lower_worker_priority, read_notes, run,
};
use args::{Arguments, Command};
use flowline_cache::Cache;
use flowline_import::{Budget, Options, Progress};
use flowline_index::Index;
use flowline_index::modifications::Modifications;
use flowline_profile::notes::Note;
use terminal::Output;

/// Runs the program. The exit status is 0 for success, 1 after an error message on standard error, 2 for a usage error,
/// or 3 if a comparison found more growth than allowed.
#[must_use]
pub fn main() -> ExitCode {
    terminal::escape_panics();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        // Error messages quote arguments such as file names and must be escaped; --help and --version quote nothing.
        Err(error) if error.use_stderr() => {
            terminal::error_text(&error.render().to_string());
            return ExitCode::from(2);
        }
        Err(help) => help.exit(),
    };
    match dispatch(arguments) {
        Ok(status) => status,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            terminal::error_line(&format!("flowline: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
}

fn dispatch(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let defaults = Options::default();
    let import = Options {
        max_unpacked: arguments.max_unpacked.unwrap_or(defaults.max_unpacked),
        // An explicit size limit replaces the limit on growth.
        max_expansion: if arguments.max_unpacked.is_some() { None } else { defaults.max_expansion },
        budget: Budget { limit: arguments.max_memory },
        ..defaults
    };
    let file = arguments.flow_rules.as_deref();
    let place = || file.map_or_else(String::new, |file| file.display().to_string());
    let cache = cache::from_arguments(&arguments)?;
    let notes = arguments.notes.clone();
    let rules = UserRules::read(file).with_context(place)?;
    let mut inputs = InputFiles::default();
    if let Some(file) = &rules.file {
        inputs = inputs.with(InputFile::FlowRules, file);
    }
    if let Some(file) = &notes {
        inputs = inputs.with(InputFile::Notes, file);
    }
    let opening = Opening { notes, import, cache, rules, inputs };
    if matches!(arguments.command, None | Some(Command::Bench(_))) {
        lower_worker_priority();
    }
    match arguments.command {
        None => {
            let origin = arguments.file.as_deref().map_or(Origin::Example, origin_for);
            let second_args::SecondArgs { compare, align } = arguments.compare;
            let compare = compare.map(|file| CompareWith { origin: origin_for(&file), align });
            let Opening { notes, import, cache, rules, inputs: _ } = opening;
            let settings = Settings::read();
            let keys = arguments.keys.map_or(settings.keys, Into::into);
            let theme = arguments.theme.map_or(settings.theme, Into::into);
            let options = WindowOptions {
                origin,
                compare,
                import,
                cache,
                rules,
                settings,
                keys,
                theme,
                measure_load: arguments.measure_load,
                notes,
                view: arguments.view,
            };
            if let Some(appeared) = run(options)? {
                let times = [appeared.first, appeared.markers, appeared.whole];
                let [first, markers, whole] = times.map(|duration| duration.as_secs_f64() * 1e3);
                let mut out = Output::new();
                writeln!(
                    out,
                    "{{\"first_picture_ms\":{first:.0},\"markers_ms\":{markers:.0},\"whole_ms\":{whole:.0}}}"
                )?;
                out.flush()?;
            }
        }
        Some(Command::Render(options)) => render::run(&options, &opening)?,
        Some(Command::Info(options)) => info::run(&options, &opening)?,
        Some(Command::Dump(options)) => dump::run(&options, &opening)?,
        Some(Command::Annotate(options)) => annotate::run(&options, &opening)?,
        Some(Command::Cut(options)) => cut::run(&options, &opening)?,
        Some(Command::Bench(options)) => bench::run(&options, &opening)?,
        Some(Command::Stats(options)) => stats::run(&options, &opening)?,
        Some(Command::Compare(options)) => return compare::run(&options, &opening),
        Some(Command::Export(options)) => export::run(&options, &opening)?,
        Some(Command::Synth(options)) => synth::run(&options, &opening)?,
        Some(Command::Cache(options)) => cache::run(&options, &opening.cache)?,
        Some(Command::Man) => print(&man::page(&Arguments::command())?)?,
        Some(Command::Completions(options)) => print(&completions::script(Arguments::command(), options.shell))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes a text to standard output.
fn print(text: &[u8]) -> anyhow::Result<()> {
    let mut out = Output::new();
    out.write_all(text)?;
    out.flush()?;
    Ok(())
}

/// Options for opening recordings.
#[derive(Debug)]
struct Opening {
    /// Notes file that replaces the recording's own notes.
    notes: Option<std::path::PathBuf>,
    import: Options,
    cache: Cache,
    rules: UserRules,
    /// Input files other than recordings.
    inputs: InputFiles,
}

/// Loads a recording, with a progress bar on a terminal.
fn open(origin: &Origin, opening: &Opening) -> anyhow::Result<Loaded> {
    for message in &opening.rules.messages {
        terminal::error_line(&format!("flowline: {message}"));
    }
    let progress = Arc::new(Progress::default());
    let bar = progress_line::ProgressLine::start(&origin.name(), &progress);
    let result = crate::app::open(origin, opening.import.clone(), &opening.cache, &opening.rules, &progress);
    bar.finish();
    result.map_err(|error| anyhow::Error::msg(origin.explain(&error)))
}

/// Returns the notes of a recording: those of `--notes`, otherwise its own. Problems are reported on standard error.
fn notes_of(index: &Index, opening: &Opening) -> anyhow::Result<Vec<Note>> {
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
fn finish(loaded: &Loaded) -> anyhow::Result<()> {
    OutputGuard::default().reading(&loaded.index.profile().source).check_sources()?;
    if let Err(error) = loaded.keep() {
        terminal::error_line(&format!("flowline: cannot store the index: {error}"));
    }
    Ok(())
}

/// Returns the origin for a file argument; `-` is standard input, and `example` is the bundled recording unless a file
/// has that name.
fn origin_for(file: &std::path::Path) -> Origin {
    if file == std::path::Path::new("example") && !file.exists() {
        Origin::Example
    } else {
        Origin::from_argument(file.to_owned())
    }
}
