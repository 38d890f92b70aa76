//! `render --view` of a view with query tracks runs their queries in the program `flowline-query`, here a shell script.

use std::os::unix::fs::PermissionsExt as _;

use flowline::ui::SavedView;
use serde_json::json;

use crate::support::program::{Outcome, Program};

/// The link of a view of one second of the example with a query track, and a range in the middle of it: start and length.
fn view(program: &Program) -> (String, [i64; 2]) {
    let markers = program.lines(&["dump", "example", "markers"]);
    let start = markers.iter().filter_map(|marker| marker["start_ns"].as_i64()).min().expect("markers");
    let view = json!({"version": 1, "times": {"shown": [start, 0.0, 1e9]}, "tracks": {"queries":
        [{"name": "track of a query", "sql": "SELECT ts, dur, name FROM slice"}]}});
    let link = SavedView::from_json(view.to_string().as_bytes()).expect("a view").to_link();
    (link, [start + 250_000_000, 500_000_000])
}

/// Runs a command with a script as the program of queries.
fn with_engine(program: &Program, script: &str, arguments: &[&str]) -> Outcome {
    let file = program.file("flowline-query", script);
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).expect("an executable file");
    let output = program.command().env("FLOWLINE_QUERY", &file).args(arguments).output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Outcome { status: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// Draws the view; returns the drawing.
fn draw(program: &Program, link: &str, script: &str, more: &[&str]) -> (Outcome, String) {
    let picture = program.path("picture.svg");
    let view = format!("--view={link}");
    let arguments = ["render", "example", "-o", &picture, &view, "--size", "1000x700"];
    let outcome = with_engine(program, script, &[&arguments, more].concat());
    (outcome, std::fs::read_to_string(&picture).expect("a drawing"))
}

#[test]
fn a_query_track_is_drawn() {
    let program = Program::new("query tracks");
    let (link, [ts, dur]) = view(&program);
    let log = program.path("log");
    let script = format!(
        r#"#!/bin/sh
echo "$@" > '{log}'
echo '{{"ready":{{"version":1}}}}'
while read -r line; do
  echo "$line" >> '{log}'
  echo '{{"id":1,"columns":[{{"name":"ts","type":"integer"}},{{"name":"dur","type":"integer"}},{{"name":"name","type":"text"}}]}}'
  echo '{{"id":1,"batch":[[{ts}],[{dur}],["found by the query"]]}}'
  echo '{{"id":1,"done":{{"rows":1,"ms":1,"more":false}}}}'
done
"#
    );
    let (outcome, drawing) = draw(&program, &link, &script, &[]);
    assert_eq!((outcome.status, outcome.err.as_str()), (Some(0), ""));
    for text in ["track of a query", "found by the query"] {
        assert!(drawing.contains(text), "{text} is drawn");
    }
    let log = std::fs::read_to_string(log).expect("a log");
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines[0], "serve example");
    assert_eq!(lines[1], r#"{"id":1,"sql":"SELECT ts, dur, name FROM slice","limit":100000}"#);
}

#[test]
fn a_program_that_fails_leaves_a_heading() {
    let program = Program::new("failing query tracks");
    let (link, _) = view(&program);
    for script in ["#!/bin/sh\nexit 3\n", "#!/bin/sh\necho '{\"failed\":\"It cannot be read.\"}'\n"] {
        let (outcome, drawing) = draw(&program, &link, script, &[]);
        assert_eq!(outcome.status, Some(0), "{outcome:?}");
        assert!(drawing.contains("track of a query") && drawing.contains("failed"), "{script}");
    }
}

/// An engine that is ready and never answers.
const ENDLESS: &str = "#!/bin/sh\necho '{\"ready\":{\"version\":1}}'\nwhile read -r line; do :; done\n";

#[test]
fn an_endless_query_of_a_link_is_stopped_with_a_sentence_and_status_1() {
    let program = Program::new("endless query tracks");
    let (link, _) = view(&program);
    let (outcome, drawing) = draw(&program, &link, ENDLESS, &["--query-time", "0.2"]);
    let sentence = "query track \"track of a query\": stopped after 0.2 s; --query-time SECONDS allows more";
    assert_eq!((outcome.status, outcome.err), (Some(1), format!("flowline: {sentence}\n")));
    for text in ["track of a query", "stopped by its time limit of 0.2 s: SELECT ts, dur, name FROM slice"] {
        assert!(drawing.contains(text), "{text} is drawn");
    }
    let view = format!("--view={link}");
    let arguments = ["dump", "example", "view", &view, "--query-time", "0.2"];
    let outcome = with_engine(&program, ENDLESS, &arguments);
    assert_eq!((outcome.status, outcome.err), (Some(1), format!("flowline: {sentence}\n")));
    let is_track = |line: &&str| line.contains("track of a query") && line.contains("\"stopped\"");
    assert_eq!(outcome.out.lines().filter(is_track).count(), 1, "{}", outcome.out);
}

#[test]
fn a_query_of_a_link_without_any_time_does_not_run() {
    let program = Program::new("query tracks that do not run");
    let (link, _) = view(&program);
    let mark = program.path("started");
    let script = format!("#!/bin/sh\ntouch '{mark}'\n");
    let (outcome, drawing) = draw(&program, &link, &script, &["--query-time", "0"]);
    assert_eq!((outcome.status, outcome.err.as_str()), (Some(0), ""));
    assert!(drawing.contains("not run: SELECT ts, dur, name FROM slice"));
    assert!(!std::path::Path::new(&mark).exists(), "no engine is started");
}

#[test]
fn left_out_rows_are_reported() {
    let program = Program::new("query tracks with many rows");
    let (link, [ts, dur]) = view(&program);
    let script = format!(
        r#"#!/bin/sh
echo '{{"ready":{{"version":1}}}}'
while read -r line; do
  echo '{{"id":1,"columns":[{{"name":"ts","type":"integer"}},{{"name":"dur","type":"integer"}},{{"name":"name","type":"text"}}]}}'
  echo '{{"id":1,"batch":[[{ts}],[{dur}],["found by the query"]]}}'
  echo '{{"id":1,"done":{{"rows":1,"ms":1,"more":true}}}}'
done
"#
    );
    let (outcome, _) = draw(&program, &link, &script, &[]);
    let sentence = "flowline: query track \"track of a query\" shows only the first 100,000 rows\n";
    assert_eq!((outcome.status, outcome.err.as_str()), (Some(0), sentence));
}
