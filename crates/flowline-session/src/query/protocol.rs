//! The protocol of `flowline-query serve`: JSON objects, one on each line.
//!
//! Requests are `{"id":1,"sql":"SELECT ...","limit":100000}` and `{"cancel":1}`. The engine first sends `{"ready":...}` or
//! `{"failed":...}`. For each query it sends the columns, any number of batches, and at last `done`, `error` or `canceled`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::catalog::Catalog;
use super::result::RowBatch;
use super::result_column::{ColumnBatch, ColumnType, ResultColumn};
use super::run::{QueryError, QueryId};
use flowline_json::{Cursor, JsonError, Value, decode_value, write_json_string};

/// The version of the protocol.
const VERSION: i64 = 1;

/// Progress of loading the recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Name of the phase.
    pub phase: String,
    /// Finished part of the phase in percent, if it is known.
    pub percent: Option<u8>,
}

/// A message of the engine.
#[derive(Debug, PartialEq)]
pub(super) enum Reply {
    /// The recording is being loaded.
    Opening(Opening),
    /// The recording is loaded.
    Ready(Catalog),
    /// The recording cannot be loaded.
    Failed(String),
    /// The columns of a result.
    Columns(QueryId, Arc<[ResultColumn]>),
    /// Rows of a result.
    Batch(QueryId, RowBatch),
    /// All rows were sent.
    Done {
        id: QueryId,
        /// Number of rows.
        rows: usize,
        ms: f64,
        more: bool,
    },
    /// The query failed.
    Error(QueryId, QueryError),
    /// The query was canceled.
    Canceled(QueryId),
}

/// The line that starts a query.
pub(super) fn query_line(id: QueryId, sql: &str, limit: usize) -> String {
    let mut line = format!("{{\"id\":{},\"sql\":", id.0);
    write_json_string(&mut line, sql);
    line.push_str(&format!(",\"limit\":{limit}}}\n"));
    line
}

/// The line that cancels a query.
pub(super) fn cancel_line(id: QueryId) -> String {
    format!("{{\"cancel\":{}}}\n", id.0)
}

/// Reads replies. It keeps the types of the columns of each query, which the batches refer to.
#[derive(Debug, Default)]
pub(super) struct ReplyReader {
    columns: BTreeMap<QueryId, Arc<[ResultColumn]>>,
}

impl ReplyReader {
    /// Reads a line. Lines that are no message are skipped (`None`): they may be of a newer version, or debug output.
    /// A damaged message of a query is an error of that query, because rows would be missing.
    pub(super) fn read(&mut self, line: &[u8]) -> Option<Reply> {
        let mut id = None;
        match self.message(line, &mut id) {
            Ok(reply) => reply,
            Err(_) => {
                let id = id?;
                self.columns.remove(&id);
                Some(Reply::Error(id, QueryError::new("The query engine sent rows that cannot be read.")))
            }
        }
    }

    fn message(&mut self, line: &[u8], id: &mut Option<QueryId>) -> Result<Option<Reply>, JsonError> {
        let mut cursor = Cursor::at(line, 0);
        cursor.enter_object()?;
        let mut members: BTreeMap<String, Value> = BTreeMap::new();
        let mut batch = None;
        while let Some(key) = cursor.next_key()? {
            if key.is("batch") {
                // Read at the end, because the types of its columns depend on the id.
                cursor.peek()?;
                batch = Some(cursor.offset());
                cursor.skip_value()?;
                continue;
            }
            let value = decode_value(&mut cursor)?;
            if key.is("id") {
                *id = value.as_i64().and_then(|id| u64::try_from(id).ok()).map(QueryId);
            }
            members.insert(key.decode(), value);
        }
        cursor.finish()?;
        if let Some(ready) = members.get("ready") {
            return Ok(Some(ready_reply(ready)));
        }
        if let Some(failed) = members.get("failed") {
            let message = failed.as_str().unwrap_or("The recording cannot be queried.");
            return Ok(Some(Reply::Failed(message.to_owned())));
        }
        if let Some(opening) = members.get("opening") {
            return Ok(opening_reply(opening));
        }
        let Some(id) = *id else { return Ok(None) };
        if let Some(at) = batch {
            let Some(columns) = self.columns.get(&id) else { return Ok(None) };
            return rows(&mut Cursor::at(line, at), columns).map(|rows| Some(Reply::Batch(id, rows)));
        }
        Ok(self.answer(id, &members))
    }

