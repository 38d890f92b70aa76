//! `flowline compare --fail-above`: which groups grew too much.

use std::process::ExitCode;

use flowline_terminal as terminal;

/// Exit status if a group grew by more than the limit.
const GREW: u8 = 3;

/// Returns true if a number of both scopes grew by more than a ratio.
pub(super) fn grew(a: Option<f64>, b: Option<f64>, most: f64) -> bool {
    a.zip(b).is_some_and(|(a, b)| b > a && b - a > a * most)
}

/// Reports the groups that grew by more than a ratio, and returns the exit status.
pub(super) fn report_growth(names: &[String], most: f64) -> ExitCode {
    let Some(first) = names.first() else { return ExitCode::SUCCESS };
    let more = if names.len() > 1 { format!(" and {} more", names.len() - 1) } else { String::new() };
    terminal::error_line(&format!("flowline: grew by more than {}%: {first}{more}", most * 100.0));
    ExitCode::from(GREW)
}
