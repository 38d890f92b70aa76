//! A query engine in this process: it speaks the protocol of `flowline-query` and answers from a function.

use std::io::{BufRead, BufReader, Write, pipe};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use flowline::session::{EngineConnection, EngineFailure, EngineProcess, QueryEngine};
use serde_json::{Value, json};

/// The answer to a query.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// Names and types of columns, and the rows.
    Rows(Vec<(&'static str, &'static str)>, Vec<Vec<Value>>),
    /// A message with a line and a column.
    Error(&'static str, u32, u32),
    /// The engine dies.
    Death,
    /// No answer until the query is canceled.
    Silence,
}

/// An engine whose answers depend on the text of the query only.
pub(crate) struct StandIn {
    answer: Box<dyn Fn(&str) -> Answer + Send + Sync>,
    /// The facts that it states about its recording.
    recording: Value,
    /// Number of processes that were started.
    pub(crate) starts: AtomicUsize,
    /// The recordings that they were started for.
    pub(crate) recordings: Mutex<Vec<PathBuf>>,
    /// The queries that were run.
    pub(crate) queries: Mutex<Vec<String>>,
}

struct Process;

impl EngineProcess for Process {
    fn kill(&mut self) {}

    fn wait(&mut self) -> String {
        "exit status 101".into()
    }
}

/// The tables of the engine.
fn ready(recording: &Value) -> Value {
    let column = |name: &str| json!({"name": name, "type": "integer", "description": ""});
    let slice: Vec<Value> = ["id", "ts", "dur", "name", "depth"].map(column).into();
    json!({"ready": {"version": 1, "recording": recording, "tables": [{"name": "slice", "description": "", "columns": slice}],
        "functions": [{"name": "path", "signature": "path(slice_id)", "description": ""}]}})
}

/// The lines of an answer; `None` for a death.
fn lines(id: u64, answer: Answer) -> Option<Vec<Value>> {
    Some(match answer {
        Answer::Death => return None,
        Answer::Silence => Vec::new(),
        Answer::Error(message, line, column) => {
            vec![json!({"id": id, "error": {"message": message, "line": line, "column": column}})]
        }
        Answer::Rows(columns, rows) => {
            let named: Vec<Value> = columns.iter().map(|(name, kind)| json!({"name": name, "type": kind})).collect();
            let mut lines = vec![json!({"id": id, "columns": named})];
            for batch in rows.chunks(1000) {
                let column = |number: usize| batch.iter().map(|row| row[number].clone()).collect::<Vec<_>>();
                let columns: Vec<Vec<Value>> = (0..columns.len()).map(column).collect();
                lines.push(json!({"id": id, "batch": columns}));
            }
            lines.push(json!({"id": id, "done": {"rows": rows.len(), "ms": 4.2, "more": false}}));
            lines
        }
    })
}

impl StandIn {
    pub(crate) fn new(answer: impl Fn(&str) -> Answer + Send + Sync + 'static) -> Arc<Self> {
        Self::of(Value::Null, answer)
    }

    /// An engine that states facts about its recording.
    pub(crate) fn of(recording: Value, answer: impl Fn(&str) -> Answer + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self {
            answer: Box::new(answer),
            recording,
            starts: AtomicUsize::new(0),
            recordings: Mutex::default(),
            queries: Mutex::default(),
        })
    }

    fn serve(&self, requests: impl BufRead, mut replies: impl Write) {
        let mut send = |line: &Value| writeln!(replies, "{line}").is_ok();
        // Progress of loading comes first.
        let mut is_open = send(&json!({"opening": {"phase": "Reading markers", "percent": 45}}));
        is_open = is_open && send(&ready(&self.recording));
        for request in requests.lines().map_while(Result::ok) {
            let request: Value = serde_json::from_str(&request).expect("a request is JSON");
            let lines = match (request["cancel"].as_u64(), request["id"].as_u64(), request["sql"].as_str()) {
                (Some(id), ..) => Some(vec![json!({"id": id, "canceled": true})]),
                (None, Some(id), Some(sql)) => {
                    self.queries.lock().expect("no panic").push(sql.to_owned());
                    lines(id, (self.answer)(sql))
                }
                _ => panic!("an unknown request {request}"),
            };
            let Some(lines) = lines else { return };
            is_open = is_open && lines.iter().all(&mut send);
            if !is_open {
                return;
            }
        }
    }
}

/// The engine as the window sees it.
pub(crate) struct Shared(pub(crate) Arc<StandIn>);

impl QueryEngine for Shared {
    fn start(&self, recording: &Path) -> Result<EngineConnection, EngineFailure> {
        self.0.starts.fetch_add(1, Ordering::Relaxed);
        self.0.recordings.lock().expect("no panic").push(recording.to_owned());
        let ((input, requests), (replies, output)) = (pipe().expect("a pipe"), pipe().expect("a pipe"));
        let own = Arc::clone(&self.0);
        std::thread::spawn(move || own.serve(BufReader::new(input), output));
        let reader = Box::new(BufReader::new(replies));
        Ok(EngineConnection { reader, writer: Box::new(requests), process: Box::new(Process) })
    }
}