    /// A message of a query without rows.
    fn answer(&mut self, id: QueryId, members: &BTreeMap<String, Value>) -> Option<Reply> {
        if let Some(Value::List(columns)) = members.get("columns") {
            let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
            let column = |value: &Value| ResultColumn {
                name: text(value, "name"),
                kind: ColumnType::of_word(&text(value, "type")),
            };
            let columns: Arc<[ResultColumn]> = columns.iter().map(column).collect();
            self.columns.insert(id, Arc::clone(&columns));
            return Some(Reply::Columns(id, columns));
        }
        let reply = if let Some(done) = members.get("done") {
            let rows = done.get("rows").and_then(Value::as_i64).and_then(|rows| usize::try_from(rows).ok());
            let ms = done.get("ms").and_then(Value::as_f64).filter(|ms| ms.is_finite() && *ms >= 0.0);
            let more = done.get("more").is_some_and(Value::is_truthy);
            Reply::Done { id, rows: rows.unwrap_or(0), ms: ms.unwrap_or(0.0), more }
        } else if let Some(error) = members.get("error") {
            Reply::Error(id, query_error(error))
        } else if members.get("canceled").is_some_and(Value::is_truthy) {
            Reply::Canceled(id)
        } else {
            return None;
        };
        self.columns.remove(&id);
        Some(reply)
    }
}

fn opening_reply(opening: &Value) -> Option<Reply> {
    let percent = opening.get("percent").and_then(Value::as_i64).and_then(|percent| u8::try_from(percent).ok());
    let phase = opening.get("phase").and_then(Value::as_str)?.to_owned();
    Some(Reply::Opening(Opening { phase, percent: percent.filter(|percent| *percent <= 100) }))
}

fn ready_reply(ready: &Value) -> Reply {
    match ready.get("version").and_then(Value::as_i64) {
        Some(VERSION) => Reply::Ready(Catalog::read(ready)),
        other => {
            let version = other.map_or_else(|| "an unknown version".to_owned(), |other| format!("version {other}"));
            Reply::Failed(format!("flowline-query speaks {version} of the protocol, this program version {VERSION}."))
        }
    }
}

fn query_error(error: &Value) -> QueryError {
    let message = error.get("message").and_then(Value::as_str).filter(|message| !message.trim().is_empty());
    let number = |key: &str| error.get(key).and_then(Value::as_i64).and_then(|at| u32::try_from(at).ok());
    let place = number("line").zip(number("column")).filter(|(line, column)| *line > 0 && *column > 0);
    QueryError { message: message.unwrap_or("The query failed.").to_owned(), place }
}

