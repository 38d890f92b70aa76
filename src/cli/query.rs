//! `flowline sql`, `flowline export-tables` and `flowline fleet`: run the program `flowline-query`, which is built on request.

use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::process::{Command, ExitCode};

use anyhow::Context as _;

use super::args::{Arguments, QueryArgs};
use crate::app::{QUERY_PROGRAM, missing_engine, query_program};

/// The options of all commands that `flowline-query` also has, as arguments.
pub(super) fn common_options(arguments: &Arguments) -> Vec<OsString> {
    let mut options: Vec<OsString> = Vec::new();
    if arguments.no_cache {
        options.push("--no-cache".into());
    }
    if let Some(rules) = &arguments.flow_rules {
        options.extend([OsString::from("--flow-rules"), rules.into()]);
    }
    if let Some(bytes) = arguments.max_memory {
        options.extend([OsString::from("--max-memory"), bytes.to_string().into()]);
    }
    options
}

/// Runs a command of `flowline-query` and returns its exit status.
pub(super) fn run(command: &str, common: &[OsString], options: &QueryArgs) -> anyhow::Result<ExitCode> {
    let mut child = Command::new(query_program());
    child.arg(OsStr::new(command)).args(common).args(&options.arguments);
    let status = match child.status() {
        Err(error) if error.kind() == ErrorKind::NotFound => anyhow::bail!(
            "`flowline {command}` needs the query engine, {QUERY_PROGRAM}, which is not installed. {}",
            missing_engine()
        ),
        other => other.context(QUERY_PROGRAM)?,
    };
    // A child that was stopped by a signal has no status.
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
    Ok(ExitCode::from(code))
}
