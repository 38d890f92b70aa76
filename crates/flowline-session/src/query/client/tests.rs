//! The client with engines that are scripts: lines that they write after each line that they read.

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write, pipe};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::super::limits::MAX_QUERY_ROWS;
use super::*;
use crate::query::engine::{EngineConnection, EngineProcess};
use crate::query::result_column::Field;

const READY: &str = r#"{"ready":{"version":1,"tables":[{"name":"slice","columns":[{"name":"ts","type":"integer"}]}]}}"#;

/// An engine that answers each request with the lines of a function; `None` is its death.
struct Script {
    answer: fn(&str) -> Option<Vec<String>>,
    starts: AtomicUsize,
    /// The first line.
    greeting: &'static str,
}

struct Thread;

impl EngineProcess for Thread {
    fn kill(&mut self) {}

    fn wait(&mut self) -> String {
        "exit status 101".into()
    }
}

fn serve(input: PipeReader, mut output: PipeWriter, greeting: &str, answer: fn(&str) -> Option<Vec<String>>) {
    let _closed = writeln!(output, "{greeting}");
    for line in BufReader::new(input).lines().map_while(Result::ok) {
        let Some(lines) = answer(&line) else {
            // It dies within a line.
            let _closed = write!(output, "{{\"id\":1,\"batch\":[[1,2");
            return;
        };
        for line in lines {
            if writeln!(output, "{line}").is_err() {
                return;
            }
        }
    }
}

impl QueryEngine for Script {
    fn start(&self, recording: &Path) -> Result<EngineConnection, EngineFailure> {
        assert_eq!(recording, Path::new("recording.json"));
        self.starts.fetch_add(1, Ordering::Relaxed);
        let ((input, requests), (replies, output)) = (pipe().expect("a pipe"), pipe().expect("a pipe"));
        let (greeting, answer) = (self.greeting, self.answer);
        thread::spawn(move || serve(input, output, greeting, answer));
        let reader = Box::new(BufReader::new(replies));
        Ok(EngineConnection { reader, writer: Box::new(requests), process: Box::new(Thread) })
    }
}

fn client(answer: fn(&str) -> Option<Vec<String>>) -> (QueryClient, Arc<Script>) {
    let script = Arc::new(Script { answer, starts: AtomicUsize::new(0), greeting: READY });
    let mut client = QueryClient::new("recording.json".into(), Arc::new(|| {}));
    client.set_engine(Some(script.clone()));
    (client, script)
}

fn wait(client: &mut QueryClient) {
    client.wait_for_answers();
}

fn id_of(line: &str) -> u64 {
    let digits = line.trim_start_matches("{\"id\":").trim_start_matches("{\"cancel\":");
    digits.chars().take_while(char::is_ascii_digit).collect::<String>().parse().expect("an id")
}

