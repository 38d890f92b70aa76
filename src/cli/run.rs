//! The program: parses the arguments, runs a command or the window, and returns the exit status.

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{CommandFactory as _, Parser};

use super::args::{Arguments, Command};
use super::opening::{Opening, origin_for};
use super::terminal::{self, Output};
use super::{
    annotate, bench, cache, compare, completions, cut, dump, export, info, man, render, second_args, self_profile,
    stats, synth,
};
use crate::app::{
    CompareWith, InputFile, InputFiles, Origin, Settings, UserRules, WindowOptions, lower_worker_priority, run,
};
use flowline_import::{Budget, Options};

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
    match self_profile::record(arguments, dispatch) {
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
