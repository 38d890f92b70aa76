//! `flowline-query serve FILE`: answers queries of the window over standard input and output, one JSON object per line.
//!
//! Requests: `{"id":1,"sql":"...","limit":100000}` and `{"cancel":1}`. Answers: `{"ready":{...}}` once, or
//! `{"failed":"..."}`, after any number of `{"opening":{"phase":"...","percent":50}}`; for a query, `{"id":1,"columns":[...]}`, any number of `{"id":1,"batch":[[...],...]}` with the
//! values of each column, and at last `{"id":1,"done":{...}}`, `{"id":1,"error":{...}}` or `{"id":1,"canceled":true}`.
//! The program ends when its input ends.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use datafusion::common::Result;
use datafusion::prelude::SessionContext;
use futures::StreamExt as _;
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::task::AbortHandle;

use super::json::column_values;
use super::opening::Opening;
use crate::engine::{SessionOptions, open_session, plan_query, problem};
use crate::recording::Recording;
use crate::schema::{ColumnType, FUNCTIONS, TABLES};

/// Version of the protocol.
const VERSION: u32 = 1;
/// Rows per line.
const ROWS: usize = 2048;
/// Rows of a query without a limit.
const LIMIT: usize = 100_000;

type Out = Arc<Mutex<Box<dyn Write + Send>>>;

fn send(out: &Out, line: &Value) {
    let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
    // If nobody reads, the input ends soon, too.
    let _closed = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// Facts by which the window knows if it shows the same recording, whose slices have the same numbers.
fn facts(recordings: &[Arc<Recording>]) -> Value {
    let [recording] = recordings else { return Value::Null };
    let profile = recording.profile();
    json!({
        "slices": profile.marker_count(),
        "start_ns": profile.meta.range.start.0,
        "duration_ns": profile.meta.range.len(),
    })
}

fn ready(recordings: &[Arc<Recording>]) -> Value {
    let tables = TABLES.iter().map(|table| {
        let column = |column: &crate::schema::ColumnSpec| {
            json!({"name": column.name, "type": column.kind.name(), "description": column.description})
        };
        let columns: Vec<Value> = table.all_columns().map(column).collect();
        json!({"name": table.name, "description": table.description, "columns": columns})
    });
    let functions = FUNCTIONS.iter().map(
        |function| json!({"name": function.name, "signature": function.signature, "description": function.description}),
    );
    json!({"ready": {
        "version": VERSION,
        "recording": facts(recordings),
        "tables": tables.collect::<Vec<_>>(),
        "functions": functions.collect::<Vec<_>>(),
    }})
}

/// Runs a query and sends its rows; returns its last line.
async fn answer(context: &SessionContext, id: u64, sql: &str, limit: usize, out: &Out) -> Result<Value> {
    let began = Instant::now();
    let frame = plan_query(context, sql).await?.limit(0, Some(limit.saturating_add(1)))?;
    let columns: Vec<Value> = frame
        .schema()
        .fields()
        .iter()
        .map(|field| json!({"name": field.name(), "type": ColumnType::of(field.data_type()).name()}))
        .collect();
    send(out, &json!({"id": id, "columns": columns}));
    let mut stream = frame.execute_stream().await?;
    let mut rows = 0;
    let mut has_more = false;
    while let Some(batch) = stream.next().await {
        let batch = batch?;
        let kept = batch.num_rows().min(limit - rows);
        has_more |= kept < batch.num_rows();
        let mut start = 0;
        while start < kept {
            let part = batch.slice(start, ROWS.min(kept - start));
            let values = part.columns().iter().map(column_values).collect::<Result<Vec<_>>>()?;
            send(out, &json!({"id": id, "batch": values}));
            start += part.num_rows();
        }
        rows += kept;
        if has_more {
            break;
        }
    }
    let ms = began.elapsed().as_secs_f64() * 1e3;
    Ok(json!({"id": id, "done": {"rows": rows, "ms": (ms * 10.0).round() / 10.0, "more": has_more}}))
}

/// Reads requests until the input ends.
pub(crate) fn serve(
    inputs: &[PathBuf],
    options: &SessionOptions,
    runtime: &Runtime,
    requests: impl BufRead,
    out: Box<dyn Write + Send>,
) {
    let out: Out = Arc::new(Mutex::new(out));
    let to = Arc::clone(&out);
    let opening = Opening::watch(&options.open.progress, move |state| {
        send(&to, &json!({"opening": {"phase": state.phase, "percent": state.percent}}));
    });
    let opened = runtime.block_on(open_session(inputs, options));
    drop(opening);
    let opened = match opened {
        Ok(opened) => opened,
        Err(error) => {
            send(&out, &json!({"failed": problem(&error, "").message}));
            return;
        }
    };
    send(&out, &ready(&opened.recordings));
    let mut running: BTreeMap<u64, AbortHandle> = BTreeMap::new();
    for line in requests.lines() {
        let Ok(line) = line else { break };
        if line.trim().is_empty() {
            continue;
        }
        let request: Value = serde_json::from_str(&line).unwrap_or(Value::Null);
        running.retain(|_, task| !task.is_finished());
        if let Some(id) = request["cancel"].as_u64() {
            if let Some(task) = running.remove(&id) {
                task.abort();
            }
        } else if let (Some(id), Some(sql)) = (request["id"].as_u64(), request["sql"].as_str()) {
            let limit = request["limit"].as_u64().and_then(|limit| usize::try_from(limit).ok()).unwrap_or(LIMIT);
            let (context, sql, to) = (opened.context.clone(), sql.to_owned(), Arc::clone(&out));
            let query = runtime.spawn(async move {
                let last = match answer(&context, id, &sql, limit, &to).await {
                    Ok(last) => last,
                    Err(error) => {
                        let problem = problem(&error, &sql);
                        let (line, column) = problem.place.unzip();
                        json!({"id": id, "error": {"message": problem.message, "line": line, "column": column}})
                    }
                };
                send(&to, &last);
            });
            running.insert(id, query.abort_handle());
            let to = Arc::clone(&out);
            runtime.spawn(async move {
                match query.await {
                    Err(stopped) if stopped.is_cancelled() => send(&to, &json!({"id": id, "canceled": true})),
                    Err(_) => send(&to, &json!({"id": id, "error": {"message": "the query failed unexpectedly"}})),
                    Ok(()) => {}
                }
            });
        } else {
            send(&out, &json!({"error": {"message": "not a request"}}));
        }
    }
    running.into_values().for_each(|task| task.abort());
}