fn columns(id: u64) -> String {
    format!(r#"{{"id":{id},"columns":[{{"name":"n","type":"integer"}}]}}"#)
}

fn batch(id: u64, rows: usize) -> String {
    format!(r#"{{"id":{id},"batch":[[{}]]}}"#, vec!["7"; rows].join(","))
}

fn done(id: u64, rows: usize) -> String {
    format!(r#"{{"id":{id},"done":{{"rows":{rows},"ms":1.5,"more":false}}}}"#)
}

fn three_rows(line: &str) -> Option<Vec<String>> {
    let id = id_of(line);
    let other = id + 1000;
    Some(vec![columns(id), columns(other), batch(id, 2), "noise".into(), batch(other, 1), batch(id, 1), done(id, 3)])
}

#[test]
fn the_engine_starts_with_the_first_query_and_serves_all() {
    let (mut client, script) = client(three_rows);
    assert_eq!((client.state(), script.starts.load(Ordering::Relaxed)), (&EngineState::Idle, 0));
    let ids = [client.run("SELECT 1"), client.run("SELECT 2")];
    wait(&mut client);
    for id in ids {
        let run = client.get(id).expect("a run");
        assert_eq!((&run.state, run.result.rows()), (&RunState::Done { ms: 1.5, more: false }, 3));
        assert_eq!([run.result.get(2, 0), run.result.get(3, 0)], [Field::Integer(7), Field::Null]);
    }
    assert_eq!((client.state(), script.starts.load(Ordering::Relaxed)), (&EngineState::Ready, 1));
    assert_eq!(client.catalog().tables[0].name, "slice");
    client.forget(ids[0]);
    assert!(client.get(ids[0]).is_none() && client.finished("SELECT 2").is_some());
}

#[test]
fn a_death_costs_the_query_and_the_next_one_starts_a_new_engine() {
    let (mut client, script) = client(|line| if line.contains("die") { None } else { three_rows(line) });
    let id = client.run("die");
    wait(&mut client);
    let error = client.get(id).and_then(QueryRun::error).expect("an error");
    assert!(error.message.contains("exit status 101"), "{error:?}");
    assert!(matches!(client.state(), EngineState::Failed(_)));
    let id = client.run("SELECT 1");
    wait(&mut client);
    assert!(client.get(id).is_some_and(QueryRun::is_done));
    assert_eq!(script.starts.load(Ordering::Relaxed), 2);
}

#[test]
fn results_are_cut_at_the_limit() {
    let (mut client, _) = client(|line| {
        let id = id_of(line);
        if line.contains("cancel") {
            return Some(vec![format!(r#"{{"id":{id},"canceled":true}}"#)]);
        }
        let mut lines = vec![columns(id)];
        lines.extend((0..11).map(|_| batch(id, 10_000)));
        Some(lines)
    });
    let id = client.run("SELECT 1");
    wait(&mut client);
    let run = client.get(id).expect("a run");
    assert!(matches!(run.state, RunState::Done { more: true, .. }), "{:?}", run.state);
    assert_eq!(run.result.rows(), MAX_QUERY_ROWS);
}

#[test]
fn a_query_has_the_row_limit_that_was_asked_for() {
    let (mut client, _) = client(|line| {
        let id = id_of(line);
        assert!(!line.contains("sql") || line.contains("\"limit\":3"), "{line}");
        if line.contains("cancel") {
            return Some(vec![format!(r#"{{"id":{id},"canceled":true}}"#)]);
        }
        Some(vec![columns(id), batch(id, 2), batch(id, 2)])
    });
    let id = client.run_within("SELECT 1", QueryLimits { time: None, rows: 3 });
    wait(&mut client);
    let run = client.get(id).expect("a run");
    assert!(matches!(run.state, RunState::Done { more: true, .. }), "{:?}", run.state);
    assert_eq!((run.result.rows(), run.exceeded_time()), (3, None));
}

#[test]
fn a_query_ends_at_its_time_limit() {
    // The engine does not react.
    let (mut client, script) = client(|line| if line.contains("quick") { three_rows(line) } else { Some(Vec::new()) });
    let limit = Duration::from_millis(30);
    let limits = QueryLimits { time: Some(limit), ..QueryLimits::default() };
    let [endless, quick] = ["endless", "quick"].map(|sql| client.run_within(sql, limits));
    let begin = Instant::now();
    wait(&mut client);
    assert!(begin.elapsed() >= limit && begin.elapsed() < Duration::from_secs(20));
    let run = client.get(endless).expect("a run");
    assert_eq!((run.exceeded_time(), run.error().is_some()), (Some(limit), true));
    let run = client.get(quick).expect("a run");
    assert_eq!((run.exceeded_time(), run.result.rows()), (None, 3));
    // Frames notice it, too.
    let again = client.run_within("endless", limits);
    while client.get(again).is_some_and(QueryRun::is_running) {
        std::thread::sleep(Duration::from_millis(5));
        client.poll();
    }
    assert_eq!(client.get(again).and_then(QueryRun::exceeded_time), Some(limit));
    assert_eq!(script.starts.load(Ordering::Relaxed), 1);
}

#[test]
fn loading_a_recording_does_not_count_as_time_of_a_query() {
    let script = Script {
        answer: |_| Some(Vec::new()),
        starts: AtomicUsize::new(0),
        greeting: r#"{"opening":{"phase":"Reading","percent":1}}"#,
    };
    let mut client = QueryClient::new("recording.json".into(), Arc::new(|| {}));
    client.set_engine(Some(Arc::new(script)));
    let id = client.run_within("SELECT 1", QueryLimits { time: Some(Duration::from_millis(1)), rows: 1 });
    for _ in 0..10 {
        std::thread::sleep(Duration::from_millis(5));
        client.poll();
    }
    assert!(client.get(id).is_some_and(QueryRun::is_running) && client.opening().is_some());
}

#[test]
fn missing_rows_are_an_error() {
    let (mut client, _) = client(|line| {
        let id = id_of(line);
        Some(vec![columns(id), batch(id, 2), done(id, 3)])
    });
    let id = client.run("SELECT 1");
    wait(&mut client);
    let error = client.get(id).and_then(QueryRun::error).expect("an error");
    assert!(error.message.contains("3 rows") && error.message.contains('2'), "{error:?}");
}

#[test]
fn a_canceled_query_ends_and_a_second_cancel_ends_the_engine() {
    let (mut client, script) = client(|line| {
        let canceled = line.starts_with("{\"cancel\":1}").then(|| r#"{"id":1,"canceled":true}"#.to_owned());
        Some(canceled.into_iter().collect())
    });
    let first = client.run("slow");
    client.cancel(first);
    wait(&mut client);
    assert_eq!(client.get(first).map(|run| run.state.clone()), Some(RunState::Canceled));
    // The engine does not answer this one.
    let [second, third] = [client.run("stuck"), client.run("waits")];
    client.cancel(second);
    client.cancel(second);
    assert_eq!(client.get(second).map(|run| run.state.clone()), Some(RunState::Canceled));
    assert!(client.get(third).and_then(QueryRun::error).is_some());
    assert_eq!(client.state(), &EngineState::Idle);
    client.run("again");
    assert_eq!(script.starts.load(Ordering::Relaxed), 2);
}

#[test]
fn an_engine_that_cannot_load_the_recording_says_why() {
    let script = Script {
        answer: |_| Some(Vec::new()),
        starts: AtomicUsize::new(0),
        greeting: r#"{"failed":"This recording has no slices."}"#,
    };
    let mut client = QueryClient::new("recording.json".into(), Arc::new(|| {}));
    client.set_engine(Some(Arc::new(script)));
    let id = client.run("SELECT 1");
    wait(&mut client);
    let error = client.get(id).and_then(QueryRun::error).expect("an error");
    assert_eq!(error.message, "This recording has no slices.");
    assert!(matches!(client.state(), EngineState::Failed(failure) if failure.message == error.message));
}

#[test]
fn without_an_engine_a_query_fails() {
    let mut client = QueryClient::new("recording.json".into(), Arc::new(|| {}));
    let id = client.run("SELECT 1");
    assert!(client.get(id).and_then(QueryRun::error).is_some() && !client.is_busy());
}
