//! Runs the command of the arguments.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser as _;
use flowline_cache::Cache;
use flowline_load::UserRules;
use flowline_terminal::{binary_output, bytes_output, error_line, escape_panics, unlocked_output};
use tokio::runtime::{Builder, Runtime};

use super::args::{Arguments, Command, ExportArgs, FleetQuestion, SqlArgs};
use super::failure::Failure;
use super::opening::Opening;
use super::sql::Form;
use super::{export, prompt, regressions, serve, sql};
use crate::engine::{Opened, QUERY_STACK, SessionOptions, open_session, problem};
use crate::export::ExportOptions;
use crate::recording::OpenOptions;
use crate::schema::{TABLES, schema_reference};

/// The program: 0 for success, 1 for an error with one line on standard error, 2 for wrong usage.
#[must_use]
pub fn main() -> ExitCode {
    escape_panics("flowline-query");
    let arguments = Arguments::parse();
    match on_deep_stack(move || run(arguments)) {
        Ok(code) => code,
        Err(Failure::Closed) => ExitCode::SUCCESS,
        Err(Failure::Message(message)) => {
            error_line(&format!("flowline-query: {message}"));
            ExitCode::FAILURE
        }
    }
}

/// Runs a command on a thread whose stack is large enough for the queries that are allowed.
fn on_deep_stack(command: impl FnOnce() -> Result<ExitCode, Failure> + Send + 'static) -> Result<ExitCode, Failure> {
    let thread = std::thread::Builder::new().name("main".into()).stack_size(QUERY_STACK).spawn(command)?;
    // A panic has printed its message.
    thread.join().unwrap_or(Ok(ExitCode::from(101)))
}

fn options(arguments: &Arguments, skip_damaged: bool) -> Result<SessionOptions, Failure> {
    let cache = if arguments.no_cache {
        Cache::off("switched off")
    } else {
        let limit = std::env::var("FLOWLINE_CACHE_LIMIT").ok().filter(|text| !text.is_empty());
        let limit = limit.map(|text| {
            text.parse()
                .map_err(|_| Failure::Message(format!("FLOWLINE_CACHE_LIMIT={text}: expected a number of bytes")))
        });
        Cache::for_user(limit.transpose()?)
    };
    let rules = UserRules::read(arguments.flow_rules.as_deref())?;
    let threads =
        arguments.threads.or_else(|| std::thread::available_parallelism().ok().map(Into::into)).unwrap_or(1).max(1);
    let open = OpenOptions { cache, rules, max_memory: arguments.max_memory, progress: Arc::default() };
    Ok(SessionOptions { open, threads, skip_damaged })
}

fn runtime(threads: usize) -> Result<Runtime, Failure> {
    Ok(Builder::new_multi_thread().worker_threads(threads).thread_stack_size(QUERY_STACK).enable_all().build()?)
}

fn open(inputs: &[PathBuf], options: &SessionOptions, runtime: &Runtime) -> Result<Opened, Failure> {
    let opening = Opening::show(&options.open.progress);
    let opened = runtime.block_on(open_session(inputs, options));
    drop(opening);
    let opened = opened.map_err(|error| Failure::Message(problem(&error, "").message))?;
    for skipped in &opened.skipped {
        error_line(&format!("flowline-query: left out {skipped}"));
    }
    Ok(opened)
}

fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    match &arguments.command {
        Command::Schema => {
            binary_output().write_all(schema_reference().as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Sql(own) => run_sql(own, &options(&arguments, own.skip_damaged)?),
        Command::ExportTables(own) => run_export(own, &options(&arguments, false)?),
        Command::Serve(own) => {
            let options = options(&arguments, false)?;
            let runtime = runtime(options.threads)?;
            serve::serve(&own.inputs, &options, &runtime, std::io::stdin().lock(), unlocked_output());
            // Queries that still run are dropped with the program.
            runtime.shutdown_background();
            Ok(ExitCode::SUCCESS)
        }
        Command::Fleet(own) => {
            let FleetQuestion::Regressions { folder, a, b, p, json, skip_damaged } = &own.question;
            let options = options(&arguments, *skip_damaged)?;
            let runtime = runtime(options.threads)?;
            let opened = open(std::slice::from_ref(folder), &options, &runtime)?;
            let found = runtime.block_on(crate::fleet::regressions(&opened.context, a, b));
            let found = found.map_err(|error| Failure::Message(problem(&error, "").message))?;
            let mut out = bytes_output();
            regressions::print(&found, *p, *json, &mut out)?;
            out.flush()?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Splits the positional arguments into inputs and the query, which is the last one unless it names a file.
fn inputs_and_query(own: &SqlArgs) -> Result<(Vec<PathBuf>, Option<String>), Failure> {
    let mut inputs = own.inputs.clone();
    if own.interactive {
        return Ok((inputs, None));
    }
    if let Some(file) = &own.file {
        let text = sql::read_query(file).map_err(|error| Failure::Message(format!("{}: {error}", file.display())))?;
        return Ok((inputs, Some(text)));
    }
    let last = inputs.last().map(PathBuf::as_path).unwrap_or(Path::new(""));
    if inputs.len() < 2 || last.exists() {
        return Err(Failure::Message(
            "a query is missing: give it after the files, with -f FILE, or ask for a prompt with -i".into(),
        ));
    }
    let query = inputs.pop().map(|query| query.to_string_lossy().into_owned());
    Ok((inputs, query))
}

/// True if a file to write is an input, or is inside a folder of tables that is one.
fn is_among(output: &Path, inputs: &[PathBuf]) -> bool {
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let beside = folder.canonicalize().ok().zip(output.file_name()).map(|(folder, name)| folder.join(name));
    let Some(output) = output.canonicalize().ok().or(beside) else { return false };
    inputs.iter().filter_map(|input| input.canonicalize().ok()).any(|input| output.starts_with(input))
}

fn run_sql(own: &SqlArgs, options: &SessionOptions) -> Result<ExitCode, Failure> {
    let (inputs, query) = inputs_and_query(own)?;
    if let Some(path) = own.parquet.as_deref().filter(|path| is_among(path, &inputs)) {
        return Err(Failure::Message(format!("{}: this output belongs to the input", path.display())));
    }
    let form = match &own.parquet {
        Some(path) => Form::Parquet(path.clone()),
        None if own.csv => Form::Csv,
        None if own.json => Form::Json,
        None => Form::Table,
    };
    let runtime = runtime(options.threads)?;
    let opened = open(&inputs, options, &runtime)?;
    let Some(query) = query else { return prompt::run(&runtime, &opened, &form, own.limit) };
    let mut out = bytes_output();
    match sql::run(&runtime, &opened, &query, &form, own.limit, &mut out) {
        Ok(()) => {
            out.flush()?;
            Ok(ExitCode::SUCCESS)
        }
        Err(problem) if problem.message.contains("Broken pipe") => Err(Failure::Closed),
        Err(problem) => Err(Failure::Message(problem.to_string())),
    }
}

fn run_export(own: &ExportArgs, options: &SessionOptions) -> Result<ExitCode, Failure> {
    if let Some(unknown) = own.tables.iter().find(|name| TABLES.iter().all(|table| table.name != **name)) {
        let known: Vec<&str> = TABLES.iter().map(|table| table.name).collect();
        return Err(Failure::Message(format!("there is no table {unknown}; the tables are {}", known.join(", "))));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build();
    let pool = pool.map_err(|error| Failure::Message(error.to_string()))?;
    let wanted = ExportOptions { folder: own.output.clone(), tables: own.tables.clone(), path_to: own.path_to.clone() };
    let is_complete =
        pool.install(|| export::run(&own.files, &options.open, &own.label, &wanted, &mut unlocked_output()))?;
    Ok(if is_complete { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
