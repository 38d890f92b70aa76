//! Errors of queries as sentences with a place and a suggestion.

use datafusion::common::SchemaError;
use datafusion::error::DataFusionError;
use datafusion::sql::sqlparser::parser::ParserError;

use crate::schema::{FUNCTIONS, TABLES};

/// Largest number of changed letters for which a name is suggested, as a share of its length.
const SIMILAR: f64 = 0.6;

/// A problem with a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// One sentence, with a suggestion if there is one.
    pub message: String,
    /// Line and column of the mistake, from 1, if known.
    pub place: Option<(u64, u64)>,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.place {
            Some((line, column)) => write!(f, "line {line}, column {column}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// The most similar name.
fn similar<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let rated = known.map(|other| (strsim::normalized_damerau_levenshtein(name, other), other));
    let best = rated.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    (best.0 >= SIMILAR).then_some(best.1)
}

fn with_suggestion(message: String, suggestion: Option<&str>) -> String {
    suggestion.map_or(message.clone(), |name| format!("{message}; did you mean {name}?"))
}

/// The place in a message of the parser, and the message without it.
fn parser_place(text: &str) -> (String, Option<(u64, u64)>) {
    let Some((message, place)) = text.split_once(" at Line: ") else { return (text.to_owned(), None) };
    let numbers = place
        .split_once(", Column: ")
        .and_then(|(line, column)| Some((line.parse().ok()?, column.trim().parse().ok()?)));
    (message.to_owned(), numbers)
}

/// The first place of a word in a query, from 1.
fn place_of(sql: &str, word: &str) -> Option<(u64, u64)> {
    let is_part = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    let lower = sql.to_ascii_lowercase();
    let word = word.to_ascii_lowercase();
    let mut found = lower.match_indices(&word);
    let (at, _) = found.find(|(at, _)| {
        !is_part(lower[..*at].chars().next_back()) && !is_part(lower[at + word.len()..].chars().next())
    })?;
    let before = &sql[..at];
    let line = before.matches('\n').count() as u64 + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() as u64 + 1;
    Some((line, column))
}

/// Describes an error of a query.
#[must_use]
pub fn problem(error: &DataFusionError, sql: &str) -> Problem {
    let root = error.find_root();
    match root {
        DataFusionError::SQL(parser, _) => {
            let (ParserError::TokenizerError(text) | ParserError::ParserError(text)) = &**parser else {
                return Problem { message: "the query is nested too deeply".into(), place: None };
            };
            let (message, place) = parser_place(text);
            Problem { message, place }
        }
        DataFusionError::SchemaError(schema, _) => match &**schema {
            SchemaError::FieldNotFound { field, valid_fields } => {
                let suggestion = similar(&field.name, valid_fields.iter().map(|valid| valid.name.as_str()));
                let message = with_suggestion(format!("there is no column {}", field.name), suggestion);
                Problem { message, place: place_of(sql, &field.name) }
            }
            other => Problem { message: other.to_string(), place: None },
        },
        DataFusionError::Plan(text) => plan_problem(text, sql),
        DataFusionError::ResourcesExhausted(_) => Problem {
            message: "the query needs more memory than --max-memory allows; aggregate or filter more, or allow more"
                .into(),
            place: None,
        },
        DataFusionError::Execution(text) if text.contains("coercion failed") => plan_problem(text, sql),
        DataFusionError::Execution(text) => Problem { message: text.clone(), place: None },
        other => Problem { message: other.strip_backtrace(), place: None },
    }
}

/// Describes an error of planning.
fn plan_problem(text: &str, sql: &str) -> Problem {
    if let Some(name) = text.strip_prefix("table '").and_then(|rest| rest.split_once("' not found")) {
        let name = name.0.rsplit('.').next().unwrap_or_default();
        let suggestion = similar(name, TABLES.iter().map(|table| table.name));
        let message = with_suggestion(format!("there is no table {name}"), suggestion);
        return Problem { message, place: place_of(sql, name) };
    }
    if let Some(name) = text.strip_prefix("Invalid function '").and_then(|rest| rest.split_once('\'')) {
        let own = similar(name.0, FUNCTIONS.iter().map(|function| function.name));
        let message = match own {
            Some(_) => with_suggestion(format!("there is no function {}", name.0), own),
            None => format!("there is no function {}", text.trim_start_matches("Invalid function ").replace('\n', " ")),
        };
        return Problem { message, place: place_of(sql, name.0) };
    }
    // The planner wraps the reasons of functions and appends lists of signatures.
    let inner = text.rsplit_once("Error during planning: ").map_or(text, |(_, inner)| inner);
    let inner = inner.split_once(" No function matches").map_or(inner, |(reason, _)| reason.trim_end_matches('.'));
    Problem { message: inner.lines().next().unwrap_or_default().to_owned(), place: None }
}
