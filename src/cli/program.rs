//! The program: runs the command of the command line.

use std::io::Write as _;
use std::process::ExitCode;
use std::time::Instant;

use clap::{CommandFactory as _, Parser as _};

use super::args::{Arguments, Command};
use super::memory_limit::MemoryLimit;
use super::opening::Opening;
use super::{
    annotate, bench, cache, completions, cut, dump, export, info, insights, man, query, render, self_profile,
    statistics, synth, window,
};
use crate::app::lower_worker_priority;
use flowline_import::cut::CutError;
use flowline_terminal::{self as terminal, Output};

/// Runs the program. The exit status is 0 for success, 1 after an error message on standard error, 2 for a usage error,
/// or 3 if a comparison found more growth than allowed or a page load broke its budget.
#[must_use]
pub fn main() -> ExitCode {
    let started = Instant::now();
    terminal::escape_panics("flowline");
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        // Error messages quote arguments such as file names and must be escaped; --help and --version quote nothing.
        Err(error) if error.use_stderr() => {
            terminal::error_text(&error.render().to_string());
            return ExitCode::from(2);
        }
        Err(help) => help.exit(),
    };
    #[cfg(target_os = "linux")]
    if matches!(arguments.command, None | Some(Command::Bench(_) | Command::Render(_))) {
        // Before anything is opened or said, because the program may start again.
        super::graphics_environment::prepare();
    }
    match self_profile::record(arguments, |arguments| dispatch(arguments, started)) {
        Ok(status) => status,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            terminal::error_line(&format!("flowline: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// True if the reader of the output has ended, such as `head`: it has what it needs.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(io_error).any(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
}

/// The error of the system that an error consists of. Errors that print as their cause are not in the chain of causes.
fn io_error<'a>(cause: &'a (dyn std::error::Error + 'static)) -> Option<&'a std::io::Error> {
    let of_part = || match cause.downcast_ref::<CutError>()? {
        CutError::Io(error) => Some(error),
        _ => None,
    };
    cause.downcast_ref::<std::io::Error>().or_else(of_part)
}

fn dispatch(arguments: Arguments, started: Instant) -> anyhow::Result<ExitCode> {
    let opening = Opening::from_arguments(&arguments)?;
    if matches!(arguments.command, None | Some(Command::Bench(_))) {
        lower_worker_priority();
    }
    let common = query::common_options(&arguments);
    let Some(command) = arguments.command else {
        window::run(arguments, opening, started)?;
        return Ok(ExitCode::SUCCESS);
    };
    // Commands without output files or drawing: those keep to it while they load.
    let is_limited = matches!(
        command,
        Command::Info(_) | Command::Dump(_) | Command::Stats(_) | Command::Insights(_) | Command::Compare(_)
    );
    let _limit = if is_limited { MemoryLimit::apply(opening.import.budget) } else { None };
    match command {
        Command::Render(options) => render::run(&options, &opening)?,
        Command::Info(options) => info::run(&options, &opening)?,
        Command::Dump(options) => dump::run(&options, &opening)?,
        Command::Annotate(options) => annotate::run(&options, &opening)?,
        Command::Cut(options) => cut::run(&options, &opening)?,
        Command::Bench(options) => bench::run(&options, &opening)?,
        Command::Stats(options) => statistics::stats(&options, &opening)?,
        Command::Insights(options) => return insights::run(&options, &opening),
        Command::Compare(options) => return statistics::compare(&options, &opening),
        Command::Export(options) => export::run(&options, &opening)?,
        Command::Sql(options) => return query::run("sql", &common, &options),
        Command::ExportTables(options) => return query::run("export-tables", &common, &options),
        Command::Fleet(options) => return query::run("fleet", &common, &options),
        Command::Synth(options) => synth::run(&options, &opening)?,
        Command::Cache(options) => cache::run(&options, &opening.cache)?,
        Command::Man => print(&man::page(&Arguments::command())?)?,
        Command::Completions(options) => print(&completions::script(Arguments::command(), options.shell))?,
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