/// Reads the columns of a batch, which must have the same length.
fn rows(cursor: &mut Cursor<'_>, columns: &[ResultColumn]) -> Result<RowBatch, JsonError> {
    let offset = cursor.offset();
    let damaged = JsonError { offset, problem: flowline_json::Problem::Truncated };
    cursor.enter_array()?;
    let mut values = Vec::with_capacity(columns.len());
    while cursor.next_element()? {
        let Some(column) = columns.get(values.len()) else { return Err(damaged) };
        values.push(ColumnBatch::read(cursor, column.kind)?);
    }
    let rows = values.first().map_or(0, ColumnBatch::len);
    if values.len() != columns.len() || values.iter().any(|column| column.len() != rows) {
        return Err(damaged);
    }
    Ok(RowBatch { rows, columns: values })
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: &str = r#"{"id":3,"columns":[{"name":"ts","type":"integer"},{"name":"name","type":"text"}]}"#;

    fn replies(lines: &[&str]) -> Vec<Option<Reply>> {
        let mut reader = ReplyReader::default();
        lines.iter().map(|line| reader.read(line.as_bytes())).collect()
    }

    #[test]
    fn requests_are_one_line_of_json() {
        let line = query_line(QueryId(7), "SELECT \"a\"\n-- é\u{1}", 5);
        assert_eq!(line.matches('\n').count(), 1, "{line}");
        let value = decode_value(&mut Cursor::at(line.as_bytes(), 0)).expect("JSON");
        assert_eq!(value.get("sql").and_then(Value::as_str), Some("SELECT \"a\"\n-- é\u{1}"));
        assert_eq!((value.get("id"), value.get("limit")), (Some(&Value::Int(7)), Some(&Value::Int(5))));
        assert_eq!(cancel_line(QueryId(7)), "{\"cancel\":7}\n");
    }

    #[test]
    fn a_result_arrives_in_parts() {
        let lines =
            [COLUMNS, r#"{"id":3,"batch":[[1,null],["a","b"]]}"#, r#"{"id":3,"done":{"rows":2,"ms":4.2,"more":true}}"#];
        let replies = replies(&lines);
        let [Some(Reply::Columns(id, columns)), Some(Reply::Batch(_, batch)), Some(done)] = &replies[..] else {
            panic!("{replies:?}");
        };
        assert_eq!((id.0, columns.len(), batch.rows), (3, 2, 2));
        assert_eq!(*done, Reply::Done { id: QueryId(3), rows: 2, ms: 4.2, more: true });
    }

    #[test]
    fn the_place_of_an_error_is_optional() {
        let read = |text: &str| match &replies(&[text])[..] {
            [Some(Reply::Error(_, error))] => error.clone(),
            other => panic!("{other:?}"),
        };
        let error = read(r#"{"id":1,"error":{"message":"no table x","line":2,"column":8}}"#);
        assert_eq!((error.message.as_str(), error.place), ("no table x", Some((2, 8))));
        for text in [r#"{"id":1,"error":{"line":0,"column":1}}"#, r#"{"id":1,"error":7}"#] {
            let error = read(text);
            assert_eq!((error.place, error.message.is_empty()), (None, false), "{text}");
        }
    }

    #[test]
    fn other_versions_fail() {
        for text in [r#"{"ready":{"version":2}}"#, r#"{"ready":{}}"#, r#"{"ready":7}"#] {
            assert!(matches!(replies(&[text])[..], [Some(Reply::Failed(_))]), "{text}");
        }
        assert!(matches!(replies(&[r#"{"failed":"no such file"}"#])[..], [Some(Reply::Failed(_))]));
    }

    #[test]
    fn the_progress_of_loading_may_be_unknown() {
        let opening = |percent| Some(Reply::Opening(Opening { phase: "Reading".to_owned(), percent }));
        let line = |percent: &str| format!(r#"{{"opening":{{"phase":"Reading","percent":{percent}}}}}"#);
        for (percent, expected) in [("45", Some(45)), ("null", None), ("-1", None), ("200", None), ("1000", None)] {
            assert_eq!(replies(&[&line(percent)]), [opening(expected)], "{percent}");
        }
        assert_eq!(replies(&[r#"{"opening":7}"#]), [None]);
    }

    #[test]
    fn lines_that_are_no_message_are_skipped() {
        let lines =
            ["", "debug output", "{", "[]", "7", "{}", r#"{"id":3}"#, r#"{"later":1}"#, r#"{"id":-1,"done":{}}"#];
        assert!(replies(&lines).iter().all(Option::is_none));
        // Rows of a query without columns belong to no known query.
        assert_eq!(replies(&[r#"{"id":9,"batch":[[1]]}"#]), [None]);
    }

    #[test]
    fn damaged_rows_are_an_error_of_their_query() {
        for rows in [
            r#"{"id":3,"batch":[[1],["a"]"#,
            r#"{"id":3,"batch":[[1]]}"#,
            r#"{"id":3,"batch":[[1],["a"],[2]]}"#,
            r#"{"id":3,"batch":[[1,2],["a"]]}"#,
            r#"{"id":3,"batch":[["x"],["a"]]}"#,
            r#"{"id":3,"batch":[[99999999999999999999],["a"]]}"#,
            r#"{"id":3,"batch":7}"#,
            r#"{"id":3,"batch":[[1],["a"]]} x"#,
        ] {
            let replies = replies(&[COLUMNS, rows, r#"{"id":3,"batch":[[1],["a"]]}"#]);
            assert!(matches!(&replies[1], Some(Reply::Error(QueryId(3), _))), "{rows}: {replies:?}");
            assert_eq!(replies[2], None, "{rows}");
        }
    }
}
