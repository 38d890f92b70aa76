//! `flowline-query sql -i`: asks for queries, with history and completion.

use std::borrow::Cow;
use std::io::Write as _;
use std::process::ExitCode;

use flowline_cache::user_folders::state_folder;
use flowline_terminal::Output;
use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Editor, Helper};
use tokio::runtime::Runtime;

use super::failure::Failure;
use super::sql::{self, Form};
use crate::engine::Opened;
use crate::schema::{FUNCTIONS, TABLES};

/// Words of SQL that are completed.
const KEYWORDS: [&str; 22] = [
    "SELECT",
    "FROM",
    "WHERE",
    "GROUP BY",
    "ORDER BY",
    "LIMIT",
    "JOIN",
    "LEFT JOIN",
    "ON",
    "USING",
    "AND",
    "OR",
    "NOT",
    "IN",
    "LIKE",
    "AS",
    "WITH",
    "UNION ALL",
    "HAVING",
    "DESC",
    "COUNT",
    "SUM",
];

/// Completes tables, columns, functions and keywords; a query ends with a semicolon.
struct SqlHelper;

impl Helper for SqlHelper {}
impl Hinter for SqlHelper {
    type Hint = String;
}
impl Highlighter for SqlHelper {
    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        Cow::Borrowed(hint)
    }
}

impl Validator for SqlHelper {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let text = context.input().trim();
        let is_complete = text.is_empty() || text.ends_with(';') || text.starts_with('\\');
        Ok(if is_complete { ValidationResult::Valid(None) } else { ValidationResult::Incomplete })
    }
}

impl Completer for SqlHelper {
    type Candidate = Pair;

    fn complete(&self, line: &str, position: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let start = line[..position].rfind(|letter| !is_word(letter)).map_or(0, |at| at + 1);
        let word = line[start..position].to_lowercase();
        let columns = TABLES.iter().flat_map(|table| table.all_columns()).map(|column| column.name);
        let names =
            TABLES.iter().map(|table| table.name).chain(FUNCTIONS.iter().map(|function| function.name)).chain(columns);
        let mut found: Vec<&str> =
            names.chain(KEYWORDS).filter(|name| name.to_lowercase().starts_with(&word)).collect();
        found.sort_unstable();
        found.dedup();
        let pair = |name: &str| Pair { display: name.to_owned(), replacement: name.to_owned() };
        Ok((start, found.into_iter().map(pair).collect()))
    }
}

/// Asks for queries until the input ends.
pub(super) fn run(runtime: &Runtime, opened: &Opened, form: &Form, limit: Option<usize>) -> Result<ExitCode, Failure> {
    let failed = |error: ReadlineError| Failure::Message(error.to_string());
    let mut editor: Editor<SqlHelper, DefaultHistory> = Editor::new().map_err(failed)?;
    editor.set_helper(Some(SqlHelper));
    let history = state_folder().map(|folder| folder.join("query-history"));
    if let Some(history) = &history {
        // There is none at first.
        let _missing = editor.load_history(history);
    }
    loop {
        match editor.readline("sql> ") {
            Ok(text) if text.trim().is_empty() => {}
            Ok(text) if text.trim_start().starts_with("\\q") => break,
            Ok(text) => {
                let _full = editor.add_history_entry(text.as_str());
                let mut out = Output::new();
                if let Err(problem) = sql::run(runtime, opened, &text, form, limit, &mut out) {
                    writeln!(out, "{problem}")?;
                }
                out.flush()?;
            }
            Err(ReadlineError::Interrupted) => {}
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(failed(error)),
        }
    }
    if let Some(history) = &history {
        let kept = history.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(ReadlineError::from);
        // The prompt works without history.
        let _unwritable = kept.and_then(|()| editor.save_history(history));
    }
    Ok(ExitCode::SUCCESS)
}
