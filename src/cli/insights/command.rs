//! `flowline insights`: what was slow in each page load, as a table or as JSON, and its comparison with limits.

use std::io::Write;
use std::process::ExitCode;

use super::broken::{Limits, Outcome};
use super::budget::Budget;
use super::choice::{Chosen, choose};
use super::object::object;
use super::table::write_table;
use crate::cli::args::InsightsArgs;
use crate::cli::opening::{Opening, finish, open, origin_for};
use flowline_terminal::{self as terminal, Output};

/// Exit status if a limit was exceeded.
const BROKEN: u8 = 3;

pub(crate) fn run(options: &InsightsArgs, opening: &Opening) -> anyhow::Result<ExitCode> {
    let budget = options.budget.as_deref().map(Budget::read).transpose()?;
    let loaded = open(&origin_for(&options.file), opening)?;
    let profile = loaded.index.profile();
    let chosen = choose(&loaded.index, &options.part)?;
    let limited: Vec<&Chosen<'_>> = match &budget {
        Some(budget) => budget.select(&chosen)?,
        None => chosen.iter().collect(),
    };
    let budget = budget.unwrap_or_default();
    let limits = Limits { profile, file: &options.file, budget: &budget, rules: &options.fail_on };
    let outcome = limits.check(&limited);
    let mut out = Output::new();
    if options.json {
        let file = options.file.display().to_string();
        writeln!(out, "{}", object(&file, profile, &chosen, &outcome.broken))?;
    } else {
        write_table(&mut out, profile, &chosen)?;
    }
    out.flush()?;
    finish(&loaded)?;
    Ok(report(&outcome))
}

/// Reports what broke, and returns the exit status.
fn report(outcome: &Outcome) -> ExitCode {
    for line in &outcome.untold {
        terminal::error_line(&format!("flowline: not compared with its budget: {line}"));
    }
    for broken in &outcome.broken {
        terminal::error_line(&format!("flowline: {}", broken.line()));
    }
    if outcome.broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(BROKEN) }
}
